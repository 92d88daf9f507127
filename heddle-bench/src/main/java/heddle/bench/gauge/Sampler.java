package heddle.bench.gauge;

import heddle.bench.result.Series;
import heddle.bench.result.Series.Sample;
import heddle.load.LoadProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records a load over time, with the process that makes or serves it: one sample per 250 ms.
 * Whenever there would be too many, it halves their number and doubles their length, so that its
 * memory is bounded. Used by one thread at a time.
 */
public final class Sampler {

  private static final double INTERVAL = 0.25;

  /** Tolerance for ticks that come a little early or late, and more often between short batches. */
  private static final double NEARLY = 0.8;

  private final Supplier<Look> looks;
  private List<Sample> samples = new ArrayList<>();
  private double interval = INTERVAL;
  private @Nullable Sample pending;
  private final long begin;
  private Look last;
  private Duration looked = Duration.ZERO;
  private long answered;
  private long failed;
  private long inFlight;
  private double sendLagMicros;
  private double heapByteSeconds;
  private double seconds;

  /** Creates a sampler for a load that begins now. */
  public Sampler(Supplier<Look> looks) {
    this.looks = looks;
    last = looks.get();
    begin = last.nanos();
  }

  /** Records progress; takes a sample if the last one is long enough ago. */
  public void progress(LoadProgress progress) {
    inFlight = Math.max(inFlight, progress.inFlight());
    sendLagMicros = Math.max(sendLagMicros, progress.sendLagMicros());
    if (progress.elapsed().minus(looked).toNanos() >= NEARLY * INTERVAL * 1e9) {
      take(progress);
    }
  }

  private void take(LoadProgress progress) {
    Look now = looks.get();
    double span = (now.nanos() - last.nanos()) / 1e9;
    if (span <= 0) {
      return;
    }
    heapByteSeconds += span * now.heapBytes();
    seconds += span;
    add(new Sample(
        (now.nanos() - begin) / 1e9,
        span,
        (progress.answered() - answered) / span,
        progress.failed() - failed,
        inFlight,
        sendLagMicros,
        now.heapBytes(),
        now.committedHeapBytes(),
        now.heapAfterGcBytes(),
        now.rssBytes(),
        (now.cpuNanos() - last.cpuNanos()) / 1e9 / span,
        now.platformThreads()));
    last = now;
    looked = progress.elapsed();
    answered = progress.answered();
    failed = progress.failed();
    inFlight = 0;
    sendLagMicros = 0;
  }

  private void add(Sample sample) {
    Sample whole = pending == null ? sample : pending.with(sample);
    pending = whole;
    if (whole.span() >= NEARLY * interval) {
      samples.add(whole);
      pending = null;
      if (samples.size() >= Series.MOST_SAMPLES) {
        samples = new ArrayList<>(new Series(samples).thinned().samples());
        interval *= 2;
      }
    }
  }

  /** Ends the recording; the time since the last sample is added to that sample. */
  public void end(LoadProgress progress) {
    inFlight = Math.max(inFlight, progress.inFlight());
    sendLagMicros = Math.max(sendLagMicros, progress.sendLagMicros());
    take(progress);
    Sample rest = pending;
    pending = null;
    if (rest != null) {
      boolean isLone = samples.isEmpty() || rest.span() >= interval / 2;
      samples.add(isLone ? rest : samples.removeLast().with(rest));
    }
  }

  /** The whole series, after the end. */
  public Series series() {
    return new Series(samples);
  }

  /** The average use of the heap over all samples; 0 if there are none. */
  public double meanHeapBytes() {
    return seconds == 0 ? 0 : heapByteSeconds / seconds;
  }
}
