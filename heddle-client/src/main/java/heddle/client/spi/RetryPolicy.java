package heddle.client.spi;

import heddle.http.Headers;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is sent again. Asked once for each attempt that failed, and for each
 * response, on the thread that makes the call; by many threads at the same time. Not asked after
 * 421 (Misdirected Request) on a connection of another origin ({@code coalesceOrigins}), when the
 * request is sent again on one of its own. Whatever it
 * answers, a request is never sent again
 *
 * <ul>
 *   <li>if its body cannot be {@linkplain heddle.http.Body#isReplayable() produced again},
 *   <li>if the call's deadline would pass before it is,
 *   <li>if its route's {@link RetryBudget} is spent, unless it did not even leave because a
 *       connection of the pool turned out dead,
 *   <li>once its caller has its response, was interrupted, or the client was closed.
 * </ul>
 *
 * <p>A policy that throws decides for {@link Decision#stop}; that is logged.
 */
@FunctionalInterface
public interface RetryPolicy {
  /** What to do after this attempt. */
  Decision decide(Attempt attempt);

  /**
   * Whether {@link #decide} wants to see a response with this status; by default those of 400 and
   * above. Quick, for it is asked for each response.
   */
  default boolean isAskedAbout(Status status) {
    return status.code() >= 400;
  }

  /**
   * Whether a request is sent again without its expectation when that was refused with 417
   * (Expectation Failed) before any of its content was sent, as RFC 9110 section 10.1.1 advises;
   * otherwise 417 is the response. It is, by default. Asked once, when a client is built.
   */
  default boolean repeatsWithoutExpectation() {
    return true;
  }

  /**
   * The default: a request that was provably not processed is repeated whatever its method is (it
   * was not sent; its stream was refused; its server went away before it: RFC 9113 section 8.7), up
   * to five times where the server said so. An idempotent one is repeated once if it was lost with
   * a connection that was used before (RFC 9110 section 9.2.2). Nothing else.
   */
  static RetryPolicy provablySafe() {
    return SafeRetries.INSTANCE;
  }

  /**
   * Requests are never repeated, but where nothing of them was processed for a reason of HTTP's
   * own: without the expectation after 417, and on a connection of their own origin after 421.
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

  /** Repeats after some statuses too, such as 503. */
  static StatusRetries.Builder onStatus() {
    return new StatusRetries.Builder();
  }

  /** What a policy decides. */
  sealed interface Decision {
    /** The call ends with what the attempt brought. */
    static Decision stop() {
      return Stop.INSTANCE;
    }

    /** The request is sent again at once. */
    static Decision repeat() {
      return Repeat.AT_ONCE;
    }

    /**
     * The request is sent again after a time.
     *
     * @throws IllegalArgumentException if the delay is negative
     */
    static Decision repeatAfter(Duration delay) {
      return delay.isZero() ? Repeat.AT_ONCE : new Repeat(delay);
    }
  }

  /** The call ends with what the attempt brought. */
  enum Stop implements Decision {
    INSTANCE
  }

  /**
   * The request is sent again.
   *
   * @param delay how long to wait before; not negative
   */
  record Repeat(Duration delay) implements Decision {
    private static final Repeat AT_ONCE = new Repeat(Duration.ZERO);

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
   * @param status of the response; null where the attempt failed
   * @param headers of the response; empty where the attempt failed
   * @param failure what the attempt failed with; null where there is a response
   * @param phase in which it ended
   * @param sent whether the request was sent in this attempt
   * @param notProcessed whether the request was certainly not processed, though its connection may
   *     go on: the server said so (RFC 9113 section 8.7), or took no more when it was to be sent
   * @param refused whether the server said so
   * @param lost whether the connection was lost, rather than anything else gone wrong
   * @param connectionReused whether the connection had served another call before, so that its
   *     server may have given it up
   * @param refusals how many attempts so far were certainly not processed, this one among them
   * @param responses how many attempts so far brought a response, this one among them
   * @param perhapsProcessed how many attempts before this one may have been processed, because they
   *     were sent at least in part, and brought neither a response nor a refusal
   * @param elapsed since the call began
   * @param random what to draw delays from, on this thread alone: in a simulated world it follows
   *     from the world's seed
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
}
