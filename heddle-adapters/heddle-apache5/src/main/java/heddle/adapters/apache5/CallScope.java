package heddle.adapters.apache5;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.spi.ExchangeListener;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.CallCancelledException;
import java.io.IOException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** The calls of one exchange, one after the other, which any thread may end. */
final class CallScope {
  private volatile boolean ended;
  private volatile @Nullable HttpCall call;

  /**
   * Makes the call on this thread.
   *
   * @throws SocketException if it was ended before there was a response
   */
  Response send(HttpClient client, Request request, ExchangeListener listener) throws IOException {
    HttpCall made = client.newCall(request, listener);
    call = made;
    if (ended) {
      throw ended(null);
    }
    try {
      Response response = made.execute();
      if (ended) {
        response.close();
        throw ended(null);
      }
      return response;
    } catch (CallCancelledException e) {
      throw ended(e);
    }
  }

  /** The exception for a thread whose call was ended, as of a socket that another thread closed. */
  static SocketException ended(@Nullable IOException because) {
    SocketException failure = new SocketException("Socket closed");
    if (because != null) {
      failure.initCause(because);
    }
    return failure;
  }

  boolean isEnded() {
    return ended;
  }

  /** Ends the call. From any thread; idempotent. */
  void end() {
    ended = true;
    HttpCall running = call;
    if (running != null) {
      running.cancel();
    }
  }
}
