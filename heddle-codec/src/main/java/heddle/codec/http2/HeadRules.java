package heddle.codec.http2;

import heddle.codec.TrailerRules;
import heddle.codec.hpack.HpackField;
import heddle.codec.hpack.Pseudo;
import heddle.codec.http2.FieldSection.Fields;
import heddle.codec.http2.frame.Http2Exception;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException.Kind;
import heddle.http.syntax.Authority;
import heddle.http.syntax.Octets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What makes a field section the head of a request, of a response, or a trailer section: RFC 9113
 * §8.1, §8.3, §8.5, RFC 8441 §4. For the sections of one connection; only the loop uses it.
 */
final class HeadRules {
  private static final String HTTP = "http";
  private static final String HTTPS = "https";

  /** A request's control data, checked. */
  record Request(
      Method method,
      @Nullable String scheme,
      String authority,
      String target,
      @Nullable String protocol,
      Fields fields) {}

  private final FieldSection section = new FieldSection();

  /** The stream whose section is being checked. */
  private int streamId;

  // Text of the values seen last: requests of a connection share their authority.
  private @Nullable HpackField authorityField;
  private String authority = "";
  private @Nullable HpackField pathField;
  private String path = "";

  /** Where to decode the next section to, which comes on this stream. */
  FieldSection begin(int id) {
    streamId = id;
    section.begin();
    return section;
  }

  /**
   * The fields of the section, of whatever kind.
   *
   * @throws Http2Exception when they are malformed, as all here: a stream error (RFC 9113 §8.1.1)
   */
  Fields fields() throws Http2Exception {
    Fields fields = section.fields();
    if (fields == null) {
      throw refuse(section.faultKind, String.valueOf(section.fault));
    }
    return fields;
  }

  /** The status of a response's head. */
  Status status() throws Http2Exception {
    HpackField status = section.pseudos.get(Pseudo.STATUS);
    if (status == null) {
      throw refuse(Kind.MISSING_STATUS, "a response without :status (RFC 9113 §8.3.2)");
    }
    if (section.pseudos.size() > 1) {
      throw refuse(
          Kind.MISPLACED_PSEUDO_FIELD,
          "a pseudo-header field other than :status in a response (RFC 9113 §8.3.2)");
    }
    byte[] digits = status.value();
    int code = (int) Octets.decimal(digits, 0, digits.length);
    if (digits.length != 3 || code < 100) {
      throw refuse(":status is no number of three digits (RFC 9113 §8.3.2)");
    }
    return Status.of(code);
  }

  // ---- requests

  /**
   * The control data of a request.
   *
   * @param extendedConnect whether our SETTINGS allow extended CONNECT (RFC 8441 §3)
   */
  Request request(boolean extendedConnect) throws Http2Exception {
    Fields fields = fields();
    HpackField method = section.pseudos.get(Pseudo.METHOD);
    if (section.pseudos.get(Pseudo.STATUS) != null) {
      throw refuse(Kind.MISPLACED_PSEUDO_FIELD, ":status in a request (RFC 9113 §8.3.1)");
    }
    if (method == null || !isToken(method.value())) {
      throw refuse(":method is missing or no token (RFC 9113 §8.3.1)");
    }
    Method known = Method.of(method.value(), 0, method.value().length);
    HpackField protocol = section.pseudos.get(Pseudo.PROTOCOL);
    if (protocol != null) {
      if (!extendedConnect || known != Method.CONNECT || !isToken(protocol.value())) {
        throw refuse(":protocol in a request that is no extended CONNECT (RFC 8441 §4)");
      }
      return ordinary(known, FieldSection.text(protocol), fields);
    }
    return known == Method.CONNECT ? connect(fields) : ordinary(known, null, fields);
  }

  /** What a request line would be for the section, malformed or not; for logs. */
  String requestLine() {
    return shown(Pseudo.METHOD) + " " + shown(Pseudo.PATH) + " " + HttpVersion.HTTP_2;
  }

  private String shown(Pseudo name) {
    HpackField field = section.pseudos.get(name);
    return field == null ? "-" : FieldSection.text(field);
  }

  /** RFC 9113 §8.5. */
  private Request connect(Fields fields) throws Http2Exception {
    if (section.pseudos.get(Pseudo.SCHEME) != null || section.pseudos.get(Pseudo.PATH) != null) {
      throw refuse("CONNECT with :scheme or :path (RFC 9113 §8.5)");
    }
    HpackField field = section.pseudos.get(Pseudo.AUTHORITY);
    if (field == null || !isAuthority(field.value(), true)) {
      throw refuse("CONNECT without an :authority of the form host:port (RFC 9113 §8.5)");
    }
    String text = authority(field);
    return new Request(Method.CONNECT, null, text, text, null, fields);
  }

