package heddle.cli.live;

import heddle.bench.race.Race;
import heddle.bench.race.RaceListener;
import heddle.bench.result.Run;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/** The live view or the log of a race. */
public final class RaceView implements RaceListener, Painter.Picture {

  private static final int KEPT = 5;

  private final Consumer<String> log;

  /** Guards the fields below, which the race updates and another thread draws. */
  private final ReentrantLock lock = new ReentrantLock();

  private Progress progress = new Progress("starting", 0, 1, Race.BUDGET);
  private final Deque<RaceMoment.Finished> finished = new ArrayDeque<>();
  private int failed;
  private @Nullable String lastFailure;

  /**
   * Creates a view of a race that has not begun.
   *
   * @param log receives a line when a run begins, for output without a live view
   */
  public RaceView(Consumer<String> log) {
    this.log = log;
  }

  @Override
  public void progress(Progress now) {
    boolean isNew;
    lock.lock();
    try {
      isNew = !now.doing().equals(progress.doing());
      progress = now;
    } finally {
      lock.unlock();
    }
    if (isNew) {
      log.accept("[%d/%d] %s, about %s left"
          .formatted(now.done(), now.total(), now.doing(), Amounts.span(now.left())));
    }
  }

  @Override
  public void finished(String label, Run run) {
    lock.lock();
    try {
      finished.addLast(
          new RaceMoment.Finished(label, run.figures(), run.soundness().label()));
      if (finished.size() > KEPT) {
        finished.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(String what) {
    lock.lock();
    try {
      failed++;
      lastFailure = what;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<AttributedString> lines(Look look, int width) {
    return RaceFrame.lines(moment(), look, width);
  }

  private RaceMoment moment() {
    lock.lock();
    try {
      String last = lastFailure;
      return new RaceMoment(progress, List.copyOf(finished), failed, last == null ? "" : last);
    } finally {
      lock.unlock();
    }
  }
}
