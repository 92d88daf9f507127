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

  /** The media types that a client prefers: RFC 9110 §12.5.1. */
  public static final HeaderName ACCEPT = register("Accept");

  /** The character encodings that a client prefers; deprecated: RFC 9110 §12.5.2. */
  public static final HeaderName ACCEPT_CHARSET = register("Accept-Charset");

  /** The content codings that a client understands: RFC 9110 §12.5.3. */
  public static final HeaderName ACCEPT_ENCODING = register("Accept-Encoding");

  /** The languages that a client prefers: RFC 9110 §12.5.4. */
  public static final HeaderName ACCEPT_LANGUAGE = register("Accept-Language");

  /** The range units that a server supports for a resource: RFC 9110 §14.3. */
  public static final HeaderName ACCEPT_RANGES = register("Accept-Ranges");

  /** Whether a page may read a response to a request with credentials: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_ALLOW_CREDENTIALS =
      register("Access-Control-Allow-Credentials");

  /** The fields that a page may send: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_ALLOW_HEADERS =
      register("Access-Control-Allow-Headers");

  /** The methods that a page may use: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_ALLOW_METHODS =
      register("Access-Control-Allow-Methods");

  /** The origin whose pages may read the response: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_ALLOW_ORIGIN =
      register("Access-Control-Allow-Origin");

  /** The fields of the response that a page may read: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_EXPOSE_HEADERS =
      register("Access-Control-Expose-Headers");

  /** How long the answer to a preflight request holds, in seconds: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_MAX_AGE = register("Access-Control-Max-Age");

  /** The fields that a page wants to send, in a preflight request: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_REQUEST_HEADERS =
      register("Access-Control-Request-Headers");

  /** The method that a page wants to use, in a preflight request: WHATWG Fetch. */
  public static final HeaderName ACCESS_CONTROL_REQUEST_METHOD =
      register("Access-Control-Request-Method");

  /** How long a response was in a cache, in seconds: RFC 9111 §5.1. */
  public static final HeaderName AGE = register("Age");

  /** The methods that a resource supports: RFC 9110 §10.2.1. */
  public static final HeaderName ALLOW = register("Allow");

  /** Other places at which an origin can be reached: RFC 7838 §3. */
  public static final HeaderName ALT_SVC = register("Alt-Svc");

  /** Credentials for the origin server: RFC 9110 §11.6.2. */
  public static final HeaderName AUTHORIZATION = register("Authorization");

  /** Directives for caches: RFC 9111 §5.2. */
  public static final HeaderName CACHE_CONTROL = register("Cache-Control");

  /** Options of this connection alone; not in HTTP/2: RFC 9110 §7.6.1. */
  public static final HeaderName CONNECTION = register("Connection");

  /** How content is to be presented, and the name of a file: RFC 6266. */
  public static final HeaderName CONTENT_DISPOSITION = register("Content-Disposition");

  /** The content codings that were applied: RFC 9110 §8.4. */
  public static final HeaderName CONTENT_ENCODING = register("Content-Encoding");

  /** The language of the audience: RFC 9110 §8.5. */
  public static final HeaderName CONTENT_LANGUAGE = register("Content-Language");

  /** The length of the content in bytes: RFC 9110 §8.6. */
  public static final HeaderName CONTENT_LENGTH = register("Content-Length");

  /** A URI for what the content represents: RFC 9110 §8.7. */
  public static final HeaderName CONTENT_LOCATION = register("Content-Location");

  /** Which part of a representation the content is: RFC 9110 §14.4. */
  public static final HeaderName CONTENT_RANGE = register("Content-Range");

  /** What a page may load and run: Content Security Policy Level 3. */
  public static final HeaderName CONTENT_SECURITY_POLICY = register("Content-Security-Policy");

  /** The media type of the content: RFC 9110 §8.3. */
  public static final HeaderName CONTENT_TYPE = register("Content-Type");

  /** The cookies that a client returns: RFC 6265bis §4.2. */
  public static final HeaderName COOKIE = register("Cookie");

  /** When a message was created: RFC 9110 §6.6.1. */
  public static final HeaderName DATE = register("Date");

  /** The entity tag of a representation: RFC 9110 §8.8.3. */
  public static final HeaderName ETAG = register("ETag");

  /** What a client expects of a server before it sends content: RFC 9110 §10.1.1. */
  public static final HeaderName EXPECT = register("Expect");

  /** When a response becomes stale: RFC 9111 §5.3. */
  public static final HeaderName EXPIRES = register("Expires");

  /** What proxies know of a request that they have forwarded: RFC 7239. */
  public static final HeaderName FORWARDED = register("Forwarded");

  /** The email address of a user who controls a robot: RFC 9110 §10.1.2. */
  public static final HeaderName FROM = register("From");

  /** The host and port of the target; {@code :authority} in HTTP/2: RFC 9110 §7.2. */
  public static final HeaderName HOST = register("Host");

  /** The settings of a client that offers an upgrade to h2c; obsolete: RFC 7540 §3.2.1. */
  public static final HeaderName HTTP2_SETTINGS = register("HTTP2-Settings");

  /** The entity tags of which one must still be current: RFC 9110 §13.1.1. */
  public static final HeaderName IF_MATCH = register("If-Match");

  /** The time since which there must have been a change: RFC 9110 §13.1.3. */
  public static final HeaderName IF_MODIFIED_SINCE = register("If-Modified-Since");

  /** The entity tags of which none may be current: RFC 9110 §13.1.2. */
  public static final HeaderName IF_NONE_MATCH = register("If-None-Match");

  /** What must still be current for a range to be sent instead of all: RFC 9110 §13.1.5. */
  public static final HeaderName IF_RANGE = register("If-Range");

  /** The time since which there must have been no change: RFC 9110 §13.1.4. */
  public static final HeaderName IF_UNMODIFIED_SINCE = register("If-Unmodified-Since");

  /** How long, and for how many requests, a connection of HTTP/1.1 stays open: RFC 2068 §19.7.1. */
  public static final HeaderName KEEP_ALIVE = register("Keep-Alive");

  /** When a representation last changed: RFC 9110 §8.8.2. */
  public static final HeaderName LAST_MODIFIED = register("Last-Modified");

  /** Links to other resources: RFC 8288 §3. */
  public static final HeaderName LINK = register("Link");

  /** Where a redirect leads, or what was created: RFC 9110 §10.2.2. */
  public static final HeaderName LOCATION = register("Location");

  /** By how many proxies OPTIONS or TRACE may be forwarded: RFC 9110 §7.6.2. */
  public static final HeaderName MAX_FORWARDS = register("Max-Forwards");

  /** The origin of the page that a request comes from: RFC 6454 §7. */
  public static final HeaderName ORIGIN = register("Origin");

  /** Directives for caches of HTTP/1.0; deprecated: RFC 9111 §5.4. */
  public static final HeaderName PRAGMA = register("Pragma");

  /** How urgent a response is: RFC 9218 §5. */
  public static final HeaderName PRIORITY = register("Priority");

  /** The challenges of a proxy: RFC 9110 §11.7.1. */
  public static final HeaderName PROXY_AUTHENTICATE = register("Proxy-Authenticate");

  /** Credentials for a proxy: RFC 9110 §11.7.2. */
  public static final HeaderName PROXY_AUTHORIZATION = register("Proxy-Authorization");

  /** A mistaken form of Connection that some clients send to proxies: RFC 9112 §C.2.2. */
  public static final HeaderName PROXY_CONNECTION = register("Proxy-Connection");

  /** The parts of a representation that a client asks for: RFC 9110 §14.2. */
  public static final HeaderName RANGE = register("Range");

  /** The resource that a target URI was obtained from: RFC 9110 §10.1.3. */
  public static final HeaderName REFERER = register("Referer");

  /** When to ask again: seconds or a date: RFC 9110 §10.2.3. */
  public static final HeaderName RETRY_AFTER = register("Retry-After");

  /** The software of an origin server: RFC 9110 §10.2.4. */
  public static final HeaderName SERVER = register("Server");

  /** How long a server took for its work: Server Timing. */
  public static final HeaderName SERVER_TIMING = register("Server-Timing");

  /** A cookie that a client is to keep; one in each field: RFC 6265bis §4.1. */
  public static final HeaderName SET_COOKIE = register("Set-Cookie");

  /** That a host is to be asked over TLS alone: RFC 6797 §6.1. */
  public static final HeaderName STRICT_TRANSPORT_SECURITY = register("Strict-Transport-Security");

  /** Which transfer codings a client accepts, and whether trailers: RFC 9110 §10.1.4. */
  public static final HeaderName TE = register("TE");

  /** The trace and the span that a request belongs to: Trace Context. */
  public static final HeaderName TRACEPARENT = register("Traceparent");

  /** What systems of tracing add to a trace: Trace Context. */
  public static final HeaderName TRACESTATE = register("Tracestate");

  /** The names of the fields after the content: RFC 9110 §6.6.2. */
  public static final HeaderName TRAILER = register("Trailer");

  /** The transfer codings of HTTP/1.1 that were applied: RFC 9112 §6.1. */
  public static final HeaderName TRANSFER_ENCODING = register("Transfer-Encoding");

  /** The protocols that a connection of HTTP/1.1 may switch to: RFC 9110 §7.8. */
  public static final HeaderName UPGRADE = register("Upgrade");

  /** The software of a client: RFC 9110 §10.1.5. */
  public static final HeaderName USER_AGENT = register("User-Agent");

  /** The fields of a request that a response depends on: RFC 9110 §12.5.5. */
  public static final HeaderName VARY = register("Vary");

  /** The proxies that a message came through: RFC 9110 §7.6.3. */
  public static final HeaderName VIA = register("Via");

  /** The challenges of an origin server: RFC 9110 §11.6.1. */
  public static final HeaderName WWW_AUTHENTICATE = register("WWW-Authenticate");

  /** That a browser is not to guess media types: WHATWG Fetch. */
  public static final HeaderName X_CONTENT_TYPE_OPTIONS = register("X-Content-Type-Options");

  /** The addresses that a request came through; {@link #FORWARDED} replaces it. */
  public static final HeaderName X_FORWARDED_FOR = register("X-Forwarded-For");

  /** The host that a client asked a proxy for; {@link #FORWARDED} replaces it. */
  public static final HeaderName X_FORWARDED_HOST = register("X-Forwarded-Host");

  /** The scheme that a client asked a proxy by; {@link #FORWARDED} replaces it. */
  public static final HeaderName X_FORWARDED_PROTO = register("X-Forwarded-Proto");

  /** Whether a page may be shown in a frame: RFC 7034. */
  public static final HeaderName X_FRAME_OPTIONS = register("X-Frame-Options");

  /** An identifier of a request, for logs. */
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

  /**
   * Whether the values are credentials, which no log should show: Authorization,
   * Proxy-Authorization, Cookie, Set-Cookie.
   */
  public boolean isCredential() {
    return this == AUTHORIZATION
        || this == PROXY_AUTHORIZATION
        || this == COOKIE
        || this == SET_COOKIE;
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
