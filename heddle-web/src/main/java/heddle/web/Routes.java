package heddle.web;

import heddle.http.Method;
import heddle.server.spi.Exchange;
import heddle.server.spi.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects routes with what they have in common. Not safe for use by several threads.
 *
 * <p>The path of a route begins with a slash and consists of segments:
 *
 * <ul>
 *   <li>a text, such as {@code users}, which may be percent-encoded, and matches however the
 *       request encodes it; case matters
 *   <li><code>{id}</code>, a parameter: one segment that is not empty
 *   <li><code>{path...}</code>, only as the last one: this segment and all that follow it
 * </ul>
 *
 * <p>A slash at the end is a segment that is empty, so {@code /users} and {@code /users/} are two
 * paths, and <code>/files/{path...}</code> matches {@code /files/} but not {@code /files}.
 *
 * <p>Where paths of several routes match, the first segment in which they differ decides: a text
 * comes before a parameter, and that before the rest of the path, in whatever order they were
 * added. Routes that do not have the request's method are passed over: with {@code GET /users/me}
 * and <code>POST /users/{id}</code>, a POST to {@code /users/me} is one of the second.
 *
 * @param <S> the type that the methods return: this one
 */
public abstract sealed class Routes<S extends Routes<S>> permits RouteGroup, Router.Builder {
  private final String prefix;
  private final List<Filter> filters = new ArrayList<>();
  private final ErrorHandlers errors = new ErrorHandlers();
  private final List<Declared> declared = new ArrayList<>();
  private final List<RouteGroup> groups = new ArrayList<>();

  Routes(String prefix) {
    this.prefix = prefix;
  }

  private record Declared(@Nullable Method method, PathPattern pattern, WebHandler handler) {}

  abstract S self();

  /** Adds a route for GET, and for HEAD unless there is one: the server drops the content. */
  public S get(String path, WebHandler handler) {
    return route(Method.GET, path, handler);
  }

  /** Adds a route for POST. */
  public S post(String path, WebHandler handler) {
    return route(Method.POST, path, handler);
  }

  /** Adds a route for PUT. */
  public S put(String path, WebHandler handler) {
    return route(Method.PUT, path, handler);
  }

  /** Adds a route for PATCH. */
  public S patch(String path, WebHandler handler) {
    return route(Method.PATCH, path, handler);
  }

  /** Adds a route for DELETE. */
  public S delete(String path, WebHandler handler) {
    return route(Method.DELETE, path, handler);
  }

  /**
   * Adds a route for all methods but CONNECT that have no route of the same path for themselves.
   * HEAD then goes to a route for GET, and OPTIONS to this one.
   */
  public S any(String path, WebHandler handler) {
    return add(null, path, handler);
  }

  /**
   * Adds a route for a method.
   *
   * @param method any, such as {@code Method.of("PURGE")}, but CONNECT, which has no path
   * @param path see {@link Routes}; in a group it follows the prefix, and is empty for that alone
   * @throws IllegalArgumentException if the path is malformed, or the method CONNECT
   */
  public S route(Method method, String path, WebHandler handler) {
    Objects.requireNonNull(method, "method");
    if (method.equals(Method.CONNECT)) {
      throw new IllegalArgumentException(
          "a request with the method CONNECT has no path: remove the route of " + path);
    }
    return add(method, path, handler);
  }

  private S add(@Nullable Method method, String path, WebHandler handler) {
    Objects.requireNonNull(handler, "handler");
    if (!path.isEmpty() && !path.startsWith("/")) {
      throw new IllegalArgumentException(
          "the path %s must begin with a slash: write /%s".formatted(path, path));
    }
    declared.add(new Declared(method, PathPattern.parse(prefix + path), handler));
    return self();
  }

