package heddle.connection;

import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.transport.Deadline;
import java.io.IOException;

/**
 * One request and its response, as the call that owns it sees them. A connection asks it for the
 * limits and tells it how far it has come.
 */
public interface Exchange {
  /** By when the last byte of the response's body must have been read. */
  Deadline deadline();

  /** How long the peer may be silent while a head or a body is awaited, in nanoseconds. */
  long maxSilenceNanos();

  /** A phase begins. */
  void enter(Phase phase);

  /** What is known now about whether the peer got the request. */
  void sent(Sent sent);

  /** How far the call is, for an exception. */
  FailurePoint point();

  /** What the call is to throw for a cause, with the {@linkplain #point point} it has come to. */
  default IOException explain(Exception cause) {
    return Failures.explain(cause, point());
  }

  /**
   * The exchange is over. Called exactly once for each connection that the exchange was sent on.
   *
   * @param reusable whether the connection can carry another one
   */
  void ended(boolean reusable);
}
