package heddle.http;

import heddle.http.syntax.Octets;
import org.jspecify.annotations.Nullable;

/**
 * A status code (RFC 9110 section 15) from 100 to 999, with the phrase that IANA registers for it
 * or that a peer has sent instead. Equal if the codes are. Codes from 100 to 599 are cached.
 */
public final class Status {
  private static final @Nullable Status[] CACHE = new @Nullable Status[600];

  public static final Status CONTINUE = register(100, "Continue");
  public static final Status SWITCHING_PROTOCOLS = register(101, "Switching Protocols");
  public static final Status PROCESSING = register(102, "Processing");
  public static final Status EARLY_HINTS = register(103, "Early Hints");
  public static final Status OK = register(200, "OK");
  public static final Status CREATED = register(201, "Created");
  public static final Status ACCEPTED = register(202, "Accepted");
  public static final Status NON_AUTHORITATIVE_INFORMATION =
      register(203, "Non-Authoritative Information");
  public static final Status NO_CONTENT = register(204, "No Content");
  public static final Status RESET_CONTENT = register(205, "Reset Content");
  public static final Status PARTIAL_CONTENT = register(206, "Partial Content");
  public static final Status MULTI_STATUS = register(207, "Multi-Status");
  public static final Status ALREADY_REPORTED = register(208, "Already Reported");
  public static final Status IM_USED = register(226, "IM Used");
  public static final Status MULTIPLE_CHOICES = register(300, "Multiple Choices");
  public static final Status MOVED_PERMANENTLY = register(301, "Moved Permanently");
  public static final Status FOUND = register(302, "Found");
  public static final Status SEE_OTHER = register(303, "See Other");
  public static final Status NOT_MODIFIED = register(304, "Not Modified");
  public static final Status USE_PROXY = register(305, "Use Proxy");
  public static final Status TEMPORARY_REDIRECT = register(307, "Temporary Redirect");
  public static final Status PERMANENT_REDIRECT = register(308, "Permanent Redirect");
  public static final Status BAD_REQUEST = register(400, "Bad Request");
  public static final Status UNAUTHORIZED = register(401, "Unauthorized");
  public static final Status PAYMENT_REQUIRED = register(402, "Payment Required");
  public static final Status FORBIDDEN = register(403, "Forbidden");
  public static final Status NOT_FOUND = register(404, "Not Found");
  public static final Status METHOD_NOT_ALLOWED = register(405, "Method Not Allowed");
  public static final Status NOT_ACCEPTABLE = register(406, "Not Acceptable");
  public static final Status PROXY_AUTHENTICATION_REQUIRED =
      register(407, "Proxy Authentication Required");
  public static final Status REQUEST_TIMEOUT = register(408, "Request Timeout");
  public static final Status CONFLICT = register(409, "Conflict");
  public static final Status GONE = register(410, "Gone");
  public static final Status LENGTH_REQUIRED = register(411, "Length Required");
  public static final Status PRECONDITION_FAILED = register(412, "Precondition Failed");
  public static final Status CONTENT_TOO_LARGE = register(413, "Content Too Large");
  public static final Status URI_TOO_LONG = register(414, "URI Too Long");
  public static final Status UNSUPPORTED_MEDIA_TYPE = register(415, "Unsupported Media Type");
  public static final Status RANGE_NOT_SATISFIABLE = register(416, "Range Not Satisfiable");
  public static final Status EXPECTATION_FAILED = register(417, "Expectation Failed");
  public static final Status MISDIRECTED_REQUEST = register(421, "Misdirected Request");
  public static final Status UNPROCESSABLE_CONTENT = register(422, "Unprocessable Content");
  public static final Status LOCKED = register(423, "Locked");
  public static final Status FAILED_DEPENDENCY = register(424, "Failed Dependency");
  public static final Status TOO_EARLY = register(425, "Too Early");
  public static final Status UPGRADE_REQUIRED = register(426, "Upgrade Required");
  public static final Status PRECONDITION_REQUIRED = register(428, "Precondition Required");
  public static final Status TOO_MANY_REQUESTS = register(429, "Too Many Requests");
  public static final Status REQUEST_HEADER_FIELDS_TOO_LARGE =
      register(431, "Request Header Fields Too Large");
  public static final Status UNAVAILABLE_FOR_LEGAL_REASONS =
      register(451, "Unavailable For Legal Reasons");
  public static final Status INTERNAL_SERVER_ERROR = register(500, "Internal Server Error");
  public static final Status NOT_IMPLEMENTED = register(501, "Not Implemented");
  public static final Status BAD_GATEWAY = register(502, "Bad Gateway");
  public static final Status SERVICE_UNAVAILABLE = register(503, "Service Unavailable");
  public static final Status GATEWAY_TIMEOUT = register(504, "Gateway Timeout");
  public static final Status HTTP_VERSION_NOT_SUPPORTED =
      register(505, "HTTP Version Not Supported");
  public static final Status VARIANT_ALSO_NEGOTIATES = register(506, "Variant Also Negotiates");
  public static final Status INSUFFICIENT_STORAGE = register(507, "Insufficient Storage");
  public static final Status LOOP_DETECTED = register(508, "Loop Detected");
  public static final Status NETWORK_AUTHENTICATION_REQUIRED =
      register(511, "Network Authentication Required");

