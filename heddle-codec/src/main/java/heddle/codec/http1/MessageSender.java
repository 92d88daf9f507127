package heddle.codec.http1;

import heddle.codec.TrailerRules;
import heddle.codec.http1.Http1State.Sending;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.syntax.Octets;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The sending half of a session. Used by one thread at a time. */
final class MessageSender {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final ByteBuffer[] NO_BUFFERS = {};
  private static final byte[] CRLF = {'\r', '\n'};
  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

  private Sending state = Sending.IDLE;
  private BodyFraming framing = BodyFraming.NONE;
  private boolean dropsTrailers; // they may be given though the message cannot carry them
  private boolean closes;
  private boolean upgradeOffered;
  private long announced; // bytes, by Content-Length
  private long remaining; // of those

  Sending state() {
    return state;
  }

  boolean closes() {
    return closes;
  }

  boolean upgradeOffered() {
    return upgradeOffered;
  }

  void nextMessage() {
    state = state.to(Sending.IDLE);
    framing = BodyFraming.NONE;
    upgradeOffered = false;
    dropsTrailers = false;
    announced = 0;
    remaining = 0;
  }

  // ---- heads

  ByteBuffer requestHead(
      Method method, String target, String host, Headers headers, long contentLength) {
    checkIdle();
    checkLength(contentLength);
    long given = givenLength(headers);
    long length = contentLength == Http1Session.NO_BODY && given == 0 ? 0 : contentLength;
    if (given >= 0 && given != length) {
      throw contradiction(given, contentLength);
    }
    checkGivenCoding(headers, length == Http1Session.UNKNOWN);
    if (method == Method.CONNECT && length != Http1Session.NO_BODY) {
      throw new IllegalArgumentException("CONNECT has no content (RFC 9110 §9.3.6)");
    }
    ByteBuffer head = HeadWriter.request(method, target, host, headers, length);
    closes = headers.containsToken(HeaderName.CONNECTION, "close");
    upgradeOffered = headers.contains(HeaderName.UPGRADE);
    begin(framingOf(length), length);
    return head;
  }

  ByteBuffer interimHead(Status status, Headers headers, HttpVersion peer) {
    checkIdle();
    if (!status.isInformational() || status.code() == 101) {
      throw new IllegalArgumentException(status.code() + " is no interim response");
    }
    checkUnframed(status, headers);
    // RFC 9110 §15.2: no 1xx to an HTTP/1.0 client, which would take it for the final response.
    return peer == HttpVersion.HTTP_1_0
        ? NOTHING
        : HeadWriter.response(status, headers, Http1Session.NO_BODY, "");
  }

  /** The request's method is null, and the client not an old one, if it could not be read. */
  ByteBuffer responseHead(
      Status status,
      Headers headers,
      long contentLength,
      @Nullable Method method,
      boolean isOld,
      boolean close) {
    checkIdle();
    checkLength(contentLength);
    boolean tunnel = method != null && BodyFraming.opensTunnel(method, status);
    if (status.isInformational() && status.code() != 101) {
      throw new IllegalArgumentException(status.code() + " is an interim response");
    }
    if (status.code() == 101 || tunnel) {
      checkUnframed(status, headers);
      checkNoContent(status, contentLength);
      ByteBuffer head = HeadWriter.response(status, headers, Http1Session.NO_BODY, "");
      state = state.to(Sending.UPGRADED);
      return head;
    }
    boolean isHead = method == Method.HEAD;
    BodyFraming body = responseFraming(status, headers, contentLength, isHead, isOld);
    boolean closing = close
        || body == BodyFraming.UNTIL_CLOSE
        || headers.containsToken(HeaderName.CONNECTION, "close");
    long written = responseLength(status, headers, contentLength, isHead, isOld);
    ByteBuffer head =
        HeadWriter.response(status, headers, written, connectionLine(headers, closing, isOld));
    closes = closing;
    dropsTrailers = body == BodyFraming.UNTIL_CLOSE || isHead || !status.mayHaveContent();
    begin(body, contentLength);
    return head;
  }

