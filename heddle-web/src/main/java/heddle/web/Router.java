package heddle.web;

import heddle.http.BodyCodec;
import heddle.http.HeaderName;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.syntax.Host;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.RefusedRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers each request by the route that its method and path lead to. Immutable, and safe for use
 * by many threads.
 *
 * <pre>{@code
 * Router router = Router.builder()
 *     .get("/users/{id}", exchange -> Response.ok("user " + exchange.path("id").asInt()))
 *     .group("/api", api -> api
 *         .filter(authentication)
 *         .post("/items", exchange ->
 *             exchange.respond(201, store.add(exchange.bodyAs(Item.class)))))
 *     .onError(NotFoundException.class, (exchange, e) ->
 *         Problem.of(404).detail(e.getMessage()).toResponse())
 *     .build();
 * HttpServer.builder().exchangeHandler(router).start();
 * }</pre>
 *
 * <p>{@link Routes} says which paths match. The segments of a path are decoded one by one, as UTF-8
 * (RFC 3986 section 2.1): {@code %2F} does not split a segment, and reaches a parameter as a slash.
 * Each request without a route is answered with a {@linkplain Problem problem}, which {@link
 * Routes#onStatus} can change:
 *
 * <ul>
 *   <li>400 if a segment of the path is not UTF-8, has a zero byte, or is {@code .} or {@code ..},
 *       encoded or not
 *   <li>404 if no path matches
 *   <li>405 with Allow if none of the routes whose paths match has the method
 *   <li>421 if there are only routes of other hosts
 *   <li>501 to CONNECT
 * </ul>
 *
 * <p>HEAD is answered by the route for GET, and OPTIONS with 204 and Allow, unless there are routes
 * for them. {@code OPTIONS *} is answered with the methods of all routes.
 */
public final class Router implements ExchangeHandler {
  /**
   * The path of the route that a request was led to, with placeholders, such as {@code
   * /users/{id}}: few values, for metrics and access logs. Not set without a route.
   */
  public static final Attribute<String> ROUTE = Attribute.of("heddle.web.route", String.class);

  private final BodySettings bodies;
  private final Scope scope;
  private final @Nullable HostRoutes fallback;
  private final Map<String, HostRoutes> hosts;
  private final Map<String, HostRoutes> domains; // those for all names below them
  private final String allMethods;

  /** The routes of one or several hosts. */
  private record HostRoutes(Scope scope, RouteTree tree) {
    static HostRoutes of(Routes<?> routes, Scope scope) {
      RouteTree tree = new RouteTree();
      routes.addTo(tree, scope);
      return new HostRoutes(scope, tree);
    }
  }

  private Router(Builder builder) {
    bodies = builder.bodies;
    scope = builder.scope(null);
    boolean hasFallback = builder.hasRoutes() || builder.hosts.isEmpty();
    fallback = hasFallback ? HostRoutes.of(builder, scope) : null;
    Map<String, HostRoutes> exact = new HashMap<>();
    Map<String, HostRoutes> below = new HashMap<>();
    builder.hosts.forEach((name, group) -> {
      HostRoutes routes = HostRoutes.of(group, group.scope(scope));
      boolean isDomain = name.startsWith(Builder.ALL_BELOW);
      (isDomain ? below : exact)
          .put(isDomain ? name.substring(Builder.ALL_BELOW.length()) : name, routes);
    });
    hosts = Map.copyOf(exact);
    domains = Map.copyOf(below);
    List<HostRoutes> all = new ArrayList<>(exact.values());
    all.addAll(below.values());
    if (fallback != null) {
      all.addFirst(fallback);
    }
    Set<String> methods = new LinkedHashSet<>();
    all.forEach(each -> each.tree.forEach(route -> addMethods(route, methods)));
    methods.add(Method.OPTIONS.name());
    allMethods = String.join(", ", methods);
  }

  /** A builder without routes. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public @Nullable Response handle(Exchange exchange) throws Exception {
    WebExchange web = new WebExchange(exchange, bodies);
    return route(web).handle(web);
  }

  /** Passes it on to the filters of the router, but not to those of groups. */
  @Override
  public void refused(RefusedRequest request) {
    scope.refused(request);
  }

  private ExchangeHandler route(WebExchange exchange) {
    Request request = exchange.request();
    HostRoutes routes = routesOf(request.origin().host());
    if (routes == null) {
      return exchange.endsWith(
          scope, new ProblemException(421, "this server has nothing under this host name"));
    }
    Method method = request.method();
    String target = request.target();
    if (method.equals(Method.CONNECT)) {
      return exchange.endsWith(
          routes.scope, new ProblemException(501, "this server opens no tunnels"));
    }
    if (!target.startsWith("/")) {
      return exchange.endsWith(routes.scope, allowed(allMethods)); // OPTIONS *
    }
    RequestPath path;
    try {
      path = RequestPath.parse(target);
    } catch (ProblemException malformed) {
      return exchange.endsWith(routes.scope, malformed);
    }
    Route route = routes.tree.find(path, method);
    if (route == null) {
      return withoutRoute(exchange, routes, path, method);
    }
    exchange.follows(route, path);
    return route.chain();
  }

  /** RFC 9110 section 7.4: what is meant for another host must not be answered as if for this. */
  private @Nullable HostRoutes routesOf(String host) {
    if (hosts.isEmpty() && domains.isEmpty()) {
      return fallback;
    }
    String name = Builder.withoutLastDot(host);
    HostRoutes exact = hosts.get(name);
    if (exact != null) {
      return exact;
    }
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      HostRoutes below = domains.get(name.substring(dot + 1));
      if (below != null) {
        return below;
      }
    }
    return fallback;
  }

  private static ExchangeHandler withoutRoute(
      WebExchange exchange, HostRoutes routes, RequestPath path, Method method) {
    List<Route> others = new ArrayList<>();
    routes.tree.forEach(path, others::add);
    if (others.isEmpty()) {
      return exchange.endsWith(
          routes.scope, new ProblemException(404, "there is nothing under this path"));
    }
    Scope common = others.getFirst().scope();
    Set<String> methods = new LinkedHashSet<>();
    for (Route each : others) {
      addMethods(each, methods);
      common = Scope.common(common, each.scope());
    }
    methods.add(Method.OPTIONS.name());
    String allow = String.join(", ", methods);
    if (method.equals(Method.OPTIONS)) {
      return exchange.endsWith(common, allowed(allow));
    }
    return exchange.endsWith(
        common,
        ProblemException.of(405, "the method is not one of " + allow, HeaderName.ALLOW, allow));
  }

  private static Response allowed(String methods) {
    return Response.builder(Status.NO_CONTENT).header(HeaderName.ALLOW, methods).build();
  }

  private static void addMethods(Route route, Set<String> methods) {
    Method method = route.method();
    if (method != null) {
      methods.add(method.name());
    }
    if (method == Method.GET) {
      methods.add(Method.HEAD.name());
    }
  }

  /** Collects routes. Not safe for use by several threads. */
  public static final class Builder extends Routes<Builder> {
    /** What a name of all hosts below another begins with. */
    private static final String ALL_BELOW = "*.";

    private final Map<String, RouteGroup> hosts = new LinkedHashMap<>();
    private BodySettings bodies = BodySettings.DEFAULTS;

    private Builder() {
      super("");
    }

    @Override
    Builder self() {
      return this;
    }

    /**
     * Adds routes for a host, on any port. Requests for it see no other routes, but the
     * filters and error handlers of the router. Routes that were added outside answer requests for
     * all other hosts.
     *
     * @param name such as {@code api.example.com}; or {@code *.example.com} for all names below
     *     this one, at any depth, unless a longer name matches; IPv6 addresses are in brackets
     * @param routes called at once
     * @throws IllegalArgumentException if this is no host, or there are routes for it already
     */
    public Builder host(String name, Consumer<? super RouteGroup> routes) {
      boolean isDomain = name.startsWith(ALL_BELOW);
      int from = isDomain ? ALL_BELOW.length() : 0;
      String host = withoutLastDot(Host.parse(name, from, name.length()));
      if (host.indexOf('*') >= 0) {
        throw new IllegalArgumentException(
            "an asterisk stands only before all of a name, as in *.example.com, not in " + name);
      }
      RouteGroup group = new RouteGroup("");
      if (hosts.putIfAbsent(isDomain ? ALL_BELOW + host : host, group) != null) {
        throw new IllegalArgumentException(
            "there are routes for the host " + name + " already: add all of them at once");
      }
      routes.accept(group);
      return this;
    }

    private static String withoutLastDot(String host) {
      return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    /**
     * Sets what converts values for {@link WebExchange#bodyAs} and {@link WebExchange#respond};
     * without it, the {@linkplain BodyCodec#installed installed} one does.
     *
     * @param mediaTypes of content that it reads, without parameters; none for JSON: {@code
     *     application/json} and all that end with {@code +json}
     */
    public Builder codec(BodyCodec codec, MediaType... mediaTypes) {
      bodies = bodies.with(codec, List.of(mediaTypes));
      return this;
    }

    /**
     * Sets how much content {@link WebExchange#bodyAs} and {@link WebExchange#bodyText} read; 1 MiB
     * without it. More is answered 413. The server has a limit for all content.
     *
     * @param bytes at least 1
     * @throws IllegalArgumentException if it is less
     */
    public Builder maxBodyBytes(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("maxBodyBytes must be at least 1, but was " + bytes);
      }
      bodies = bodies.with(bytes);
      return this;
    }

    /**
     * Builds the router. The builder may be used further for another one.
     *
     * @throws IllegalArgumentException if two routes answer the same requests; names both
     */
    public Router build() {
      return new Router(this);
    }
  }
}
