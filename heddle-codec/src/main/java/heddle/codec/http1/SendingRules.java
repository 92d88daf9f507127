package heddle.codec.http1;

import static heddle.codec.http1.Http1Session.NO_BODY;
import static heddle.codec.http1.Http1Session.UNKNOWN;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.syntax.Octets;

/** How messages are framed when they are sent, RFC 9112 §6; checks their fields against it. */
final class SendingRules {
  private SendingRules() {}

  /**
   * The length that a request announces.
   *
   * @param contentLength of its body, {@code NO_BODY} or {@code UNKNOWN}
   */
  static long requestLength(Method method, Headers headers, long contentLength) {
    checkLength(contentLength);
    long given = givenLength(headers);
    long length = contentLength == NO_BODY && given == 0 ? 0 : contentLength;
    if (given >= 0 && given != length) {
      throw contradiction(given, contentLength);
    }
    checkGivenCoding(headers, length == UNKNOWN);
    if (method == Method.CONNECT && length != NO_BODY) {
      throw new IllegalArgumentException("CONNECT has no content (RFC 9110 §9.3.6)");
    }
    return length;
  }

  /** How the content of a response is framed. */
  static BodyFraming responseFraming(
      Status status, Headers headers, long contentLength, boolean isHead, boolean isOld) {
    if (status.code() == 204) {
      checkUnframed(status, headers);
      checkNoContent(status, contentLength);
      return BodyFraming.NONE;
    }
    if (status.code() == 205) {
      checkNoContent(status, contentLength); // RFC 9110 §15.3.6
    }
    boolean unknown = contentLength == UNKNOWN;
    boolean withoutContent = isHead || status.code() == 304;
    checkGivenCoding(headers, unknown || withoutContent);
    long given = givenLength(headers);
    if (withoutContent) {
      return BodyFraming.NONE;
    }
    if (given >= 0 && given != Math.max(contentLength, unknown ? -1 : 0)) {
      throw contradiction(given, contentLength);
    }
    // RFC 9112 §6.1: no Transfer-Encoding unless the client speaks HTTP/1.1.
    return unknown && isOld ? BodyFraming.UNTIL_CLOSE : framingOf(contentLength);
  }

  /** The framing of a response as it is written into its head. */
  static long responseLength(
      Status status, Headers headers, long contentLength, boolean isHead, boolean isOld) {
    if (status.code() == 204) {
      return NO_BODY; // RFC 9110 §8.6, RFC 9112 §6.1
    }
    if (isHead || status.code() == 304) {
      // RFC 9110 §8.6: only the length that a 200 to GET would have; an empty body is no evidence.
      long given = givenLength(headers);
      return given >= 0 ? given : contentLength > 0 ? contentLength : NO_BODY;
    }
    if (contentLength != UNKNOWN) {
      return Math.max(0, contentLength);
    }
    return isOld ? NO_BODY : UNKNOWN;
  }

  /** The Connection field line that a response still needs, or nothing. */
  static String connectionLine(Headers headers, boolean closing, boolean isOld) {
    if (closing) {
      return headers.containsToken(HeaderName.CONNECTION, "close") ? "" : "Connection: close\r\n";
    }
    return isOld && !headers.containsToken(HeaderName.CONNECTION, "keep-alive")
        ? "Connection: keep-alive\r\n"
        : "";
  }

  static BodyFraming framingOf(long length) {
    if (length == UNKNOWN) {
      return BodyFraming.CHUNKED;
    }
    return length > 0 ? BodyFraming.CONTENT_LENGTH : BodyFraming.NONE;
  }

  static void checkLength(long contentLength) {
    if (contentLength < NO_BODY) {
      throw new IllegalArgumentException(
          "contentLength is " + contentLength + ": give NO_BODY, UNKNOWN or 0 and more");
    }
  }

  static void checkNoContent(Status status, long contentLength) {
    if (contentLength > 0 || contentLength == UNKNOWN) {
      throw new IllegalArgumentException(
          "a response of status " + status.code() + " has no content: leave its body empty");
    }
  }

  /** RFC 9112 §6.1 and RFC 9110 §8.6: neither field in 1xx, 204 or a 2xx to CONNECT. */
  static void checkUnframed(Status status, Headers headers) {
    if (headers.contains(HeaderName.CONTENT_LENGTH)
        || headers.contains(HeaderName.TRANSFER_ENCODING)) {
      throw new IllegalArgumentException("a response of status " + status.code()
          + " has neither Content-Length nor Transfer-Encoding: remove them");
    }
  }

  /** The Content-Length among the fields, or -1. */
  private static long givenLength(Headers headers) {
    int at = headers.indexOf(HeaderName.CONTENT_LENGTH, 0);
    if (at < 0) {
      return -1;
    }
    if (headers.indexOf(HeaderName.CONTENT_LENGTH, at + 1) >= 0) {
      throw new IllegalArgumentException("Content-Length is given twice: leave it to the body");
    }
    byte[] value = new byte[headers.valueLength(at)];
    headers.copyValue(at, value, 0);
    long length = Octets.decimal(value, 0, value.length);
    if (length < 0) {
      throw new IllegalArgumentException("Content-Length " + Octets.quote(value, 0, value.length)
          + " is no number from 0 to 2^63-1");
    }
    return length;
  }

  private static void checkGivenCoding(Headers headers, boolean mayBeChunked) {
    int seen = 0;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i) == HeaderName.TRANSFER_ENCODING
          && (!mayBeChunked || ++seen > 1 || !headers.valueEqualsIgnoreCase(i, "chunked"))) {
        throw new IllegalArgumentException("Transfer-Encoding " + headers.value(i)
            + " contradicts how the body is sent: leave the field out");
      }
    }
    if (seen > 0 && headers.contains(HeaderName.CONTENT_LENGTH)) {
      throw new IllegalArgumentException(
          "both Transfer-Encoding and Content-Length are given: leave both to the body");
    }
  }

  private static IllegalArgumentException contradiction(long given, long contentLength) {
    String body = contentLength >= 0
        ? contentLength + " bytes"
        : contentLength == UNKNOWN ? "of unknown length" : "absent";
    return new IllegalArgumentException(
        "Content-Length is " + given + " but the body is " + body + ": leave the field out");
  }
}
