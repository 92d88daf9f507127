package heddle.web;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request with a problem: thrown by handlers and filters, and by a router for requests that
 * no route answers. The router turns it into a response by {@link Routes#onError} or {@link
 * Routes#onStatus}, or else into {@linkplain Problem problem details}.
 *
 * <pre>{@code
 * throw new ProblemException(403, "only the owner may delete this");
 * }</pre>
 *
 * <p>Without a cause, and with a status below 500, it has no stack trace: it is an answer, and
 * clients can provoke it at any rate.
 */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final transient Headers headers;

  /**
   * @param status from 400 to 599
   * @param detail a text for the client; null for none
   * @throws IllegalArgumentException for another status
   */
  public ProblemException(int status, @Nullable String detail) {
    this(Problem.of(status).detail(detail));
  }

  /** Ends the request with this problem. */
  public ProblemException(Problem problem) {
    this(problem, Headers.empty(), null);
  }

  /**
   * Ends the request with this problem.
   *
   * @param headers more fields for the response, such as WWW-Authenticate or Retry-After
   * @param cause null if there is none
   */
  public ProblemException(Problem problem, Headers headers, @Nullable Throwable cause) {
    super(problem.toString(), cause, true, cause != null || problem.status().isServerError());
    this.problem = problem;
    this.headers = Objects.requireNonNull(headers, "headers");
  }

  /** As {@link #ProblemException(int, String)}, with a field for the response. */
  static ProblemException of(int status, @Nullable String detail, HeaderName name, String value) {
    return new ProblemException(
        Problem.of(status).detail(detail), Headers.builder().add(name, value).build(), null);
  }

  /** The problem; not kept by serialization. */
  public Problem problem() {
    return problem;
  }

  /** More fields for the response; not kept by serialization. */
  public Headers headers() {
    return headers;
  }
}
