package heddle.client.pool;

import heddle.client.settings.PoolLimits;
import java.util.concurrent.TimeUnit;

/**
 * How many calls may be in flight to one server, derived from the time that they take. As long as
 * the server copes, calls take the same time as under low load; when calls queue in the server, the
 * time grows with their number. The ratio of the two times, the gradient, says by how much the
 * limit is too high. The square root of the limit is always added, to find out whether the server
 * copes with more.
 *
 * <p>It follows the gradient limit in <i>Performance Under Load</i> (E. Smith, W. Schnoebelen et
 * al., Netflix Technology Blog, 2018), which applies the idea of TCP Vegas (L. Brakmo, L. Peterson,
 * IEEE JSAC 13 (8), 1995) to requests. To detect that a server became slower for a reason other
 * than our load, it borrows from BBR (N. Cardwell et al., ACM Queue 14 (5), 2016): after a period
 * of long times the limit is halved for a moment, and the time that calls take then becomes the new
 * base.
 *
 * <p>Each measurement uses only calls that began after the last change of the limit, at least ten
 * of them, over at least 100 ms. The limit begins at its minimum and doubles until times grow.
 *
 * <p>Time is an argument, in nanoseconds. Guarded by the route's lock.
 */
final class AdaptiveLimit {
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int LEAST_SAMPLES = 10;

  /** Times up to this factor above the base do not lower the limit, since times always vary. */
  private static final double TOLERANCE = 1.2;

  /** One window at most halves the limit. */
  private static final double LEAST_GRADIENT = 0.5;

  /** The limit moves half of the distance to each target, so that one odd window does less harm. */
  private static final double STEP = 0.5;

  /** After this many windows with long times the base is measured again. */
  private static final int FIRST_PROBE_WINDOWS = 10;

  /** The most windows between measurements; the number doubles as long as the base is confirmed. */
  private static final int LAST_PROBE_WINDOWS = 160;

  /** What the current window is for. */
  private enum Aim {
    /** Measures the time at the current limit. */
    MEASURE,
    /** Waits until the calls that were admitted before the limit was halved have ended. */
    DRAIN,
    /** Measures the time that calls take without queueing. */
    PROBE
  }

  private final int min;
  private final int max;
  private double limit;
  private Aim aim = Aim.MEASURE;

  /** The time that a call takes without queueing; 0 before it has been measured. */
  private double baseNanos;

  /** Whether times have not grown yet. */
  private boolean starting = true;

  private int slowWindows;
  private int probeAfter = FIRST_PROBE_WINDOWS;
  private double limitBeforeProbe;

  // The current window.
  private long windowStart = Long.MIN_VALUE;
  private int samples;
  private double sumNanos;
  private int mostInFlight;

  AdaptiveLimit(PoolLimits.Adaptive bounds) {
    this.min = bounds.min();
    this.max = bounds.max();
    this.limit = min;
  }

  int limit() {
    return (int) limit;
  }

  /**
   * A call has succeeded.
   *
   * @param startedAt when it was admitted
   * @param inFlight how many calls were in flight, including this one
   */
  void ended(long startedAt, long now, int inFlight) {
    if (windowStart == Long.MIN_VALUE) {
      windowStart = startedAt;
    }
    if (startedAt < windowStart) {
      return;
    }
    samples++;
    sumNanos += now - startedAt;
    mostInFlight = Math.max(mostInFlight, inFlight);
    if (samples >= LEAST_SAMPLES && now - windowStart >= WINDOW_NANOS) {
      endWindow(Math.max(1, sumNanos / samples));
      windowStart = now;
      samples = 0;
      sumNanos = 0;
      mostInFlight = 0;
    }
  }

  private void endWindow(double meanNanos) {
    switch (aim) {
      case MEASURE -> adapt(meanNanos);
      case DRAIN -> aim = Aim.PROBE;
      case PROBE -> endProbe(meanNanos);
    }
  }

  private void adapt(double meanNanos) {
    if (baseNanos == 0) {
      baseNanos = meanNanos;
    } else if (meanNanos < baseNanos) {
      baseNanos += (meanNanos - baseNanos) / 2;
    }
    if (mostInFlight < limit()) {
      return; // The load does not reach the limit, so the times say nothing about it.
    }
    double gradient = Math.clamp(TOLERANCE * baseNanos / meanNanos, LEAST_GRADIENT, 1);
    slowWindows = gradient < 1 ? slowWindows + 1 : 0;
    starting = starting && gradient == 1;
    double target = starting ? 2 * limit : limit * gradient + Math.sqrt(limit);
    set(starting ? target : limit + STEP * (target - limit));
    if (slowWindows >= probeAfter) {
      slowWindows = 0;
      limitBeforeProbe = limit;
      set(limit / 2);
      aim = Aim.DRAIN;
    }
  }

  private void endProbe(double meanNanos) {
    boolean known = Math.abs(meanNanos - baseNanos) <= (TOLERANCE - 1) * baseNanos;
    probeAfter = known ? Math.min(2 * probeAfter, LAST_PROBE_WINDOWS) : FIRST_PROBE_WINDOWS;
    baseNanos = known ? baseNanos + (meanNanos - baseNanos) / 2 : meanNanos;
    set(limitBeforeProbe);
    aim = Aim.MEASURE;
  }

  private void set(double next) {
    limit = Math.clamp(next, min, max);
  }
}
