package heddle.client.spi;

import heddle.http.FailurePoint;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
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
     * How far the call has come, for an exception that a step throws: the last request, whether any
     * was sent, and the time since the call began. Null if there is no call, as in a unit test.
     */
    default @Nullable FailurePoint point() {
      return null;
    }
  }
}
