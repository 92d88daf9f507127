package heddle.codec.http1;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.syntax.Authority;
import heddle.http.syntax.Octets;
import java.nio.ByteBuffer;

/**
 * Writes heads into exactly sized buffers. Checks targets and hosts for line endings as it writes
 * them; the types of heddle.http keep the other parts free of them.
 */
final class HeadWriter {
  private static final String CONTENT_LENGTH = "Content-Length: ";
  private static final String CHUNKED_LINE = "Transfer-Encoding: chunked\r\n";

  private final byte[] out;
  private int at;

  HeadWriter(int size) {
    out = new byte[size];
  }

  /**
   * A request's head, RFC 9112 §3.
   *
   * @param framing the length to announce, {@link Http1Session#UNKNOWN} for chunks, {@link
   *     Http1Session#NO_BODY} for neither
   */
  static ByteBuffer request(
      Method method, String target, String host, Headers headers, long framing) {
    int hostIndex = indexOfHost(headers);
    int hostLength = hostIndex < 0 ? host.length() : headers.valueLength(hostIndex);
    int startLine = method.length() + target.length() + "  HTTP/1.1\r\n".length();
    int hostLine = "Host: \r\n".length() + hostLength;
    HeadWriter writer = new HeadWriter(startLine + hostLine + sizeOfRest(headers, framing));
    writer.at = method.copyTo(writer.out, 0);
    writer.out[writer.at++] = ' ';
    writer.target(method, target);
    writer.text(" HTTP/1.1\r\nHost: ");
    writer.host(host, headers, hostIndex);
    writer.crlf();
    writer.fields(headers);
    writer.framing(framing);
    return writer.endOfHead();
  }

  /** A response's head, RFC 9112 §4, with a Connection field line, which may be empty. */
  static ByteBuffer response(Status status, Headers headers, long framing, String connection) {
    String reason = status.reason();
    int startLine = "HTTP/1.1 200 \r\n".length() + reason.length();
    int rest = sizeOfRest(headers, framing) + connection.length();
    HeadWriter writer = new HeadWriter(startLine + rest);
    writer.text("HTTP/1.1 ");
    writer.decimal(status.code());
    writer.out[writer.at++] = ' ';
    writer.text(reason);
    writer.crlf();
    writer.fields(headers);
    writer.framing(framing);
    writer.text(connection);
    return writer.endOfHead();
  }

  /** The bytes that {@link #fields} writes. */
  static int sizeOf(Headers headers) {
    int size = 0;
    for (int i = 0; i < headers.size(); i++) {
      HeaderName name = headers.name(i);
      if (!isWrittenApart(name)) {
        size += name.length() + headers.valueLength(i) + 4;
      }
    }
    return size;
  }

  /** Host is written first, and the framing fields by this class. */
  private static boolean isWrittenApart(HeaderName name) {
    return name == HeaderName.HOST
        || name == HeaderName.CONTENT_LENGTH
        || name == HeaderName.TRANSFER_ENCODING;
  }

  /** The bytes of the fields, of the framing and of the empty line. */
  private static int sizeOfRest(Headers headers, long framing) {
    int size = sizeOf(headers) + 2;
    if (framing == Http1Session.NO_BODY) {
      return size;
    }
    return framing == Http1Session.UNKNOWN
        ? size + CHUNKED_LINE.length()
        : size + CONTENT_LENGTH.length() + digits(framing) + 2;
  }

  private static int indexOfHost(Headers headers) {
    int found = headers.indexOf(HeaderName.HOST, 0);
    if (found >= 0 && headers.indexOf(HeaderName.HOST, found + 1) >= 0) {
      throw new IllegalArgumentException("Host is given twice: leave one, or none");
    }
    return found;
  }

  private void target(Method method, String target) {
    int from = at;
    visible(target, "request-target");
    if (at == from) {
      throw new IllegalArgumentException("the request-target is empty: send / at least");
    }
    String fault = StartLine.faultOfTarget(method, out, from, at - from);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
  }

  private void host(String host, Headers headers, int hostIndex) {
    int from = at;
    if (hostIndex < 0) {
      visible(host, "Host");
    } else {
      at = headers.copyValue(hostIndex, out, at);
    }
    if (!Authority.isAuthority(out, from, at - from, false)) {
      throw new IllegalArgumentException(
          "Host " + Octets.quote(out, from, at - from) + " is not of the form host or host:port");
    }
  }

  private void visible(String text, String what) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (!Octets.isVisible(c)) {
        throw new IllegalArgumentException(
            String.format("0x%02X at index %d may not stand in the %s", (int) c, i, what));
      }
      out[at++] = (byte) c;
    }
  }

  /** Writes ASCII of ours, or a reason phrase. */
  void text(String text) {
    for (int i = 0; i < text.length(); i++) {
      out[at++] = (byte) text.charAt(i);
    }
  }

  void fields(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      HeaderName name = headers.name(i);
      if (!isWrittenApart(name)) {
        at = name.copyTo(out, at);
        out[at++] = ':';
        out[at++] = ' ';
        at = headers.copyValue(i, out, at);
        crlf();
      }
    }
  }

  private void framing(long framing) {
    if (framing == Http1Session.UNKNOWN) {
      text(CHUNKED_LINE);
    } else if (framing != Http1Session.NO_BODY) {
      text(CONTENT_LENGTH);
      decimal(framing);
      crlf();
    }
  }

  private void decimal(long value) {
    int end = at + digits(value);
    long rest = value;
    for (int i = end - 1; i >= at; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    at = end;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private void crlf() {
    out[at++] = '\r';
    out[at++] = '\n';
  }

  ByteBuffer endOfHead() {
    crlf();
    if (at != out.length) {
      throw new IllegalStateException("wrote " + at + " bytes into " + out.length);
    }
    return ByteBuffer.wrap(out);
  }
}
