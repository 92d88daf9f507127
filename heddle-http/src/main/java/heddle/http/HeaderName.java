package heddle.http;

import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name of a field (RFC 9110 section 5.1): a token that ignores case. Well-known names are
 * constants, and {@code of} always returns the constant for them, so that they may be compared by
 * identity.
 */
public final class HeaderName {
  private static final int TABLE_SIZE = 512;
  private static final @Nullable HeaderName[] TABLE = new @Nullable HeaderName[TABLE_SIZE];

  public static final HeaderName ACCEPT = register("Accept");
  public static final HeaderName ACCEPT_CHARSET = register("Accept-Charset");
  public static final HeaderName ACCEPT_ENCODING = register("Accept-Encoding");
  public static final HeaderName ACCEPT_LANGUAGE = register("Accept-Language");
  public static final HeaderName ACCEPT_RANGES = register("Accept-Ranges");
  public static final HeaderName ACCESS_CONTROL_ALLOW_CREDENTIALS =
      register("Access-Control-Allow-Credentials");
  public static final HeaderName ACCESS_CONTROL_ALLOW_HEADERS =
      register("Access-Control-Allow-Headers");
  public static final HeaderName ACCESS_CONTROL_ALLOW_METHODS =
      register("Access-Control-Allow-Methods");
  public static final HeaderName ACCESS_CONTROL_ALLOW_ORIGIN =
      register("Access-Control-Allow-Origin");
  public static final HeaderName ACCESS_CONTROL_EXPOSE_HEADERS =
      register("Access-Control-Expose-Headers");
  public static final HeaderName ACCESS_CONTROL_MAX_AGE = register("Access-Control-Max-Age");
  public static final HeaderName ACCESS_CONTROL_REQUEST_HEADERS =
      register("Access-Control-Request-Headers");
  public static final HeaderName ACCESS_CONTROL_REQUEST_METHOD =
      register("Access-Control-Request-Method");
  public static final HeaderName AGE = register("Age");
  public static final HeaderName ALLOW = register("Allow");
  public static final HeaderName ALT_SVC = register("Alt-Svc");
  public static final HeaderName AUTHORIZATION = register("Authorization");
  public static final HeaderName CACHE_CONTROL = register("Cache-Control");
  public static final HeaderName CONNECTION = register("Connection");
  public static final HeaderName CONTENT_DISPOSITION = register("Content-Disposition");
  public static final HeaderName CONTENT_ENCODING = register("Content-Encoding");
  public static final HeaderName CONTENT_LANGUAGE = register("Content-Language");
  public static final HeaderName CONTENT_LENGTH = register("Content-Length");
  public static final HeaderName CONTENT_LOCATION = register("Content-Location");
  public static final HeaderName CONTENT_RANGE = register("Content-Range");
  public static final HeaderName CONTENT_SECURITY_POLICY = register("Content-Security-Policy");
  public static final HeaderName CONTENT_TYPE = register("Content-Type");
  public static final HeaderName COOKIE = register("Cookie");
  public static final HeaderName DATE = register("Date");
  public static final HeaderName ETAG = register("ETag");
  public static final HeaderName EXPECT = register("Expect");
  public static final HeaderName EXPIRES = register("Expires");
  public static final HeaderName FORWARDED = register("Forwarded");
  public static final HeaderName FROM = register("From");
  public static final HeaderName HOST = register("Host");
  public static final HeaderName HTTP2_SETTINGS = register("HTTP2-Settings");
  public static final HeaderName IF_MATCH = register("If-Match");
  public static final HeaderName IF_MODIFIED_SINCE = register("If-Modified-Since");
  public static final HeaderName IF_NONE_MATCH = register("If-None-Match");
  public static final HeaderName IF_RANGE = register("If-Range");
  public static final HeaderName IF_UNMODIFIED_SINCE = register("If-Unmodified-Since");
  public static final HeaderName KEEP_ALIVE = register("Keep-Alive");
  public static final HeaderName LAST_MODIFIED = register("Last-Modified");
  public static final HeaderName LINK = register("Link");
  public static final HeaderName LOCATION = register("Location");
  public static final HeaderName MAX_FORWARDS = register("Max-Forwards");
  public static final HeaderName ORIGIN = register("Origin");
  public static final HeaderName PRAGMA = register("Pragma");
  public static final HeaderName PRIORITY = register("Priority");
  public static final HeaderName PROXY_AUTHENTICATE = register("Proxy-Authenticate");
  public static final HeaderName PROXY_AUTHORIZATION = register("Proxy-Authorization");
  public static final HeaderName PROXY_CONNECTION = register("Proxy-Connection");
  public static final HeaderName RANGE = register("Range");
  public static final HeaderName REFERER = register("Referer");
  public static final HeaderName RETRY_AFTER = register("Retry-After");
  public static final HeaderName SERVER = register("Server");
  public static final HeaderName SERVER_TIMING = register("Server-Timing");
  public static final HeaderName SET_COOKIE = register("Set-Cookie");
  public static final HeaderName STRICT_TRANSPORT_SECURITY = register("Strict-Transport-Security");
  public static final HeaderName TE = register("TE");
  public static final HeaderName TRACEPARENT = register("Traceparent");
  public static final HeaderName TRACESTATE = register("Tracestate");
  public static final HeaderName TRAILER = register("Trailer");
  public static final HeaderName TRANSFER_ENCODING = register("Transfer-Encoding");
  public static final HeaderName UPGRADE = register("Upgrade");
  public static final HeaderName USER_AGENT = register("User-Agent");
  public static final HeaderName VARY = register("Vary");
  public static final HeaderName VIA = register("Via");
  public static final HeaderName WWW_AUTHENTICATE = register("WWW-Authenticate");
  public static final HeaderName X_CONTENT_TYPE_OPTIONS = register("X-Content-Type-Options");
  public static final HeaderName X_FORWARDED_FOR = register("X-Forwarded-For");
  public static final HeaderName X_FORWARDED_HOST = register("X-Forwarded-Host");
  public static final HeaderName X_FORWARDED_PROTO = register("X-Forwarded-Proto");
  public static final HeaderName X_FRAME_OPTIONS = register("X-Frame-Options");
  public static final HeaderName X_REQUEST_ID = register("X-Request-Id");

