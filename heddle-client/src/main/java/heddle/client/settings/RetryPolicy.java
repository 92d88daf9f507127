package heddle.client.settings;

import heddle.http.Headers;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is sent again. Asked once for each attempt that failed, and for each
 * response, on the thread that makes the call; by many threads at the same time. Not asked after
 * 421 (Misdirected Request) on a connection of another origin ({@code coalesceOrigins}), after
 * which the client tries a connection to the request's own origin; nor when a shared connection
 * took no more requests just before the first byte was sent, up to five times in a row: then the
 * call asks the pool for another one. Whatever the policy decides, a request is never sent again
 *
 * <ul>
 *   <li>if its body is not {@linkplain heddle.http.Body#isReplayable() replayable},
 *   <li>if the call's deadline would pass before that,
 *   <li>if its route's {@link RetryBudget} is spent, unless it was not sent because a pooled
 *       connection was dead,
 *   <li>after the caller got the response or was interrupted, or the client was closed.
 * </ul>
 *
 * <p>An exception of a policy is logged, and counts as {@link Decision#stop}.
 */
@FunctionalInterface
public interface RetryPolicy {
  /** What to do after this attempt. */
  Decision decide(Attempt attempt);

  /** Whether to {@link #decide} on this status; by default 400 and above. Must be quick. */
  default boolean isAskedAbout(Status status) {
    return status.code() >= 400;
  }

  /**
   * Whether a request is sent again without its expectation after the server refused that with 417
   * before any content was sent (RFC 9110 section 10.1.1); true by default. Asked once per client.
   */
  default boolean repeatsWithoutExpectation() {
    return true;
  }

  /**
   * The default. Repeats a request of any method that was provably not processed (it was not sent,
   * its stream was refused, or a GOAWAY excluded it: RFC 9113 section 8.7), up to five times if the
   * server said so; and once if it is idempotent (RFC 9110 section 9.2.2) and was lost with a
   * reused connection. Over HTTP/1.1 that goes over a new connection, which no server closes
   * because it was idle.
   */
  static RetryPolicy provablySafe() {
    return SafeRetries.INSTANCE;
  }

  /**
   * Repeats nothing but what the client repeats by itself: without the expectation after 417, on a
   * connection to its own origin after 421, and on another connection when a shared one took no
   * more requests just before the first byte was sent.
   */
  static RetryPolicy never() {
    return new RetryPolicy() {
      @Override
      public Decision decide(Attempt attempt) {
        return Decision.stop();
      }

      @Override
      public boolean isAskedAbout(Status status) {
        return false;
      }
    };
  }

  /**
   * Also repeats idempotent requests after some statuses, such as 503. Waits a random part of a
   * time that doubles with each retry, or for a longer Retry-After (RFC 9110 section 10.2.3).
   *
   * <pre>{@code
   * RetryPolicy patient = RetryPolicy.onStatus().statuses(429, 503).times(2).build();
   * }</pre>
   */
  static Builder onStatus() {
    return new Builder();
  }

  /** What a policy decides. */
  sealed interface Decision {
    /** The call ends with the result of the attempt. */
    static Decision stop() {
      return Stop.INSTANCE;
    }

    /** The request is sent again at once. */
    static Decision repeat() {
      return Repeat.AT_ONCE;
    }

    /**
     * The request is sent again after a delay.
     *
     * @throws IllegalArgumentException if the delay is negative
     */
    static Decision repeatAfter(Duration delay) {
      return delay.isZero() ? Repeat.AT_ONCE : new Repeat(delay);
    }
  }

  /** The call ends with the result of the attempt. */
  enum Stop implements Decision {
    /** The only one. */
    INSTANCE
  }

  /**
   * The request is sent again.
   *
   * @param delay how long to wait before that; not negative
   */
  record Repeat(Duration delay) implements Decision {
    private static final Repeat AT_ONCE = new Repeat(Duration.ZERO);

    /** Checks that the delay is not negative. */
    public Repeat {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("delay must not be negative, but is " + delay);
      }
    }
  }

  /**
   * An attempt that is over, and what came before it.
   *
   * @param request what was sent
   * @param number 1 for the first
   * @param status of the response; null if the attempt failed
   * @param headers of the response; empty if the attempt failed
   * @param failure what the attempt failed with; null if there is a response
   * @param phase in which it ended
   * @param sent whether the request was sent in this attempt
   * @param notProcessed whether the request was certainly not processed: the server said so (RFC
   *     9113 section 8.7), or took no more requests before it was sent
   * @param refused whether the server said so
   * @param lost whether the attempt failed because the connection was lost
   * @param connectionReused whether the connection had served another call before
   * @param refusals how many attempts so far were certainly not processed, including this one
   * @param responses how many attempts so far brought a response, including this one
   * @param perhapsProcessed how many attempts before this one were sent at least in part, and
   *     brought neither a response nor a refusal
   * @param elapsed since the call began
   * @param random source of random delays, for use on this thread only
   */
  record Attempt(
      Request request,
      int number,
      @Nullable Status status,
      Headers headers,
      @Nullable IOException failure,
      Phase phase,
      Sent sent,
      boolean notProcessed,
      boolean refused,
      boolean lost,
      boolean connectionReused,
      int refusals,
      int responses,
      int perhapsProcessed,
      Duration elapsed,
      RandomGenerator random) {}

  /** Collects a policy {@link #onStatus}. Not safe for use by several threads. */
  final class Builder {
    private Set<Integer> statuses = Set.of(429, 502, 503, 504);
    private int times = 2;
    private Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private Duration maxDelay = Duration.ofSeconds(30);
    private boolean anyMethod;
    private InstantSource wallClock = InstantSource.system();

    private Builder() {}

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
    public Builder backoff(Duration base, Duration bound) {
      backoff = new Backoff(base, bound);
      return this;
    }

    /**
     * The longest delay, 30 s by default: if Retry-After asks for more, the response is returned.
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
     * processed them in part; by default only idempotent ones (RFC 9110 section 9.2.2).
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

    /** The policy, which is immutable. */
    public RetryPolicy build() {
      return new StatusRetries(statuses, times, backoff, maxDelay, anyMethod, wallClock);
    }
  }
}
