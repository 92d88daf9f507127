package heddle.adapters.support;

import heddle.client.HttpClient;
import heddle.client.call.Timeouts;
import heddle.client.pool.PoolLimits;
import java.time.Duration;

/** Clients for libraries that bound the time of connecting and reading, and nothing else. */
public final class Clients {
  /** No limit: 100 years, which a clock in nanoseconds can still hold. */
  public static final Duration FOREVER = Duration.ofDays(36_500);

  /** The bounds of a machine: a caller who comes up to them waits. */
  private static final PoolLimits LIMITS = PoolLimits.builder()
      .maxTotal(10_000)
      .maxPerRoute(5_000)
      .maxQueuedPerRoute(100_000)
      .maxInFlightPerRoute(100_000)
      .build();

  private Clients() {}

  /**
   * A builder of a client whose calls may take as long as they go on.
   *
   * @param connect the most time for opening a connection, and for its TLS handshake; zero for any
   * @param read how long a server may be silent while a response is awaited or read; zero for ever
   * @throws IllegalArgumentException if one of them is negative; the message names it
   */
  public static HttpClient.Builder builder(Duration connect, Duration read) {
    return HttpClient.builder().poolLimits(LIMITS).timeouts(timeouts(connect, read));
  }

  /** The timeouts of such a client. */
  public static Timeouts timeouts(Duration connect, Duration read) {
    Duration connecting = bounded(connect, "connect timeout");
    return Timeouts.DEFAULTS
        .withCall(FOREVER)
        .withConnect(connecting)
        .withTls(connecting)
        .withSilence(bounded(read, "read timeout"));
  }

  private static Duration bounded(Duration timeout, String name) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("the " + name + " cannot be honoured: it is negative, "
          + timeout + "; give more than zero, or zero for no limit");
    }
    return timeout.isZero() || timeout.compareTo(FOREVER) > 0 ? FOREVER : timeout;
  }
}
