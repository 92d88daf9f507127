package heddle.client.spi;

import heddle.http.FailurePoint;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A step of a call, between the caller and the connections: it may change the request, return a
 * response without sending it, send it several times, or change the response. Runs on the thread
 * that makes the call, which it may block, for all calls of a client: by many threads at once.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder()
 *     .interceptor((request, chain) ->
 *         chain.proceed(request.toBuilder().header("X-Tenant", tenant).build()))
 *     .build();
 * }</pre>
 */
@FunctionalInterface
public interface Interceptor {
  /**
   * Makes a call, usually by {@linkplain Chain#proceed proceeding}. The caller gets what this
   * throws; a response that is still open then is closed.
   *
   * @return a response whose body has not been read; its reader closes it
   * @throws IOException if the call fails; usually what {@link Chain#proceed} has thrown
   */
  Response intercept(Request request, Chain chain) throws IOException;

  /**
   * Whether this step stands next to the connections, inside the client's own steps, wherever it
   * was added: it gets each request as it would be sent, also those that follow redirects and
   * challenges, and returns responses whose content is still coded. For steps that replace the
   * network, as in tests. False by default; asked once, when a client is built.
   */
  default boolean isInnermost() {
    return false;
  }

  /**
   * When a request is sent again while it waits for its response.
   *
   * @param after how long there is no response before each hedge is sent; zero or more
   * @param most how many hedges there are in all; at least 1
   * @param usable whether a response is returned at once, rather than only if no other attempt
   *     brings a better one; asked on the thread that makes the call
   */
  record Hedges(Duration after, int most, Predicate<? super Response> usable) {
    /** Checks the numbers. */
    public Hedges {
      if (after.isNegative()) {
        throw new IllegalArgumentException("after must not be negative, but was " + after);
      }
      if (most < 1) {
        throw new IllegalArgumentException("most must be at least 1, but was " + most);
      }
    }
  }

  /**
   * The rest of a call; valid until {@link #intercept} returns. Not for use by other threads,
   * except {@link #callSeparately}.
   */
  interface Chain {
    /**
     * Makes the rest of the call within its deadline, and that of the request from now on. May be
     * called again once the previous response was read to its end or closed, with a request whose
     * body is {@linkplain heddle.http.Body#isReplayable replayable}.
     *
     * @throws heddle.http.HttpException if the call fails
     * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
     * @throws IllegalStateException if the previous response is still open, the body was sent and
     *     is not replayable, {@link #intercept} has returned, or the thread is not the call's
     */
    Response proceed(Request request) throws IOException;

    /**
     * Makes the rest of the chain as another call, which this one does not wait for: for example to
     * bring a cache up to date once the caller has been answered. That call has its own deadline,
     * the request's or the client's, and listeners see it as a call. May be made by any thread, and
     * after {@link #intercept} has returned.
     *
     * @throws heddle.http.HttpException if that call fails
     * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
     * @throws UnsupportedOperationException if there is no client, as in a unit test
     */
    default Response callSeparately(Request request) throws IOException {
      throw new UnsupportedOperationException("this chain belongs to no client");
    }

    /**
     * Makes the rest of the call as {@link #proceed(Request)} does, and makes it again, as a hedge,
     * each time that a while has passed without a response. Returns the first usable response and
     * cancels the others: their streams are reset, or their connections closed over HTTP/1.1. If
     * none is usable, the result is that of the first attempt.
     *
     * <p>The rest of the chain runs on other threads then, for several attempts at the same time,
     * each with its own redirects. A hedge is a call to listeners ({@link CallInfo#hedgeOf}); it
     * ends by the deadline of this call. It is sent only if the {@linkplain
     * heddle.client.settings.RetryBudget retry budget} of the request's route has room for it. A
     * request whose body is not replayable is not hedged.
     *
     * @throws IOException as {@link #proceed(Request)} does
     * @throws IllegalStateException as {@link #proceed(Request)} does
     */
    default Response proceed(Request request, Hedges hedges) throws IOException {
      return proceed(request);
    }

    /** By when the call must have its response, on the scale of the {@link #clock}. */
    default Deadline deadline() {
      return Deadline.never();
    }

    /** The clock of the client: the machine's, unless its network has another. */
    default Clock clock() {
      return Clock.system();
    }

    /**
     * Waits before proceeding, as a step does that limits or repeats requests. Counts as {@link
     * heddle.http.Phase#BACKOFF}.
     *
     * @param time not negative
     * @throws heddle.http.failure.DeadlineExceededException when the {@link #deadline} passes first
     * @throws heddle.http.failure.ClientClosedException when the client is closed meanwhile
     * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
     * @throws UnsupportedOperationException if there is no call, as in a unit test
     */
    default void pause(Duration time) throws IOException {
      throw new UnsupportedOperationException("only the chain of a client's call can wait");
    }

    /**
     * How far the call has come, for an exception that a step throws: the last request, whether any
     * was sent, and the time since the call began. Null if there is no call, as in a unit test.
     */
    default @Nullable FailurePoint point() {
      return null;
    }
  }
}
