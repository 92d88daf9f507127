package heddle.doh;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A DNS server did not answer a question in a way that can be used. If several servers were asked,
 * this is the failure of the first, and those of the others are suppressed exceptions.
 */
public final class DohException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What was wrong. */
  public enum Reason {
    /** There was no HTTP response, or not all of it; the cause says why. */
    NO_RESPONSE,
    /** No response came within {@link DohResolver.Builder#timeout}. */
    TIMEOUT,
    /** The status of the HTTP response was not one of success (RFC 8484 section 4.2.1). */
    STATUS,
    /** The content was not {@code application/dns-message} (RFC 8484 section 6). */
    CONTENT_TYPE,
    /** The content was longer than a DNS message can be: 65,535 bytes (RFC 8484 section 6). */
    TOO_LARGE,
    /** The content was no DNS message, or contradicts itself (RFC 1035 section 4). */
    MALFORMED,
    /** The message answers another question. */
    OTHER_QUESTION,
    /** The message says that it is cut short (TC, RFC 1035 section 4.1.1). */
    TRUNCATED,
    /** The server could not or would not answer, as by SERVFAIL (RFC 1035 section 4.1.1). */
    RESPONSE_CODE
  }

  /** The URL of the server, without the query. */
  private final String server;

  /** What was wrong. */
  private final Reason reason;

  DohException(String server, Reason reason, String problem, @Nullable Throwable cause) {
    super("the DNS server %s %s".formatted(server, problem), cause);
    this.server = server;
    this.reason = reason;
  }

  /** The URL of the server, without the query. */
  public String server() {
    return server;
  }

  /** What was wrong. */
  public Reason reason() {
    return reason;
  }
}
