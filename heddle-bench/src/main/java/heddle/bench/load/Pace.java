package heddle.bench.load;

/** When requests are sent. */
public sealed interface Pace {

  /** How many requests may be in flight at once. */
  int inFlight();

  /**
   * Each caller sends its next request when its last was answered.
   *
   * @param callers how many callers there are; at least 1
   */
  record Closed(int callers) implements Pace {

    /** Checks the range; throws {@link IllegalArgumentException} when it is left. */
    public Closed {
      if (callers < 1) {
        throw new IllegalArgumentException("callers must be at least 1, not " + callers);
      }
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
   * @param requestsPerSecond above 0 and at most 1,000,000
   * @param inFlight how many requests the client may have in flight at once; at least 1
   * @param arrivals how the requests are spread
   */
  record Open(double requestsPerSecond, int inFlight, Arrivals arrivals) implements Pace {

    /** Checks the ranges; throws {@link IllegalArgumentException} when one is left. */
    public Open {
      if (!(requestsPerSecond > 0 && requestsPerSecond <= 1_000_000)) {
        throw new IllegalArgumentException(
            "the rate must be above 0 and at most 1000000 a second, not " + requestsPerSecond);
      }
      if (inFlight < 1) {
        throw new IllegalArgumentException(
            "requests in flight must be at least 1, not " + inFlight);
      }
    }
  }

  /** How the requests of an open load are spread in time. */
  enum Arrivals {
    /** The same interval between any two. */
    CONSTANT,
    /** Exponentially distributed intervals, the same ones in every run. */
    POISSON
  }
}
