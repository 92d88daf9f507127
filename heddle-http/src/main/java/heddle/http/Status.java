package heddle.http;

import heddle.http.syntax.Octets;
import org.jspecify.annotations.Nullable;

/**
 * A status code (RFC 9110 section 15) from 100 to 999, with the phrase that IANA registers for it
 * or that a peer has sent instead. Equal if the codes are. Codes from 100 to 599 are cached.
 */
public final class Status {
  private static final @Nullable Status[] CACHE = new @Nullable Status[600];

  /** 100 (Continue): RFC 9110 §15.2.1. */
  public static final Status CONTINUE = register(100, "Continue");

  /** 101 (Switching Protocols): RFC 9110 §15.2.2. */
  public static final Status SWITCHING_PROTOCOLS = register(101, "Switching Protocols");

  /** 102 (Processing): RFC 2518 §10.1. */
  public static final Status PROCESSING = register(102, "Processing");

  /** 103 (Early Hints): RFC 8297. */
  public static final Status EARLY_HINTS = register(103, "Early Hints");

  /** 200 (OK): RFC 9110 §15.3.1. */
  public static final Status OK = register(200, "OK");

  /** 201 (Created): RFC 9110 §15.3.2. */
  public static final Status CREATED = register(201, "Created");

  /** 202 (Accepted): RFC 9110 §15.3.3. */
  public static final Status ACCEPTED = register(202, "Accepted");

  /** 203 (Non-Authoritative Information): RFC 9110 §15.3.4. */
  public static final Status NON_AUTHORITATIVE_INFORMATION =
      register(203, "Non-Authoritative Information");

  /** 204 (No Content): RFC 9110 §15.3.5. */
  public static final Status NO_CONTENT = register(204, "No Content");

  /** 205 (Reset Content): RFC 9110 §15.3.6. */
  public static final Status RESET_CONTENT = register(205, "Reset Content");

  /** 206 (Partial Content): RFC 9110 §15.3.7. */
  public static final Status PARTIAL_CONTENT = register(206, "Partial Content");

  /** 207 (Multi-Status): RFC 4918 §11.1. */
  public static final Status MULTI_STATUS = register(207, "Multi-Status");

  /** 208 (Already Reported): RFC 5842 §7.1. */
  public static final Status ALREADY_REPORTED = register(208, "Already Reported");

  /** 226 (IM Used): RFC 3229 §10.4.1. */
  public static final Status IM_USED = register(226, "IM Used");

  /** 300 (Multiple Choices): RFC 9110 §15.4.1. */
  public static final Status MULTIPLE_CHOICES = register(300, "Multiple Choices");

  /** 301 (Moved Permanently): RFC 9110 §15.4.2. */
  public static final Status MOVED_PERMANENTLY = register(301, "Moved Permanently");

  /** 302 (Found): RFC 9110 §15.4.3. */
  public static final Status FOUND = register(302, "Found");

  /** 303 (See Other): RFC 9110 §15.4.4. */
  public static final Status SEE_OTHER = register(303, "See Other");

  /** 304 (Not Modified): RFC 9110 §15.4.5. */
  public static final Status NOT_MODIFIED = register(304, "Not Modified");

  /** 305 (Use Proxy): RFC 9110 §15.4.6. */
  public static final Status USE_PROXY = register(305, "Use Proxy");

  /** 307 (Temporary Redirect): RFC 9110 §15.4.8. */
  public static final Status TEMPORARY_REDIRECT = register(307, "Temporary Redirect");

  /** 308 (Permanent Redirect): RFC 9110 §15.4.9. */
  public static final Status PERMANENT_REDIRECT = register(308, "Permanent Redirect");

  /** 400 (Bad Request): RFC 9110 §15.5.1. */
  public static final Status BAD_REQUEST = register(400, "Bad Request");

  /** 401 (Unauthorized): RFC 9110 §15.5.2. */
  public static final Status UNAUTHORIZED = register(401, "Unauthorized");

  /** 402 (Payment Required): RFC 9110 §15.5.3. */
  public static final Status PAYMENT_REQUIRED = register(402, "Payment Required");

  /** 403 (Forbidden): RFC 9110 §15.5.4. */
  public static final Status FORBIDDEN = register(403, "Forbidden");

  /** 404 (Not Found): RFC 9110 §15.5.5. */
  public static final Status NOT_FOUND = register(404, "Not Found");

  /** 405 (Method Not Allowed): RFC 9110 §15.5.6. */
  public static final Status METHOD_NOT_ALLOWED = register(405, "Method Not Allowed");

  /** 406 (Not Acceptable): RFC 9110 §15.5.7. */
  public static final Status NOT_ACCEPTABLE = register(406, "Not Acceptable");

  /** 407 (Proxy Authentication Required): RFC 9110 §15.5.8. */
  public static final Status PROXY_AUTHENTICATION_REQUIRED =
      register(407, "Proxy Authentication Required");

