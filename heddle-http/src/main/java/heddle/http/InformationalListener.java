package heddle.http;

/**
 * Receives the informational responses that come before the response to a request (RFC 9110
 * section 15.2), such as 103 (Early Hints) with the links that a page will need, or 100 (Continue).
 *
 * <p>It is called on the thread that makes the call, in the order in which they came, and before
 * the call returns its response or fails. So it may block, for as long as the call's deadline
 * allows: then it is interrupted. An exception that it throws ends the call, which throws it in
 * turn. If a request is sent again, it receives the informational responses of each attempt.
 */
@FunctionalInterface
public interface InformationalListener {
  /**
   * An informational response has come.
   *
   * @param status from 100 to 199, and never 101 (Switching Protocols), which is final
   * @param headers its fields, which may be none
   */
  void onInformational(Status status, Headers headers);
}
