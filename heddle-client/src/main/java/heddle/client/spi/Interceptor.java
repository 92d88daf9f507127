package heddle.client.spi;

import heddle.http.FailurePoint;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A step of a call, between whoever sends a request and the connections: it may change the request,
 * answer it without asking further, send it several times, or change the response. Runs on the
 * caller's thread and may block it. Safe for use by many threads, as one interceptor serves all
 * calls of a client.
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
   * Makes a call, as a rule by {@linkplain Chain#proceed proceeding}. What is thrown reaches the
   * caller as it is; a response that is still open then is closed.
   *
   * @return a response whose body has not been read; its reader closes it
   * @throws IOException when the call fails; as a rule what proceeding has thrown
   */
  Response intercept(Request request, Chain chain) throws IOException;

  /** The rest of a call; valid until {@link #intercept} returns. Not for use by other threads. */
  interface Chain {
    /**
     * Makes the rest of the call, within what is left of its deadline; a request that was given
     * another deadline than the call's is held to that as well, from now on. May be called again
     * once the response before was read to its end or closed, with a request whose body {@linkplain
     * heddle.http.Body#isReplayable can be produced again}.
     *
     * @throws heddle.http.HttpException when the call fails
     * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
     * @throws IllegalStateException when the response before is still open, the body was sent
     *     already and cannot be produced again, {@link #intercept} has returned, or the thread is
     *     not the call's
     */
    Response proceed(Request request) throws IOException;

    /**
     * How far the call has come, for an exception of a step's own: the request that was sent last,
     * whether any was, and the time since the call began. Null where there is no call, as in a test
     * of a step alone.
     */
    default @Nullable FailurePoint point() {
      return null;
    }
  }
}
