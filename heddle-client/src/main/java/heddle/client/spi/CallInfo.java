package heddle.client.spi;

import heddle.http.Request;

/**
 * A call, as its listeners see it.
 *
 * @param id unique among the observed calls of this process; above 0
 * @param request what the caller wants to have sent
 */
public record CallInfo(long id, Request request) {
  /** Such as {@code call 7: GET http://x:80/path}. */
  @Override
  public String toString() {
    // The query may hold what is nobody's business.
    return "call %d: %s %s%s".formatted(id, request.method(), request.origin(), request.path());
  }
}
