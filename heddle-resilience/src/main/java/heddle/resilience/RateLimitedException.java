package heddle.resilience;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link RateLimit} allowed no call in time, so that nothing was sent. */
public final class RateLimitedException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** After how long the limit would have allowed the call. */
  private final Duration allowedAfter;

  RateLimitedException(String message, Duration allowedAfter, @Nullable FailurePoint at) {
    super(message, at, null);
    this.allowedAfter = allowedAfter;
  }

  /** After how long the limit would have allowed the call. */
  public Duration allowedAfter() {
    return allowedAfter;
  }
}