  /** 408 (Request Timeout): RFC 9110 §15.5.9. */
  public static final Status REQUEST_TIMEOUT = register(408, "Request Timeout");

  /** 409 (Conflict): RFC 9110 §15.5.10. */
  public static final Status CONFLICT = register(409, "Conflict");

  /** 410 (Gone): RFC 9110 §15.5.11. */
  public static final Status GONE = register(410, "Gone");

  /** 411 (Length Required): RFC 9110 §15.5.12. */
  public static final Status LENGTH_REQUIRED = register(411, "Length Required");

  /** 412 (Precondition Failed): RFC 9110 §15.5.13. */
  public static final Status PRECONDITION_FAILED = register(412, "Precondition Failed");

  /** 413 (Content Too Large): RFC 9110 §15.5.14. */
  public static final Status CONTENT_TOO_LARGE = register(413, "Content Too Large");

  /** 414 (URI Too Long): RFC 9110 §15.5.15. */
  public static final Status URI_TOO_LONG = register(414, "URI Too Long");

  /** 415 (Unsupported Media Type): RFC 9110 §15.5.16. */
  public static final Status UNSUPPORTED_MEDIA_TYPE = register(415, "Unsupported Media Type");

  /** 416 (Range Not Satisfiable): RFC 9110 §15.5.17. */
  public static final Status RANGE_NOT_SATISFIABLE = register(416, "Range Not Satisfiable");

  /** 417 (Expectation Failed): RFC 9110 §15.5.18. */
  public static final Status EXPECTATION_FAILED = register(417, "Expectation Failed");

  /** 421 (Misdirected Request): RFC 9110 §15.5.20. */
  public static final Status MISDIRECTED_REQUEST = register(421, "Misdirected Request");

  /** 422 (Unprocessable Content): RFC 9110 §15.5.21. */
  public static final Status UNPROCESSABLE_CONTENT = register(422, "Unprocessable Content");

  /** 423 (Locked): RFC 4918 §11.3. */
  public static final Status LOCKED = register(423, "Locked");

  /** 424 (Failed Dependency): RFC 4918 §11.4. */
  public static final Status FAILED_DEPENDENCY = register(424, "Failed Dependency");

  /** 425 (Too Early): RFC 8470 §5.2. */
  public static final Status TOO_EARLY = register(425, "Too Early");

  /** 426 (Upgrade Required): RFC 9110 §15.5.22. */
  public static final Status UPGRADE_REQUIRED = register(426, "Upgrade Required");

  /** 428 (Precondition Required): RFC 6585 §3. */
  public static final Status PRECONDITION_REQUIRED = register(428, "Precondition Required");

  /** 429 (Too Many Requests): RFC 6585 §4. */
  public static final Status TOO_MANY_REQUESTS = register(429, "Too Many Requests");

  /** 431 (Request Header Fields Too Large): RFC 6585 §5. */
  public static final Status REQUEST_HEADER_FIELDS_TOO_LARGE =
      register(431, "Request Header Fields Too Large");

  /** 451 (Unavailable For Legal Reasons): RFC 7725 §3. */
  public static final Status UNAVAILABLE_FOR_LEGAL_REASONS =
      register(451, "Unavailable For Legal Reasons");

  /** 500 (Internal Server Error): RFC 9110 §15.6.1. */
  public static final Status INTERNAL_SERVER_ERROR = register(500, "Internal Server Error");

  /** 501 (Not Implemented): RFC 9110 §15.6.2. */
  public static final Status NOT_IMPLEMENTED = register(501, "Not Implemented");

  /** 502 (Bad Gateway): RFC 9110 §15.6.3. */
  public static final Status BAD_GATEWAY = register(502, "Bad Gateway");

  /** 503 (Service Unavailable): RFC 9110 §15.6.4. */
  public static final Status SERVICE_UNAVAILABLE = register(503, "Service Unavailable");

  /** 504 (Gateway Timeout): RFC 9110 §15.6.5. */
  public static final Status GATEWAY_TIMEOUT = register(504, "Gateway Timeout");

  /** 505 (HTTP Version Not Supported): RFC 9110 §15.6.6. */
  public static final Status HTTP_VERSION_NOT_SUPPORTED =
      register(505, "HTTP Version Not Supported");

  /** 506 (Variant Also Negotiates): RFC 2295 §8.1. */
  public static final Status VARIANT_ALSO_NEGOTIATES = register(506, "Variant Also Negotiates");

  /** 507 (Insufficient Storage): RFC 4918 §11.5. */
  public static final Status INSUFFICIENT_STORAGE = register(507, "Insufficient Storage");

  /** 508 (Loop Detected): RFC 5842 §7.2. */
  public static final Status LOOP_DETECTED = register(508, "Loop Detected");

  /** 511 (Network Authentication Required): RFC 6585 §6. */
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

  /** The code, 100 to 999. */
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