  static {
    for (int code = 100; code < CACHE.length; code++) {
      if (CACHE[code] == null) {
        CACHE[code] = new Status(code, "");
      }
    }
  }

  private final int code;
  private final String reason;

  private Status(int code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  private static Status register(int code, String reason) {
    Status status = new Status(code, reason);
    CACHE[code] = status;
    return status;
  }

  /**
   * The status with this code.
   *
   * @throws IllegalArgumentException if the code is not between 100 and 999
   */
  public static Status of(int code) {
    if (code < 100 || code > 999) {
      throw new IllegalArgumentException("status " + code + " is not between 100 and 999");
    }
    Status cached = code < CACHE.length ? CACHE[code] : null;
    return cached != null ? cached : new Status(code, "");
  }

  /**
   * The status with this code and the phrase that a peer sent with it over HTTP/1.1.
   *
   * @param reason may be empty; with the registered one this is the same as {@link #of(int)}
   * @throws IllegalArgumentException if the code is not between 100 and 999, or the phrase holds a
   *     control character other than a tab, or a char above 0xFF (RFC 9112 section 4)
   */
  public static Status of(int code, String reason) {
    Status status = of(code);
    if (status.reason.equals(reason)) {
      return status;
    }
    Octets.checkFieldValue("a reason phrase", reason);
    return new Status(code, reason);
  }

  public int code() {
    return code;
  }

  /** What a peer gave over HTTP/1.1, else the registered phrase; empty for a code without one. */
  public String reason() {
    return reason;
  }

  /** 1xx. */
  public boolean isInformational() {
    return code < 200;
  }

  /** 2xx. */
  public boolean isSuccess() {
    return code >= 200 && code < 300;
  }

  /** 3xx. */
  public boolean isRedirect() {
    return code >= 300 && code < 400;
  }

  /** 4xx. */
  public boolean isClientError() {
    return code >= 400 && code < 500;
  }

  /** 5xx. */
  public boolean isServerError() {
    return code >= 500 && code < 600;
  }

  /**
   * Whether responses with this status may have content: all but 1xx, 204 and 304 may (RFC 9110
   * section 6.4.1). One to HEAD has none, whatever its status is, nor has a 2xx to CONNECT.
   */
  public boolean mayHaveContent() {
    return code >= 200 && code != 204 && code != 304;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Status other && code == other.code;
  }

  @Override
  public int hashCode() {
    return code;
  }

  /** The code and its phrase, such as {@code 404 Not Found}. */
  @Override
  public String toString() {
    return reason.isEmpty() ? Integer.toString(code) : code + " " + reason;
  }
}
