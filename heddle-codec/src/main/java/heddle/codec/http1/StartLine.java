package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.syntax.Octets;

/** The first line of a head: a request line (RFC 9112 §3) or a status line (§4). */
final class StartLine {
  private static final int VERSION_LENGTH = "HTTP/1.1".length();

  Method method = Method.GET;
  String target = "";
  Status status = Status.OK;
  HttpVersion version = HttpVersion.HTTP_1_1;

  /** method SP request-target SP HTTP-version, with exactly one space each. */
  void parseRequest(byte[] buf, int off, int len) throws ProtocolException {
    int end = off + len;
    int methodEnd = off;
    while (methodEnd < end && Octets.isToken(buf[methodEnd])) {
      methodEnd++;
    }
    if (methodEnd == off || methodEnd == end || buf[methodEnd] != ' ') {
      throw malformed("request line", "a method and a space", buf, off, len);
    }
    int targetStart = methodEnd + 1;
    int targetEnd = OctetRanges.indexOf(buf, targetStart, end, ' ');
    if (targetEnd <= targetStart) {
      throw malformed("request line", "method, target and version", buf, off, len);
    }
    checkProtocol(buf, targetEnd + 1, end);
    version = version(buf, targetEnd + 1, end, "request line");
    method = Method.of(buf, off, methodEnd - off);
    RequestTarget.check(method, buf, targetStart, targetEnd - targetStart);
    target = OctetRanges.latin1(buf, targetStart, targetEnd - targetStart);
  }

  /**
   * HTTP-version SP status-code SP [reason-phrase]. The second space is required even without a
   * reason (RFC 9112 §4), but servers omit it; that is unambiguous, so we accept it.
   */
  void parseStatus(byte[] buf, int off, int len) throws ProtocolException {
    int end = off + len;
    int versionEnd = OctetRanges.indexOf(buf, off, end, ' ');
    version = version(buf, off, versionEnd < 0 ? end : versionEnd, "status line");
    int code = versionEnd + 1;
    boolean threeDigits = versionEnd > 0
        && end - code >= 3
        && Octets.decimal(buf, code, 3) >= 100
        && (end - code == 3 || buf[code + 3] == ' ');
    if (!threeDigits) {
      throw malformed("status line", "a status of three digits, 100 or more", buf, off, len);
    }
    for (int i = code + 3; i < end; i++) {
      if (!Octets.isFieldValue(buf[i] & 0xFF)) {
        throw malformed(
            "status line",
            "no " + Octets.describe(buf[i] & 0xFF) + " in its reason",
            buf,
            off,
            len);
      }
    }
    Status known = Status.of((int) Octets.decimal(buf, code, 3));
    int reason = Math.min(code + 4, end);
    status = isText(known.reason(), buf, reason, end - reason)
        ? known
        : Status.of(known.code(), OctetRanges.latin1(buf, reason, end - reason));
  }

  /** Whether the octets are this text; makes no string, as nearly all peers send the usual. */
  private static boolean isText(String text, byte[] buf, int off, int len) {
    if (text.length() != len) {
      return false;
    }
    for (int i = 0; i < len; i++) {
      if (text.charAt(i) != (buf[off + i] & 0xFF)) {
        return false;
      }
    }
    return true;
  }

  /** Refuses a request line whose last word names another protocol. */
  private static void checkProtocol(byte[] buf, int from, int end) throws ProtocolException {
    int word = end;
    while (word > from && buf[word - 1] != ' ') {
      word--;
    }
    boolean http = end - word >= 4 && Octets.equalsIgnoreCase(buf, word, 4, "http");
    if (!http && word < end && Octets.isAlpha(buf[word])) {
      throw new ProtocolException(
          Violation.OTHER_PROTOCOL,
          "the request line ends with " + OctetRanges.quote(buf, word, end - word)
              + " instead of HTTP/1.1");
    }
  }

  private static HttpVersion version(byte[] buf, int from, int to, String line)
      throws ProtocolException {
    boolean wellFormed = to - from == VERSION_LENGTH
        && buf[from] == 'H'
        && buf[from + 1] == 'T'
        && buf[from + 2] == 'T'
        && buf[from + 3] == 'P'
        && buf[from + 4] == '/'
        && Octets.isDigit(buf[from + 5])
        && buf[from + 6] == '.'
        && Octets.isDigit(buf[from + 7]);
    if (!wellFormed) {
      throw malformed(line, "a version such as HTTP/1.1", buf, from, Math.max(0, to - from));
    }
    if (buf[from + 5] != '1') {
      throw new ProtocolException(
          Violation.UNSUPPORTED_VERSION,
          "version " + OctetRanges.quote(buf, from, VERSION_LENGTH) + " is not HTTP/1.x");
    }
    // RFC 9110 §2.5: a higher minor version is understood as the highest that we know.
    return buf[from + 7] == '0' ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
  }

  private static ProtocolException malformed(
      String line, String expected, byte[] buf, int off, int len) {
    return new ProtocolException(
        Violation.MALFORMED_START_LINE,
        "malformed " + line + ": expected " + expected + ", got "
            + OctetRanges.quote(buf, off, len));
  }
}
