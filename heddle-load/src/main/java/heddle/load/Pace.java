package heddle.load;

import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Starts;
import heddle.load.schedule.Think;

/** When requests are sent. */
public sealed interface Pace {

  /** How many requests may be in flight at once. */
  int inFlight();

  /**
   * The share of one of several processes. The rate of an open load stays that of all: its starts
   * are numbered, and each process sends its share of them.
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

  /** Throws {@link IllegalArgumentException} if a segment would have no callers or connections. */
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
   * Each caller sends its next request when its last was answered and its think time is over.
   *
   * @param callers the number of callers; at least 1
   * @param think how long each pauses after an answer
   */
  record Closed(int callers, Think think) implements Pace {

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Closed {
      requirePositive(callers, "callers");
    }

    /** Creates callers that never pause. */
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
   * intended start of a request, so that a stall of the server shows in all requests that were due
   * meanwhile.
   *
   * @param rate the requests per second, over time
   * @param arrivals how the requests are spread
   * @param seed the seed of random arrivals, so that they are the same in every run
   * @param inFlight how many requests the client may have in flight at once; at least 1
   * @param maxInFlight how many requests may be unfinished, including those that wait for a
   *     connection; further ones are dropped and counted. At least 1
   */
  record Open(RateCurve rate, Arrivals arrivals, long seed, int inFlight, int maxInFlight)
      implements Pace {

    /** Poisson arrivals are the same in every run, so that clients face the same bursts. */
    public static final long DEFAULT_SEED = 20_150_217;

    /** With some 3 KB per waiting virtual thread, 300 MB. */
    public static final int DEFAULT_MAX_IN_FLIGHT = 100_000;

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Open {
      requirePositive(inFlight, "requests in flight");
      requirePositive(maxInFlight, "requests in flight at most");
    }

    /** Creates an open load with a constant rate: above 0 and at most 1,000,000. */
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
   * Batches of concurrent requests: each batch starts when all requests of the one before have
   * ended. Latency counts from when the first request of a batch was handed over.
   *
   * @param size requests per batch; at least 1
   */
  record Batch(int size) implements Pace {

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Batch {
      requirePositive(size, "requests of a batch");
    }

    @Override
    public int inFlight() {
      return size;
    }
  }

  /**
   * Requests that are begun as fast as possible, to a server that keeps them waiting. They are held
   * until the time is up, which counts from when the last request has got its thread. Shows how
   * many a client can hold, and why it holds no more.
   *
   * @param count the number of requests; at least 1
   */
  record Held(int count) implements Pace {

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
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
    /** Equal intervals, as long as the rate stays the same. */
    CONSTANT,
    /** Exponentially distributed intervals, as between independent users. */
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
