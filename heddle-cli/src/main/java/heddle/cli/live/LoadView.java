package heddle.cli.live;

import heddle.cli.live.LoadMoment.Phase;
import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadListener;
import heddle.load.LoadProgress;
import heddle.load.record.Latency;
import heddle.load.record.Stripes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/**
 * The live view of a load. The thread that runs the load only stores its progress here; the thread
 * that draws does the rest.
 */
public final class LoadView implements LoadListener, Painter.Picture {

  private final LoadTitle title;
  private final LongSupplier clock;
  private final Recent recent = new Recent();
  private volatile Phase phase = Phase.WARMING_UP;
  private volatile @Nullable Recorded recorded;
  private volatile String note = "";
  private volatile @Nullable LoadProgress progress;

  /** Creates a view of a load that has not begun. */
  public LoadView(LoadTitle title) {
    this(title, System::nanoTime);
  }

  /**
   * Creates a view.
   *
   * @param clock a monotonic clock in nanoseconds
   */
  LoadView(LoadTitle title, LongSupplier clock) {
    this.title = title;
    this.clock = clock;
  }

  /** Shows this note, in place of the last one. */
  public void note(String text) {
    note = text;
  }

  @Override
  public void recording(Recorded now) {
    recorded = now;
  }

  @Override
  public void measuring() {
    phase = Phase.MEASURING;
  }

  @Override
  public void progress(LoadProgress now) {
    progress = now;
    if (phase == Phase.WARMING_UP) {
      phase = Phase.MEASURING;
    }
  }

  @Override
  public void measured() {
    phase = Phase.FINISHING;
  }

  @Override
  public List<AttributedString> lines(Look look, int width) {
    return LoadFrame.lines(title, moment(), look, width);
  }

  private LoadMoment moment() {
    LoadProgress last = progress;
    LoadProgress far = last == null ? new LoadProgress(Duration.ZERO, 0, 0, 0, 0, 0, 0) : last;
    Recorded now = recorded;
    return now == null ? told(far) : recorded(far, now);
  }

  /** Reads the histograms now, and uses the last reported progress. */
  private LoadMoment recorded(LoadProgress far, Recorded now) {
    Histogram responses = merged(now.responses());
    recent.look(clock.getAsLong(), responses, now.sendLags());
    List<ErrorCause> errors = now.errors();
    return new LoadMoment(
        phase,
        far.fraction(),
        far.elapsed(),
        left(far, recent.rate()),
        responses.getTotalCount(),
        recent.rate(),
        recent.rates(),
        recent.window(),
        recent.responses(),
        Latency.ofNanos(responses),
        now.inFlight(),
        recent.lags(),
        now.dropped(),
        errors.stream().mapToLong(ErrorCause::count).sum(),
        errors,
        now.doubts(),
        note);
  }

  /** If other processes make the load, only their progress is known. */
  private LoadMoment told(LoadProgress far) {
    return new LoadMoment(
        phase,
        far.fraction(),
        far.elapsed(),
        left(far, far.requestsPerSecond()),
        far.answered(),
        far.requestsPerSecond(),
        List.of(),
        Duration.ZERO,
        Latency.NONE,
        Latency.NONE,
        far.inFlight(),
        Latency.NONE,
        0,
        far.failed(),
        List.of(),
        List.of(),
        note);
  }

  private String left(LoadProgress far, double rate) {
    return switch (title.shape().extent()) {
      case Extent.Lasting(Duration time) -> {
        Duration left = time.minus(far.elapsed());
        yield left.isNegative() ? "" : Amounts.span(left) + " left";
      }
      case Extent.Requests(long count) -> {
        long left = Math.max(0, count - far.answered() - far.failed());
        String time = rate > 0
            ? ", about " + Amounts.span(Duration.ofMillis((long) (left / rate * 1e3)))
            : "";
        yield Amounts.count(left) + " left" + time;
      }
    };
  }

  private static Histogram merged(Map<Integer, Histogram> all) {
    Histogram merged = Stripes.empty();
    all.values().forEach(merged::add);
    return merged;
  }
}