  /** How the content that is to be sent is framed; checks the fields against it. */
  private static BodyFraming responseFraming(
      Status status, Headers headers, long contentLength, boolean isHead, boolean isOld) {
    if (status.code() == 204) {
      checkUnframed(status, headers);
      checkNoContent(status, contentLength);
      return BodyFraming.NONE;
    }
    if (status.code() == 205) {
      checkNoContent(status, contentLength); // RFC 9110 §15.3.6
    }
    boolean unknown = contentLength == Http1Session.UNKNOWN;
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

  /** The framing as it is written into the head. */
  private static long responseLength(
      Status status, Headers headers, long contentLength, boolean isHead, boolean isOld) {
    if (status.code() == 204) {
      return Http1Session.NO_BODY; // RFC 9110 §8.6, RFC 9112 §6.1
    }
    if (isHead || status.code() == 304) {
      // RFC 9110 §8.6: only the length that a 200 to GET would have; an empty body is no evidence.
      long given = givenLength(headers);
      return given >= 0 ? given : contentLength > 0 ? contentLength : Http1Session.NO_BODY;
    }
    if (contentLength != Http1Session.UNKNOWN) {
      return Math.max(0, contentLength);
    }
    return isOld ? Http1Session.NO_BODY : Http1Session.UNKNOWN;
  }

  private static String connectionLine(Headers headers, boolean closing, boolean isOld) {
    if (closing) {
      return headers.containsToken(HeaderName.CONNECTION, "close") ? "" : "Connection: close\r\n";
    }
    return isOld && !headers.containsToken(HeaderName.CONNECTION, "keep-alive")
        ? "Connection: keep-alive\r\n"
        : "";
  }

  private void begin(BodyFraming newFraming, long length) {
    framing = newFraming;
    announced = newFraming == BodyFraming.CONTENT_LENGTH ? length : 0;
    remaining = announced;
    state = state.to(newFraming == BodyFraming.NONE ? Sending.DONE : Sending.CONTENT);
  }

  private static BodyFraming framingOf(long length) {
    if (length == Http1Session.UNKNOWN) {
      return BodyFraming.CHUNKED;
    }
    return length > 0 ? BodyFraming.CONTENT_LENGTH : BodyFraming.NONE;
  }

  private void checkIdle() {
    if (state != Sending.IDLE) {
      throw new IllegalStateException(
          "a head was written already and the session is not ready for the next: it is " + state);
    }
  }

  private static void checkLength(long contentLength) {
    if (contentLength < Http1Session.NO_BODY) {
      throw new IllegalArgumentException(
          "contentLength is " + contentLength + ": give NO_BODY, UNKNOWN or 0 and more");
    }
  }

  private static void checkNoContent(Status status, long contentLength) {
    if (contentLength > 0 || contentLength == Http1Session.UNKNOWN) {
      throw new IllegalArgumentException(
          "a response of status " + status.code() + " has no content: leave its body empty");
    }
  }

  /** RFC 9112 §6.1 and RFC 9110 §8.6: neither field in 1xx, 204 or a 2xx to CONNECT. */
  private static void checkUnframed(Status status, Headers headers) {
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
        : contentLength == Http1Session.UNKNOWN ? "of unknown length" : "absent";
    return new IllegalArgumentException(
        "Content-Length is " + given + " but the body is " + body + ": leave the field out");
  }

  // ---- content

  ByteBuffer[] data(ByteBuffer payload) {
    int length = payload.remaining();
    if (length == 0) {
      return NO_BUFFERS;
    }
    if (state != Sending.CONTENT && announced == 0) {
      throw new IllegalStateException(
          length + " bytes of content for a message that has none: its sending is " + state);
    }
    if (framing == BodyFraming.CHUNKED) {
      ByteBuffer size = ByteBuffer.wrap(sizeLine(length));
      return new ByteBuffer[] {size, payload, ByteBuffer.wrap(CRLF)};
    }
    if (framing == BodyFraming.CONTENT_LENGTH) {
      if (length > remaining) {
        long sent = announced - remaining + length;
        throw new IllegalStateException(
            "the body has " + sent + " bytes or more, but " + announced + " were announced");
      }
      remaining -= length;
      if (remaining == 0) {
        state = state.to(Sending.DONE);
      }
    }
    return new ByteBuffer[] {payload};
  }

  ByteBuffer end(Headers trailers) {
    if (state == Sending.IDLE) {
      throw new IllegalStateException("no head was written");
    }
    if (framing == BodyFraming.CONTENT_LENGTH && remaining > 0) {
      throw new IllegalStateException("the body has " + (announced - remaining) + " bytes, but "
          + announced + " were announced: close the connection");
    }
    if (!trailers.isEmpty()) {
      TrailerRules.checkToSend(trailers);
      if (framing != BodyFraming.CHUNKED && !dropsTrailers) {
        throw new IllegalArgumentException(
            "trailers need a body of unknown length, which is sent in chunks");
      }
    }
    if (state != Sending.CONTENT) {
      return NOTHING;
    }
    state = state.to(Sending.DONE);
    return framing == BodyFraming.CHUNKED ? lastChunk(trailers) : NOTHING;
  }

  /** RFC 9112 §7.1: the size of a chunk, in hexadecimal digits, and CRLF. */
  private static byte[] sizeLine(int size) {
    int digits = Math.max(1, (35 - Integer.numberOfLeadingZeros(size)) / 4);
    byte[] line = new byte[digits + 2];
    for (int i = digits - 1, rest = size; i >= 0; i--, rest >>>= 4) {
      line[i] = (byte) Character.forDigit(rest & 15, 16);
    }
    line[digits] = '\r';
    line[digits + 1] = '\n';
    return line;
  }

  private static ByteBuffer lastChunk(Headers trailers) {
    if (trailers.isEmpty()) {
      return ByteBuffer.wrap(LAST_CHUNK);
    }
    HeadWriter writer = new HeadWriter(LAST_CHUNK.length + HeadWriter.sizeOf(trailers));
    writer.text("0\r\n");
    writer.fields(trailers);
    return writer.endOfHead();
  }
}
