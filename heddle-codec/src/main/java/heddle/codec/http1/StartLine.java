package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.syntax.Authority;
import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The first line of a head: a request line (RFC 9112 §3) or a status line (§4). */
final class StartLine {
  private static final byte[] HTTP = "HTTP/".getBytes(StandardCharsets.US_ASCII);

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
    int targetEnd = Octets.indexOf(buf, targetStart, end, ' ');
    if (targetEnd <= targetStart) {
      throw malformed("request line", "method, target and version", buf, off, len);
    }
    checkProtocol(buf, targetEnd + 1, end);
    version = version(buf, targetEnd + 1, end, "request line");
    method = Method.of(buf, off, methodEnd - off);
    String fault = faultOfTarget(method, buf, targetStart, targetEnd - targetStart);
    if (fault != null) {
      throw Violation.MALFORMED_TARGET.because(fault);
    }
    target = latin1(buf, targetStart, targetEnd - targetStart);
  }

  /**
   * HTTP-version SP status-code SP [reason-phrase]. The second space is required even without a
   * reason (RFC 9112 §4), but servers omit it; that is unambiguous, so we accept it.
   */
  void parseStatus(byte[] buf, int off, int len) throws ProtocolException {
    int end = off + len;
    int versionEnd = Octets.indexOf(buf, off, end, ' ');
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
        String expected = "no " + Octets.describe(buf[i] & 0xFF) + " in its reason";
        throw malformed("status line", expected, buf, off, len);
      }
    }
    Status known = Status.of((int) Octets.decimal(buf, code, 3));
    int reason = Math.min(code + 4, end);
    status = Octets.equals(buf, reason, end - reason, known.reason())
        ? known
        : Status.of(known.code(), latin1(buf, reason, end - reason));
  }

  private static String latin1(byte[] buf, int off, int len) {
    return new String(buf, off, len, StandardCharsets.ISO_8859_1);
  }

  /** Refuses a request line whose last word names another protocol. */
  private static void checkProtocol(byte[] buf, int from, int end) throws ProtocolException {
    int word = end;
    while (word > from && buf[word - 1] != ' ') {
      word--;
    }
    boolean http = end - word >= 4 && Octets.equalsIgnoreCase(buf, word, 4, "http");
    if (!http && word < end && Octets.isAlpha(buf[word])) {
      throw Violation.OTHER_PROTOCOL.because("the request line ends with "
          + Octets.quote(buf, word, end - word) + " instead of HTTP/1.1");
    }
  }

  private static HttpVersion version(byte[] buf, int from, int to, String line)
      throws ProtocolException {
    int major = from + HTTP.length;
    boolean wellFormed = to - from == "HTTP/1.1".length()
        && Arrays.equals(HTTP, 0, HTTP.length, buf, from, major)
        && Octets.isDigit(buf[major])
        && buf[major + 1] == '.'
        && Octets.isDigit(buf[major + 2]);
    if (!wellFormed) {
      throw malformed(line, "a version such as HTTP/1.1", buf, from, Math.max(0, to - from));
    }
    if (buf[major] != '1') {
      throw Violation.UNSUPPORTED_VERSION.because(
          "version " + Octets.quote(buf, from, to - from) + " is not HTTP/1.x");
    }
    // RFC 9110 §2.5: a higher minor version is understood as the highest that we know.
    return buf[major + 2] == '0' ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
  }

  private static ProtocolException malformed(
      String line, String expected, byte[] buf, int off, int len) {
    return Violation.MALFORMED_START_LINE.because(
        "malformed " + line + ": expected " + expected + ", got " + Octets.quote(buf, off, len));
  }

  /**
   * What is wrong with a request-target of at least one octet, which has to be in the form of RFC
   * 9112 §3.2 that fits the method; null if it is valid.
   */
  static @Nullable String faultOfTarget(Method method, byte[] buf, int off, int len) {
    for (int i = off; i < off + len; i++) {
      // RFC 9112 §3.2: no white space; a fragment is never sent (RFC 9110 §7.1).
      if (!Octets.isVisible(buf[i]) || buf[i] == '#') {
        return Octets.describe(buf[i] & 0xFF) + " may not stand in" + named(buf, off, len);
      }
    }
    if (method == Method.CONNECT) {
      return Authority.isAuthority(buf, off, len, true)
          ? null
          : "CONNECT asks for host:port, not for" + named(buf, off, len);
    }
    if (buf[off] == '*' && len == 1) {
      // RFC 9112 §3.2.4
      return method == Method.OPTIONS ? null : "only OPTIONS goes with" + named(buf, off, len);
    }
    return buf[off] == '/' || isAbsolute(buf, off, off + len)
        ? null
        : "neither a path nor a URI with an authority:" + named(buf, off, len);
  }

  private static String named(byte[] buf, int off, int len) {
    return " the request-target " + Octets.quote(buf, off, len);
  }

  /** Whether it is scheme "://" authority, and then nothing, a path or a query. */
  private static boolean isAbsolute(byte[] buf, int off, int end) {
    int colon = Octets.indexOf(buf, off, end, ':');
    if (colon < 0
        || colon + 3 > end
        || buf[colon + 1] != '/'
        || buf[colon + 2] != '/'
        || !Octets.isScheme(buf, off, colon - off)) {
      return false;
    }
    int authority = colon + 3;
    int authorityEnd = authority;
    while (authorityEnd < end && buf[authorityEnd] != '/' && buf[authorityEnd] != '?') {
      authorityEnd++;
    }
    // No user information: RFC 9110 §4.2.4.
    return Authority.isAuthority(buf, authority, authorityEnd - authority, false);
  }
}
