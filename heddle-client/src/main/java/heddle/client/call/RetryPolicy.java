package heddle.client.call;

import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import java.io.IOException;

/**
 * When a request may be sent a second time without asking. A server may close an idle connection at
 * any time, also at the moment when it is used again (RFC 9112 §9.3.1): then the request is
 * repeated on another connection, if its body can be produced again: as often as needed while
 * nothing of it was sent, and once after that if its method is idempotent.
 */
final class RetryPolicy {
  private RetryPolicy() {}

  static boolean mayRepeat(Request request, boolean connectionReused, IOException failure) {
    if (!connectionReused || !(failure instanceof ConnectionLostException lost)) {
      return false;
    }
    FailurePoint at = lost.at();
    if (at == null || at.phase() == Phase.READ_BODY || !request.body().isReplayable()) {
      return false;
    }
    return at.sent() == Sent.NO || request.method().isIdempotent();
  }
}