  /**
   * Adds routes with a common prefix, and filters and error handlers for them alone.
   *
   * <pre>{@code
   * .group("/api", api -> api
   *     .filter(authentication)
   *     .get("/items", this::items))
   * }</pre>
   *
   * @param prefix begins with a slash and does not end with one; may have parameters; empty for
   *     routes that only have filters or error handlers in common
   * @param routes called at once
   * @throws IllegalArgumentException if the prefix is malformed
   */
  public S group(String prefix, Consumer<? super RouteGroup> routes) {
    if (!prefix.isEmpty()) {
      PathPattern.parse(prefix);
      if (prefix.endsWith("/")) {
        throw new IllegalArgumentException("the prefix " + prefix
            + " must not end with a slash: the paths of its routes begin with one");
      }
    }
    RouteGroup group = new RouteGroup(this.prefix + prefix);
    routes.accept(group);
    groups.add(group);
    return self();
  }

  /**
   * Adds a filter. Filters run in the order in which they were added, those of the router first,
   * then those of the groups inwards, for all routes of the group, also those added before.
   *
   * <p>Filters of the whole router run for each request. Those of a group run if a path of the
   * group matches, so also before it is answered that the method is not allowed, or what OPTIONS
   * asks for. The route is known by then: {@link Router#ROUTE}, {@link WebExchange#of}.
   *
   * <p>A filter sees the responses that error handlers make of exceptions. It may pass another
   * {@link Exchange} on, if that is a {@link heddle.server.spi.ForwardingExchange}.
   */
  public S filter(Filter filter) {
    filters.add(Objects.requireNonNull(filter, "filter"));
    return self();
  }

  /**
   * Adds a handler for the exceptions of this type and its subtypes that handlers and filters of
   * this group throw. The handler for the nearest type is called, and those of inner groups come
   * first. An exception without one goes on to the server, which logs it and answers 500.
   *
   * <p>Two exceptions are handled only by handlers for their own type, not by those for {@link
   * RuntimeException} or {@link Exception}: {@link ProblemException}, which otherwise becomes
   * problem details, and {@link InterruptedException}, which otherwise goes on. A {@link
   * heddle.web.form.FormException} is handled as a problem of its status. If a response has begun,
   * or the request could not be received through the client's {@linkplain
   * Exchange#statusOfFault fault}, each exception goes on to the server, which cuts the response,
   * or answers with the status of the fault.
   *
   * @throws IllegalArgumentException if the group has a handler for this type already
   */
  public <E extends Exception> S onError(Class<E> type, ErrorHandler<? super E> handler) {
    errors.add(Objects.requireNonNull(type, "type"), Objects.requireNonNull(handler, "handler"));
    return self();
  }

  /**
   * Adds a handler for requests of this group that end with a {@link ProblemException} of this
   * status: one that was thrown, or the router's own 404 (Not Found, only for the whole router or a
   * host), 405 (Method Not Allowed) or 400 (Bad Request). It comes before those of {@link
   * #onError}. If its response has the same status, it gets the exception's fields, such as Allow.
   *
   * @param status from 400 to 599
   * @throws IllegalArgumentException if the group has a handler for this status already
   */
  public S onStatus(int status, ErrorHandler<ProblemException> handler) {
    Problem.of(status);
    errors.add(status, Objects.requireNonNull(handler, "handler"));
    return self();
  }

  boolean hasRoutes() {
    return !declared.isEmpty() || groups.stream().anyMatch(Routes::hasRoutes);
  }

  /** What the routes of this group have in common, within the group around it. */
  Scope scope(@Nullable Scope around) {
    return new Scope(around, filters, errors);
  }

  /** Adds all routes, with the filters that run before them. */
  void addTo(RouteTree tree, Scope own) {
    for (Declared each : declared) {
      WebHandler handler = each.handler;
      tree.add(new Route(
          each.method,
          each.pattern,
          own,
          own.chain(exchange -> handler.handle(WebExchange.of(exchange)))));
    }
    for (RouteGroup group : groups) {
      group.addTo(tree, group.scope(own));
    }
  }
}
