package heddle.client.spi;

import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;

/**
 * A step of a call, between whoever sends a request and the connections: it may change the request,
 * answer it without asking further, send it several times, or change the response. Runs on the
 * caller's thread and may block it. Safe for use by many threads, as one interceptor serves all
 * calls of a client.
 */
@FunctionalInterface
public interface Interceptor {
  /**
   * Makes a call, as a rule by {@linkplain Chain#proceed proceeding}.
   *
   * @return a response whose body has not been read; its reader closes it
   * @throws IOException when the call fails; as a rule what proceeding has thrown
   */
  Response intercept(Request request, Chain chain) throws IOException;

  /** The rest of a call; valid until {@link #intercept} returns. Not for use by other threads. */
  interface Chain {
    /**
     * Makes the rest of the call, within what is left of its deadline. May be called again once the
     * response before was closed, with a request whose body {@linkplain
     * heddle.http.Body#isReplayable can be produced again}.
     *
     * @throws heddle.http.HttpException when the call fails
     * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
     */
    Response proceed(Request request) throws IOException;
  }
}
