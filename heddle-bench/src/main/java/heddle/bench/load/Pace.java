package heddle.bench.load;

import heddle.bench.schedule.RateCurve;
import heddle.bench.schedule.Segment;
import heddle.bench.schedule.Starts;
import heddle.bench.schedule.Think;

/** When requests are sent. */
public sealed interface Pace {

  /** How many requests may be in flight at once. */
  int inFlight();

  /**
   * What one of several processes makes of it. The rate of an open load is that of all: its starts
   * are numbered, and each process sends its own.
   */
  default Pace share(Segment segment) {
    return switch (this) {
      case Closed closed -> new Closed(segment.share(closed.callers), closed.think);
      case Open open ->
        new Open(
            open.rate,
            open.arrivals,
            open.seed,
            segment.share(open.inFlight),
            segment.share(open.maxInFlight));
      case Batch batch -> new Batch(segment.share(batch.size));
      case Held held -> new Held(segment.share(held.count));
    };
  }

  /** Throws {@link IllegalArgumentException} where a segment would have nothing to send with. */
  default void requireEnough(Segment segment) {
    switch (this) {
      case Closed closed -> segment.require(closed.callers, "callers (-c)");
      case Open open -> {
        segment.require(open.inFlight, "connections (-c)");
        segment.require(open.maxInFlight, "requests in flight (--max-in-flight)");
      }
      case Batch batch -> segment.require(batch.size, "requests of a batch");
      case Held held -> segment.require(held.count, "requests to hold");
    }
  }

  /**
   * Each caller sends its next request when its last was answered, and it has thought.
   *
   * @param callers how many callers there are; at least 1
   * @param think how long each pauses after an answer
   */
  record Closed(int callers, Think think) implements Pace {

    /** Checks the range; throws {@link IllegalArgumentException} when it is left. */
    public Closed {
      requirePositive(callers, "callers");
    }

    /** Callers that never pause. */
    public Closed(int callers) {
      this(callers, Think.NONE);
    }

    @Override
    public int inFlight() {
      return callers;
    }
  }

  /**
   * Requests are sent at a rate, whether or not earlier ones were answered. Latency counts from the
   * instant at which a request was meant to be sent, so that a server that stalls is charged for
   * all who would have come meanwhile.
   *
   * @param rate how many a second, over time
   * @param arrivals how the requests are spread
   * @param seed what random arrivals are drawn from: the same ones in every run
   * @param inFlight how many requests the client may have in flight at once; at least 1
   * @param maxInFlight how many may have begun and not ended, those that wait for the client's
   *     connections included; what would go beyond is dropped, and counted. At least 1
   */
  record Open(RateCurve rate, Arrivals arrivals, long seed, int inFlight, int maxInFlight)
      implements Pace {

    /** Poisson arrivals are the same in every run, so that clients face the same bursts. */
    public static final long DEFAULT_SEED = 20_150_217;

    /** At some 3 KB for each waiting virtual thread, 300 MB. */
    public static final int DEFAULT_MAX_IN_FLIGHT = 100_000;

    /** Checks the ranges; throws {@link IllegalArgumentException} when one is left. */
    public Open {
      requirePositive(inFlight, "requests in flight");
      requirePositive(maxInFlight, "requests in flight at most");
    }

    /** The same rate all the time: above 0 and at most 1,000,000. */
    public Open(double requestsPerSecond, int inFlight, Arrivals arrivals) {
      this(
          RateCurve.constant(requestsPerSecond),
          arrivals,
          DEFAULT_SEED,
          inFlight,
          DEFAULT_MAX_IN_FLIGHT);
    }
  }

  /**
   * So many requests at once, again and again: each time all of them are waited for. Latency counts
   * from the instant at which the first of them was handed over.
   *
   * @param size how many; at least 1
   */
  record Batch(int size) implements Pace {

    /** Checks the range; throws {@link IllegalArgumentException} when it is left. */
    public Batch {
      requirePositive(size, "requests of a batch");
    }

    @Override
    public int inFlight() {
      return size;
    }
  }

  /**
   * So many requests, as fast as they can be begun, to a server that keeps them waiting; they are
   * held until the time is up, which counts from when the last has got its strand. Shows how many a
   * client can hold, and why it holds no more.
   *
   * @param count how many; at least 1
   */
  record Held(int count) implements Pace {

    /** Checks the range; throws {@link IllegalArgumentException} when it is left. */
    public Held {
      requirePositive(count, "requests to hold");
    }

    @Override
    public int inFlight() {
      return count;
    }
  }

  /** How the requests of an open load are spread in time. */
  enum Arrivals {
    /** The same interval between any two, as long as the rate stays. */
    CONSTANT,
    /** Exponentially distributed intervals, as those between people who know nothing of another. */
    POISSON;

    Starts starts(RateCurve rate, long seed) {
      return this == POISSON ? Starts.poisson(rate, seed) : Starts.even(rate);
    }
  }

  private static void requirePositive(int value, String what) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, not " + value);
    }
  }
}