  private Request ordinary(Method method, @Nullable String protocol, Fields fields)
      throws Http2Exception {
    HpackField schemeField = section.pseudos.get(Pseudo.SCHEME);
    HpackField target = section.pseudos.get(Pseudo.PATH);
    if (schemeField == null || !isScheme(schemeField.value())) {
      throw refuse(":scheme is missing or none (RFC 9113 §8.3.1)");
    }
    if (target == null || !isPath(target.value(), method == Method.OPTIONS)) {
      throw refuse(":path is missing, or neither a path nor * (RFC 9113 §8.3.1)");
    }
    String scheme = FieldSection.text(schemeField);
    // RFC 3986 §3.1: schemes ignore case. These two are compared by identity below.
    scheme = scheme.equalsIgnoreCase(HTTPS) ? HTTPS : scheme.equalsIgnoreCase(HTTP) ? HTTP : scheme;
    String host = authorityOf(fields.headers(), scheme);
    return new Request(method, scheme, host, path(target), protocol, fields);
  }

  /** RFC 9113 §8.3.1: what :authority and Host say. */
  private String authorityOf(Headers headers, String scheme) throws Http2Exception {
    boolean web = scheme == HTTP || scheme == HTTPS;
    HpackField field = section.pseudos.get(Pseudo.AUTHORITY);
    if (field != null && web && !isAuthority(field.value(), false)) {
      throw refuse(":authority is not of the form host or host:port (RFC 9113 §8.3.1)");
    }
    int host = headers.indexOf(HeaderName.HOST, 0);
    if (host < 0) {
      if (field == null && web) {
        throw refuse("neither :authority nor Host is given (RFC 9113 §8.3.1)");
      }
      return field == null ? "" : authority(field);
    }
    if (headers.indexOf(HeaderName.HOST, host + 1) >= 0) {
      throw refuse(Kind.BAD_FIELD, "Host is given twice (RFC 9110 §7.2)");
    }
    if (field != null) {
      String text = authority(field);
      if (!headers.valueEqualsIgnoreCase(host, text)) {
        throw refuse(Kind.BAD_FIELD, "Host and :authority differ (RFC 9113 §8.3.1)");
      }
      return text;
    }
    byte[] value = new byte[headers.valueLength(host)];
    headers.copyValue(host, value, 0);
    if (web && !isAuthority(value, false)) {
      throw refuse(Kind.BAD_FIELD, "Host is not of the form host or host:port (RFC 9110 §7.2)");
    }
    return headers.value(host);
  }

  private String authority(HpackField field) {
    if (!isSame(field, authorityField)) {
      authority = FieldSection.text(field);
      authorityField = field;
    }
    return authority;
  }

  private String path(HpackField field) {
    if (!isSame(field, pathField)) {
      path = FieldSection.text(field);
      pathField = field;
    }
    return path;
  }

  private static boolean isSame(HpackField field, @Nullable HpackField before) {
    return before != null && (field == before || Arrays.equals(field.value(), before.value()));
  }

  // ---- trailers

  /** The fields of a trailer section. */
  Headers trailers() throws Http2Exception {
    if (section.pseudos.size() > 0) {
      throw refuse(
          Kind.MISPLACED_PSEUDO_FIELD,
          "a pseudo-header field in a trailer section (RFC 9113 §8.1)");
    }
    Headers headers = fields().headers();
    HeaderName refused = TrailerRules.refused(headers);
    if (refused != null) {
      throw refuse(Kind.BAD_FIELD, refused + " may not be a trailer field (RFC 9110 §6.5.1)");
    }
    return TrailerRules.withoutDropped(headers);
  }

  /** Refuses trailers that must not be sent: RFC 9113 §8.2.2, RFC 9110 §6.5.1. */
  static void checkTrailersToSend(Headers trailers) {
    for (int i = 0; i < trailers.size(); i++) {
      if (FieldSection.isConnectionSpecific(trailers.name(i))) {
        throw TrailerRules.forbidden(trailers.name(i));
      }
    }
    TrailerRules.checkToSend(trailers);
  }

  // ---- the syntax of a request's target: RFC 9113 §8.3.1, RFC 3986

  /** Whether it is a token, RFC 9110 §5.6.2. */
  static boolean isToken(byte[] value) {
    return value.length > 0 && Octets.indexOfNonToken(value, 0, value.length) < 0;
  }

  static boolean isScheme(byte[] value) {
    return Octets.isScheme(value, 0, value.length);
  }

  /**
   * Whether it is a path with or without a query, or the asterisk if that is allowed. A fragment is
   * never sent (RFC 9110 §7.1), nor is what is not visible ASCII.
   */
  static boolean isPath(byte[] value, boolean asterisk) {
    if (value.length == 0 || (value[0] != '/' && !(asterisk && value[0] == '*'))) {
      return false;
    }
    for (byte each : value) {
      if (!Octets.isVisible(each) || each == '#') {
        return false;
      }
    }
    return value[0] == '/' || value.length == 1;
  }

  /** Whether it is host [":" port], without user information, which RFC 9113 §8.3.1 forbids. */
  static boolean isAuthority(byte[] value, boolean portRequired) {
    return Authority.isAuthority(value, 0, value.length, portRequired);
  }

  private Http2Exception refuse(String why) {
    return refuse(Kind.START_LINE, why);
  }

  private Http2Exception refuse(Kind kind, String why) {
    return Http2Exception.malformed(streamId, kind, why);
  }
}
