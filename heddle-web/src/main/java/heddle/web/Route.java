package heddle.web;

import heddle.http.Method;
import heddle.server.spi.ExchangeHandler;
import org.jspecify.annotations.Nullable;

/**
 * A method and a path, and what answers their requests.
 *
 * @param method null for all
 * @param scope the group in which it was declared
 * @param chain the filters of the group and those around it, and the handler
 */
record Route(@Nullable Method method, PathPattern pattern, Scope scope, ExchangeHandler chain) {
  /** Such as {@code GET /users/{id}}, for messages. */
  @Override
  public String toString() {
    return (method == null ? "any method " : method + " ") + pattern.text();
  }
}
