package heddle.cli.live;

import heddle.bench.race.Race;
import heddle.bench.race.RaceListener;
import heddle.bench.result.Run;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jline.utils.AttributedString;

/** The live view or the log of a race, which updates it while another thread draws. */
public final class RaceView implements RaceListener, Painter.Picture {

  private static final int KEPT = 5;

  private final Consumer<String> log;

  private Progress progress = new Progress("starting", 0, 1, Race.BUDGET);
  private final Deque<RaceMoment.Finished> finished = new ArrayDeque<>();
  private int failed;
  private String lastFailure = "";

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
    if (update(now)) {
      log.accept("[%d/%d] %s, about %s left"
          .formatted(now.done(), now.total(), now.doing(), Amounts.span(now.left())));
    }
  }

  /** Returns whether the race has moved on to another run. */
  private synchronized boolean update(Progress now) {
    boolean isNew = !now.doing().equals(progress.doing());
    progress = now;
    return isNew;
  }

  @Override
  public synchronized void finished(String label, Run run) {
    finished.addLast(
        new RaceMoment.Finished(label, run.figures(), run.soundness().label()));
    if (finished.size() > KEPT) {
      finished.removeFirst();
    }
  }

  @Override
  public synchronized void failed(String what) {
    failed++;
    lastFailure = what;
  }

  @Override
  public List<AttributedString> lines(Look look, int width) {
    return RaceFrame.lines(moment(), look, width);
  }

  private synchronized RaceMoment moment() {
    return new RaceMoment(progress, List.copyOf(finished), failed, lastFailure);
  }
}
