package heddle.adapters.jdk;

import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
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

  /** The version of HTTP on a connection. */
  enum Spoken {
    HTTP_1_1,
    HTTP_2,
    /** HTTP/2 if the server has accepted the offer of h2c, otherwise HTTP/1.1. */
    EITHER
  }

  private Words() {}

  /** Such as {@code Received RST_STREAM: Stream cancelled}. */
  static String ofReset(int code) {
    return "Received RST_STREAM: " + OF_RESETS[code];
  }

  /** Returns an empty string if the JDK's client has no message for it. */
  static String ofLoss(ConnectionLostException lost, Spoken spoken) {
    Progress progress = lost.progress();
    // Of HTTP/1.1, a server that closes in order ends content without a length as it should.
    boolean http2 = lost.isOfHttp2() || spoken == Spoken.HTTP_2;
    boolean atEnd = http2 || spoken != Spoken.HTTP_1_1 || progress == Progress.CONTENT;
    String end = atEnd && lost.closedBy() == Side.PEER ? "EOF reached while reading: " : "";
    if (http2) {
      return end;
    }
    return switch (progress) {
      case NOTHING -> end + "HTTP/1.1 header parser received no bytes: ";
      case SIZED_CONTENT -> "fixed content-length: ";
      case CHUNKS -> "chunked transfer encoding: ";
      case HEAD, CONTENT -> end;
    };
  }

  /** Returns an empty string if the JDK's client has no message for it. */
  static String ofMalformed(MalformedMessageException malformed) {
    if (!malformed.isOfHttp2()) {
      return "";
    }
    return switch (malformed.kind()) {
      case UNKNOWN_PSEUDO_FIELD -> MALFORMED + "Unknown pseudo-header: ";
      case MISPLACED_PSEUDO_FIELD -> MALFORMED + "Pseudo-header is not valid in context RESPONSE: ";
      // One that comes behind a field is none.
      case MISSING_STATUS ->
        MALFORMED + "Unexpected pseudo-header, or no status code in response: ";
      case PROHIBITED_FIELD -> MALFORMED + "Prohibited header name: ";
      case BAD_FIELD -> MALFORMED + "Bad header: ";
      case START_LINE, FRAMING, CODING, LIMIT, OTHER -> "protocol error: ";
    };
  }
}
