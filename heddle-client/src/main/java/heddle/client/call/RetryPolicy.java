package heddle.client.call;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import java.io.IOException;

/**
 * When a request may be sent again without asking, if its body can be produced again. For one call;
 * it remembers what was repeated already.
 *
 * <ul>
 *   <li>A server may close an idle connection at any time, also at the moment when it is used again
 *       (RFC 9112 §9.3.1): then the request is repeated on another connection, as often as needed
 *       while nothing of it was sent, and once after that if its method is idempotent.
 *   <li>A server that shares a connection among requests may refuse one, or go away before it
 *       (RFC 9113 §8.7): that is repeated whatever its method, a few times.
 * </ul>
 */
final class RetryPolicy {
  /** How often a request that was not processed is repeated before the call fails. */
  static final int MAX_REFUSALS = 5;

  private final Request request;
  private boolean sentBefore;
  private int refusals;

  RetryPolicy(Request request) {
    this.request = request;
  }

  /** Whether the server wants the request over HTTP/1.1 (RFC 9113 §7) and can have it so. */
  boolean wantsHttp11(IOException failure) {
    return failure instanceof StreamResetException reset
        && reset.requiresHttp11()
        && isRepeatable(reset);
  }

  /**
   * Whether to send the request again after this failure; counts it if so.
   *
   * @param connectionReused whether the connection had served another request before
   */
  boolean mayRepeat(boolean connectionReused, IOException failure) {
    return switch (failure) {
      case RequestNotProcessedException refused ->
        isRepeatable(refused) && ++refusals <= MAX_REFUSALS;
      case ConnectionLostException lost ->
        connectionReused && isRepeatable(lost) && mayRepeatLost(lost);
      default -> false;
    };
  }

  private boolean isRepeatable(HttpException failure) {
    FailurePoint at = failure.at();
    return at != null && at.phase() != Phase.READ_BODY && request.body().isReplayable();
  }

  private boolean mayRepeatLost(ConnectionLostException lost) {
    FailurePoint at = lost.at();
    if (at == null || at.sent() == Sent.NO) {
      // Only what was sent counts: a pool full of dead connections must not fail a call.
      return at != null;
    }
    boolean allowed = request.method().isIdempotent() && !sentBefore;
    sentBefore = true;
    return allowed;
  }
}
