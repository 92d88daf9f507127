package heddle.adapters.jdk;

import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.MalformedMessageException;

/**
 * The messages of the JDK's client, which callers check. They are prepended to Heddle's messages,
 * which say more.
 */
final class Words {
  /** By the error codes of RFC 9113 section 7. Unknown codes are reported as INTERNAL_ERROR. */
  private static final String[] OF_RESETS = {
    "Not an error",
    "Protocol error",
    "Internal error",
    "Flow control error",
    "Settings timeout",
    "Stream is closed",
    "Frame size error",
    "Stream not processed",
    "Stream cancelled",
    "Compression state not updated",
    "TCP Connection error on CONNECT",
    "Processing capacity exceeded",
    "Negotiated TLS parameters not acceptable",
    "Use HTTP/1.1 for request",
  };

  private static final String MALFORMED = "malformed response: ";

  private Words() {}

  /** Such as {@code Received RST_STREAM: Stream cancelled}. */
  static String ofReset(int code) {
    return "Received RST_STREAM: " + OF_RESETS[code];
  }

  /** Returns an empty string if the JDK's client has no message for it. */
  static String ofLoss(ConnectionLostException lost, boolean overHttp2) {
    String message = lost.getMessage();
    // An HTTP/2 session names the server, an HTTP/1.1 session the peer.
    if (overHttp2 || message.contains("the server closed the connection")) {
      return message.contains("the server closed") ? "EOF reached while reading: " : "";
    }
    if (Failures.isWithoutResponse(lost)) {
      return "HTTP/1.1 header parser received no bytes: ";
    }
    if (message.contains(" bytes of chunked content")) {
      return "chunked transfer encoding: ";
    }
    return message.contains(" bytes of content") ? "fixed content-length: " : "";
  }

  /** Returns an empty string if the JDK's client has no message for it. */
  static String ofMalformed(MalformedMessageException malformed) {
    String message = malformed.getMessage();
    if (!message.contains(" is not valid HTTP/2: ")) {
      return "";
    }
    if (message.contains("is no known pseudo-header field")) {
      return MALFORMED + "Unknown pseudo-header: ";
    }
    if (message.contains("a pseudo-header field other than :status")) {
      return MALFORMED + "Pseudo-header is not valid in context RESPONSE: ";
    }
    if (message.contains("a response without :status")) {
      // One that comes behind a field is none.
      return MALFORMED + "Unexpected pseudo-header, or no status code in response: ";
    }
    if (message.contains("may not stand in a message of HTTP/2")) {
      return MALFORMED + "Prohibited header name: ";
    }
    boolean isBadField = message.contains(" may not stand in ")
        || message.contains(" of a field name ")
        || message.contains(" begins or ends with white space");
    return isBadField ? MALFORMED + "Bad header: " : "protocol error: ";
  }
}
