package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Status;
import org.jspecify.annotations.Nullable;

/**
 * A proxy was reached and did not connect to the origin: it refused, sent a malformed answer, or
 * asked for credentials that the client does not have. The origin did not get the request. If the
 * proxy cannot be reached, that is a {@link ConnectFailedException}.
 */
public final class ProxyException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** What was wrong. */
  public enum Reason {
    /**
     * The proxy wants credentials, or rejected those it got, or the supplier of credentials threw
     * an exception, which is the cause then.
     */
    AUTHENTICATION,
    /** The proxy answered that it will not or cannot connect to the origin. */
    REFUSED,
    /** What the proxy sent breaks its protocol. */
    MALFORMED
  }

  /**
   * What an HTTP proxy answered to CONNECT (RFC 9110 section 9.3.6).
   *
   * @param status not 2xx
   * @param headers of the response
   * @param content the first 4 KiB of its content, as ISO 8859-1; from the proxy, so not to be
   *     trusted
   */
  public record Answer(Status status, Headers headers, String content) {}

  /** Why the proxy could not be used. */
  private final Reason reason;

  /** The proxy, as text. */
  private final String proxy;

  private final transient @Nullable Answer answer;

  /** Creates the exception of a failure at this point of a call. */
  public ProxyException(
      Reason reason,
      String message,
      String proxy,
      @Nullable Answer answer,
      @Nullable FailurePoint at,
      @Nullable Throwable cause) {
    super(message, at, cause);
    this.reason = reason;
    this.proxy = proxy;
    this.answer = answer;
  }

  /** Why the proxy could not be used. */
  public Reason reason() {
    return reason;
  }

  /** Which proxy, as a URL without credentials, such as {@code http://proxy.example:3128}. */
  public String proxy() {
    return proxy;
  }

  /** What an HTTP proxy answered; null without a valid answer, for SOCKS, and once serialized. */
  public @Nullable Answer answer() {
    return answer;
  }
}
