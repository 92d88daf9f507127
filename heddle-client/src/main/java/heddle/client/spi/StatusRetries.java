package heddle.client.spi;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats idempotent requests after certain statuses, and those that {@link
 * RetryPolicy#provablySafe} repeats. Waits a random part of a time that doubles with each retry, or
 * as long as the response's Retry-After says if that is longer (RFC 9110 section 10.2.3).
 * Immutable.
 *
 * <pre>{@code
 * RetryPolicy patient = RetryPolicy.onStatus().statuses(429, 503).times(2).build();
 * }</pre>
 */
public final class StatusRetries implements RetryPolicy {
  private final Set<Integer> statuses;
  private final int times;
  private final Backoff backoff;
  private final Duration maxDelay;
  private final boolean anyMethod;
  private final InstantSource wallClock;

  private StatusRetries(Builder builder) {
    statuses = builder.statuses;
    times = builder.times;
    backoff = new Backoff(builder.base, builder.most);
    maxDelay = builder.maxDelay;
    anyMethod = builder.anyMethod;
    wallClock = builder.wallClock;
  }

  @Override
  public boolean isAskedAbout(Status status) {
    return statuses.contains(status.code());
  }

  @Override
  public Decision decide(Attempt attempt) {
    Status status = attempt.status();
    if (status == null) {
      return RetryPolicy.provablySafe().decide(attempt);
    }
    boolean mayRepeat = anyMethod || attempt.request().method().isIdempotent();
    if (!statuses.contains(status.code()) || !mayRepeat || attempt.responses() > times) {
      return Decision.stop();
    }
    Duration told = retryAfter(attempt.headers());
    Duration delay = backoff.delay(attempt.responses(), attempt.random());
    if (told != null && told.compareTo(delay) > 0) {
      delay = told;
    }
    return delay.compareTo(maxDelay) > 0 ? Decision.stop() : Decision.repeatAfter(delay);
  }

  /** The delay of Retry-After; null if the field is missing or malformed. */
  private @Nullable Duration retryAfter(Headers headers) {
    String value = headers.first(HeaderName.RETRY_AFTER);
    if (value == null) {
      return null;
    }
    String text = value.strip();
    boolean seconds = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (seconds) {
      // A number of more than 9 digits exceeds any useful delay.
      return Duration.ofSeconds(text.length() > 9 ? 999_999_999 : Long.parseLong(text));
    }
    Instant now = wallClock.instant();
    Instant date = HttpDate.parse(text, now);
    if (date == null) {
      return null;
    }
    Duration left = Duration.between(now, date);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Collects a policy. Not safe for use by several threads. */
  public static final class Builder {
    private Set<Integer> statuses = Set.of(429, 502, 503, 504);
    private int times = 2;
    private Duration base = Duration.ofMillis(100);
    private Duration most = Duration.ofSeconds(5);
    private Duration maxDelay = Duration.ofSeconds(30);
    private boolean anyMethod;
    private InstantSource wallClock = InstantSource.system();

    Builder() {}

    /**
     * The statuses after which a request is repeated; 429, 502, 503 and 504 by default.
     *
     * @throws IllegalArgumentException if there is none, or one is not 400 to 599
     */
    public Builder statuses(int... codes) {
      Set<Integer> given = IntStream.of(codes).boxed().collect(Collectors.toUnmodifiableSet());
      for (int code : given) {
        if (code < 400 || code > 599) {
          throw new IllegalArgumentException(
              "a request is repeated after a status of 400 to 599, not after " + code);
        }
      }
      if (given.isEmpty()) {
        throw new IllegalArgumentException("statuses must name at least one status");
      }
      statuses = given;
      return this;
    }

    /**
     * How often a call repeats its request because of a status; twice by default.
     *
     * @param repetitions 1 to 100
     * @throws IllegalArgumentException if it is out of this range
     */
    public Builder times(int repetitions) {
      if (repetitions < 1 || repetitions > 100) {
        throw new IllegalArgumentException("times must be 1 to 100, not " + repetitions);
      }
      times = repetitions;
      return this;
    }

    /**
     * How long to wait if the server does not say: a random part of a time that begins with a base
     * (100 ms by default) and doubles up to a bound (5 s).
     *
     * @throws IllegalArgumentException if the base is not positive or above the bound
     */
    public Builder backoff(Duration newBase, Duration bound) {
      Backoff checked = new Backoff(newBase, bound);
      base = checked.base();
      most = checked.most();
      return this;
    }

    /**
     * The longest delay; 30 s by default. If Retry-After asks for more, the call ends with the
     * response.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxDelay(Duration bound) {
      if (!bound.isPositive()) {
        throw new IllegalArgumentException("maxDelay must be positive, but was " + bound);
      }
      maxDelay = bound;
      return this;
    }

    /**
     * Repeats requests of any method, although a server that answers with an error may have
     * processed them in part. By default only idempotent ones are repeated (RFC 9110 section
     * 9.2.2).
     */
    public Builder anyMethod() {
      anyMethod = true;
      return this;
    }

    /** The clock for a Retry-After that names a date; the system's by default. */
    public Builder wallClock(InstantSource source) {
      wallClock = source;
      return this;
    }

    public StatusRetries build() {
      return new StatusRetries(this);
    }
  }
}