  private final byte[] bytes; // the spelling that is sent in HTTP/1.1
  private final boolean wellKnown;

  // The three below are made when first asked for; a race makes equal ones twice.
  private @Nullable String text;
  private @Nullable String lowerCase;
  private int hash;

  private HeaderName(byte[] bytes, boolean wellKnown) {
    this.bytes = bytes;
    this.wellKnown = wellKnown;
  }

  private static HeaderName register(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    HeaderName result = new HeaderName(bytes, true);
    result.text = name;
    int slot = slot(bytes, 0, bytes.length);
    while (TABLE[slot] != null) {
      slot = (slot + 1) % TABLE_SIZE;
    }
    TABLE[slot] = result;
    return result;
  }

  /** Length and three octets tell the well-known names apart well enough: see the test. */
  private static int slot(byte[] buf, int off, int len) {
    int first = buf[off] | 0x20;
    int middle = buf[off + len / 2] | 0x20;
    int last = buf[off + len - 1] | 0x20;
    int mixed = (len * 31 + first) * 0x9E3779B1 + middle * 0x85EBCA6B + last * 0xC2B2AE35;
    return mixed >>> 23;
  }

  private static @Nullable HeaderName find(byte[] buf, int off, int len) {
    int slot = slot(buf, off, len);
    for (HeaderName known; (known = TABLE[slot]) != null; slot = (slot + 1) % TABLE_SIZE) {
      if (known.bytes.length == len && known.matches(buf, off)) {
        return known;
      }
    }
    return null;
  }

  private boolean matches(byte[] buf, int off) {
    int len = bytes.length;
    return Arrays.equals(bytes, 0, len, buf, off, off + len)
        || Octets.equalsIgnoreCase(bytes, 0, buf, off, len);
  }

  /**
   * The field name with this spelling; a well-known one comes back in its usual spelling.
   *
   * @throws IllegalArgumentException if it is not a token (RFC 9110 section 5.6.2)
   */
  public static HeaderName of(String name) {
    Octets.checkToken("a field name", name);
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    HeaderName known = find(bytes, 0, bytes.length);
    return known != null ? known : new HeaderName(bytes, false);
  }

  /**
   * The field name in {@code buf}, for parsers: finds a well-known one without allocation.
   *
   * @throws IllegalArgumentException if the octets are not a token
   */
  public static HeaderName of(byte[] buf, int off, int len) {
    if (len > 0) {
      HeaderName known = find(buf, off, len);
      if (known != null) {
        return known;
      }
    }
    Octets.checkToken("a field name", buf, off, len);
    return new HeaderName(Arrays.copyOfRange(buf, off, off + len), false);
  }

  /** The name in small letters, as HTTP/2 and HTTP/3 send it (RFC 9113 section 8.2). */
  public String lowerCase() {
    String known = lowerCase;
    if (known == null) {
      known = toString().toLowerCase(Locale.ROOT);
      lowerCase = known;
    }
    return known;
  }

  /** Length in bytes. */
  public int length() {
    return bytes.length;
  }

  /** Writes the bytes of {@link #toString} to {@code dst}; returns the index after them. */
  public int copyTo(byte[] dst, int at) {
    System.arraycopy(bytes, 0, dst, at, bytes.length);
    return at + bytes.length;
  }

  /** Writes the bytes of {@link #lowerCase} to {@code dst}; returns the index after them. */
  public int copyLowerCaseTo(byte[] dst, int at) {
    for (int i = 0; i < bytes.length; i++) {
      dst[at + i] = (byte) Octets.lower(bytes[i]);
    }
    return at + bytes.length;
  }

  @Override
  public boolean equals(Object o) {
    if (this == o) {
      return true;
    }
    // A well-known name has one instance only.
    return o instanceof HeaderName other
        && !wellKnown
        && !other.wellKnown
        && bytes.length == other.bytes.length
        && Octets.equalsIgnoreCase(bytes, 0, other.bytes, 0, bytes.length);
  }

  @Override
  public int hashCode() {
    if (hash == 0) {
      int h = 1;
      for (byte b : bytes) {
        h = h * 31 + Octets.lower(b);
      }
      hash = h;
    }
    return hash;
  }

  /** The spelling for HTTP/1.1: the usual one of a well-known name, else as it was given. */
  @Override
  public String toString() {
    String known = text;
    if (known == null) {
      known = new String(bytes, StandardCharsets.US_ASCII);
      text = known;
    }
    return known;
  }
}
