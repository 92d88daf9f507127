package heddle.connection;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the content of one response arrives as fast as its call requires. Used by the
 * connection's timer, on the loop.
 */
public final class SlowResponse {
  private final MinimumRate rate;
  private MinimumRate.@Nullable Progress progress;

  /** The content arrives more slowly than required. */
  public static final class TooSlowException extends IOException {
    private static final long serialVersionUID = 1L;

    TooSlowException(MinimumRate rate) {
      super("the content of the response came more slowly than " + rate);
    }
  }

  private SlowResponse(MinimumRate rate) {
    this.rate = rate;
  }

  /** For an exchange; null if it requires no rate. */
  public static @Nullable SlowResponse of(Exchange exchange) {
    MinimumRate rate = exchange.minRate();
    return rate.isOn() ? new SlowResponse(rate) : null;
  }

  /** When to check again. */
  public long nextLook(long nowNanos) {
    MinimumRate.Progress begun = progress;
    return begun == null ? nowNanos + rate.graceNanos() : begun.dueAt();
  }

  /**
   * Checks a response whose head has arrived.
   *
   * @param received how many bytes of its content have arrived in total
   * @param ours whether our side has kept the peer waiting since the last check
   * @return the exception to fail with; null if it is fast enough
   */
  public @Nullable IOException look(long nowNanos, long received, boolean ours) {
    MinimumRate.Progress begun = progress;
    if (begun == null) {
      begun = new MinimumRate.Progress(rate, nowNanos);
      progress = begun;
    }
    begun.look(nowNanos, received, ours);
    return begun.isTooSlow() ? new TooSlowException(rate) : null;
  }
}
