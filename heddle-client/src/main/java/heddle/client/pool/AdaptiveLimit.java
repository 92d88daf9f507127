package heddle.client.pool;

import java.util.concurrent.TimeUnit;

/**
 * How many calls may be in flight to one server, found out from the time that they take. As long as
 * a server copes, the time stays what it is with few calls; when calls wait in it, the time grows
 * with their number. The quotient of the two, the gradient, says by how much the limit is too high.
 * A little is always added, the root of the limit, so that a server that copes with more is found.
 *
 * <p>It follows the gradient limit in <i>Performance Under Load</i> (E. Smith, W. Schnoebelen et
 * al., Netflix Technology Blog, 2018), which applies the idea of TCP Vegas (L. Brakmo, L. Peterson,
 * IEEE JSAC 13 (8), 1995) to requests. What that leaves open, when to believe that a server has
 * become slower for another reason than our load, is taken from BBR (N. Cardwell et al., ACM Queue
 * 14 (5), 2016): after a while of too long times the limit is halved for a moment, and what calls
 * take then is what they have to take.
 *
 * <p>Only calls that began after the limit last changed are looked at, at least ten of them and for
 * at least 100 ms. The limit begins at the least that is allowed and doubles until times grow.
 *
 * <p>Time is an argument, in nanoseconds. Guarded by the route's lock.
 */
final class AdaptiveLimit {
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int LEAST_SAMPLES = 10;

  /** Times up to so much longer than the base are no reason to let fewer in: they always vary. */
  private static final double TOLERANCE = 1.2;

  /** However bad one window is, the limit is at most halved for it. */
  private static final double LEAST_GRADIENT = 0.5;

  /** Half of the way to each new limit is gone, so that one odd window does less harm. */
  private static final double STEP = 0.5;

  /** After this many windows with too long times the base is measured anew. */
  private static final int FIRST_PROBE_WINDOWS = 10;

  /** As often as that where measuring it anew has found nothing new. */
  private static final int LAST_PROBE_WINDOWS = 160;

  /** What the present window is for. */
  private enum Aim {
    /** The time at the present limit. */
    MEASURE,
    /** Nothing: those that were let in before the limit was halved are to leave. */
    DRAIN,
    /** The time that calls take where nothing waits. */
    PROBE
  }

  private final int min;
  private final int max;
  private double limit;
  private Aim aim = Aim.MEASURE;

  /** What a call takes where nothing waits; 0 before it has been measured. */
  private double baseNanos;

  /** Times have not grown yet. */
  private boolean starting = true;

  private int slowWindows;
  private int probeAfter = FIRST_PROBE_WINDOWS;
  private double limitBeforeProbe;

  // The present window.
  private long windowStart = Long.MIN_VALUE;
  private int samples;
  private double sumNanos;
  private int mostInFlight;

  AdaptiveLimit(PoolLimits.Adaptive bounds) {
    this.min = bounds.min();
    this.max = bounds.max();
    this.limit = min;
  }

  /** How many calls may be in flight now. */
  int limit() {
    return (int) limit;
  }

  /**
   * A call has ended well.
   *
   * @param startedAt when it was let in
   * @param inFlight how many there were, this one among them
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
      return; // The load does not need the limit, so that the times say nothing about it.
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
