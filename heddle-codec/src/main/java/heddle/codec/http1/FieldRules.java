package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.HeaderName;
import heddle.http.HttpVersion;
import heddle.http.syntax.Authority;
import heddle.http.syntax.Octets;

/**
 * What the fields of one head say about the message's framing, its connection and its host; found
 * while they are parsed. Not safe for use by several threads.
 */
final class FieldRules {
  static final long NONE = -1; // no Content-Length was given

  long contentLength = NONE; // in bytes
  boolean chunked;
  boolean expectContinue;
  private boolean transferEncoding;
  private boolean close;
  private boolean keepAlive;
  private int hosts;

  void reset() {
    contentLength = NONE;
    transferEncoding = false;
    chunked = false;
    close = false;
    keepAlive = false;
    expectContinue = false;
    hosts = 0;
  }

  /** Takes in one field whose value stands in {@code buf}, trimmed. */
  void accept(HeaderName name, byte[] buf, int off, int len) throws ProtocolException {
    if (name == HeaderName.CONTENT_LENGTH) {
      acceptContentLength(buf, off, len);
    } else if (name == HeaderName.TRANSFER_ENCODING) {
      acceptTransferEncoding(buf, off, len);
    } else if (name == HeaderName.CONNECTION) {
      close |= Octets.listContains(buf, off, len, "close");
      keepAlive |= Octets.listContains(buf, off, len, "keep-alive");
    } else if (name == HeaderName.EXPECT) {
      expectContinue |= Octets.listContains(buf, off, len, "100-continue");
    } else if (name == HeaderName.HOST) {
      acceptHost(buf, off, len);
    }
  }

  /**
   * RFC 9112 §6.3 allows a recipient to read "5, 5" or a repeated field as one 5; we refuse both,
   * because two recipients that differ there disagree about where the message ends.
   */
  private void acceptContentLength(byte[] buf, int off, int len) throws ProtocolException {
    if (contentLength != NONE) {
      throw Violation.BAD_CONTENT_LENGTH.because("Content-Length is given twice");
    }
    contentLength = Octets.decimal(buf, off, len);
    if (contentLength < 0) {
      throw Violation.BAD_CONTENT_LENGTH.because(
          "Content-Length " + Octets.quote(buf, off, len) + " is no number from 0 to 2^63-1");
    }
  }

  private void acceptTransferEncoding(byte[] buf, int off, int len) throws ProtocolException {
    transferEncoding = true;
    int start = off;
    int end = off + len;
    for (int i = off; i <= end; i++) {
      if (i == end || buf[i] == ',') {
        acceptCoding(buf, start, i);
        start = i + 1;
      }
    }
  }

  private void acceptCoding(byte[] buf, int from, int to) throws ProtocolException {
    int start = Octets.skipBlanks(buf, from, to);
    int end = Octets.skipBlanksBack(buf, start, to);
    if (Octets.equalsIgnoreCase(buf, start, end - start, "chunked")) {
      if (chunked) {
        throw badCoding("chunked is applied twice"); // RFC 9112 §6.1
      }
      chunked = true;
      return;
    }
    if (chunked) {
      throw badCoding("chunked is not the last coding"); // RFC 9112 §6.1
    }
    int parameters = Octets.indexOf(buf, start, end, ';');
    int nameEnd = Octets.skipBlanksBack(buf, start, parameters < 0 ? end : parameters);
    if (start == nameEnd
        || Octets.indexOfNonToken(buf, start, nameEnd - start) >= 0
        || Octets.equalsIgnoreCase(buf, start, nameEnd - start, "chunked")) {
      // RFC 9112 §7.1: the chunked coding has no parameters; their presence is an error.
      throw badCoding(Octets.quote(buf, start, end - start) + " is no transfer coding");
    }
    throw Violation.UNSUPPORTED_TRANSFER_CODING.because(
        "transfer coding " + Octets.quote(buf, start, end - start) + " is not supported");
  }

  private static ProtocolException badCoding(String what) {
    return Violation.BAD_TRANSFER_ENCODING.because("Transfer-Encoding: " + what);
  }

  private void acceptHost(byte[] buf, int off, int len) throws ProtocolException {
    if (++hosts > 1) {
      throw Violation.BAD_HOST.because("Host is given twice");
    }
    if (!Authority.isAuthority(buf, off, len, false)) {
      throw Violation.BAD_HOST.because(
          "Host " + Octets.quote(buf, off, len) + " is not of the form host or host:port");
    }
  }

  /** Checks what the fields say together, RFC 9112 §6.1. */
  void checkFraming(HttpVersion version) throws ProtocolException {
    if (!transferEncoding) {
      return;
    }
    if (isAmbiguous()) {
      throw Violation.AMBIGUOUS_LENGTH.because(
          "both Transfer-Encoding and Content-Length are given: one of them lies");
    }
    if (version == HttpVersion.HTTP_1_0) {
      throw badCoding("HTTP/1.0 has none"); // RFC 9112 §6.1
    }
  }

  /** Whether both Transfer-Encoding and Content-Length are given. */
  boolean isAmbiguous() {
    return transferEncoding && contentLength != NONE;
  }

  /** RFC 9112 §3.2: exactly one Host in HTTP/1.1, at most one in HTTP/1.0. */
  void checkHost(HttpVersion version) throws ProtocolException {
    if (hosts == 0 && version != HttpVersion.HTTP_1_0) {
      throw Violation.BAD_HOST.because("an HTTP/1.1 request must have a Host field");
    }
  }

  /** Whether the connection ends after this message, RFC 9112 §9.3. */
  boolean closes(HttpVersion version) {
    return close || (version == HttpVersion.HTTP_1_0 && !keepAlive);
  }
}
