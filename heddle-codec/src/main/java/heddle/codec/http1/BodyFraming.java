package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.Method;
import heddle.http.Status;

/** How the end of a message's content is marked, RFC 9112 §6.3. */
enum BodyFraming {
  /** There is no content. */
  NONE,
  /** As many bytes as Content-Length says, at least one. */
  CONTENT_LENGTH,
  /** The chunked coding. */
  CHUNKED,
  /** All that comes before the connection is closed. */
  UNTIL_CLOSE;

  /** How a request is framed (the numbers are those of RFC 9112 §6.3). */
  static BodyFraming ofRequest(Method method, FieldRules rules) throws ProtocolException {
    BodyFraming framing = rules.chunked
        ? CHUNKED // 4
        : rules.contentLength > 0 ? CONTENT_LENGTH : NONE; // 6 and 7
    if (method == Method.CONNECT && framing != NONE) {
      // RFC 9110 §9.3.6: CONNECT has no content; what follows would be taken for the tunnel's.
      throw Violation.UNEXPECTED_CONTENT.because("CONNECT has no content");
    }
    return framing;
  }

  /** RFC 9112 §6.3 (1): whether fields say how the response to {@code method} is framed. */
  static boolean mayHaveContent(Method method, Status status) {
    return method != Method.HEAD && status.mayHaveContent();
  }

  /** How the response to {@code method} is framed; a 2xx to CONNECT has been dealt with. */
  static BodyFraming ofResponse(Method method, Status status, FieldRules rules) {
    if (!mayHaveContent(method, status)) {
      return NONE; // 1
    }
    if (rules.chunked) {
      return CHUNKED; // 4
    }
    if (rules.contentLength == FieldRules.NONE) {
      return UNTIL_CLOSE; // 8
    }
    return rules.contentLength > 0 ? CONTENT_LENGTH : NONE; // 6
  }

  /** Whether the connection is a tunnel after this response, RFC 9110 §9.3.6. */
  static boolean opensTunnel(Method method, Status status) {
    return method == Method.CONNECT && status.isSuccess();
  }
}
