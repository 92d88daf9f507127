package heddle.client.route;

import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import heddle.client.spi.Route;
import heddle.http.HttpVersion;
import heddle.http.Request;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides where a request goes. Safe for use by many threads. */
@FunctionalInterface
public interface RoutePlanner {
  Route plan(Request request);

  /**
   * Routes through the proxies that a selector returns.
   *
   * @param selector null for no proxies
   * @param preferred the version for requests that name none; null to negotiate it
   */
  static RoutePlanner through(@Nullable ProxySelector selector, @Nullable HttpVersion preferred) {
    return request -> {
      HttpVersion named = request.version();
      HttpVersion version = named == null ? preferred : named;
      if (selector == null) {
        return new Route(request.origin(), version);
      }
      List<Proxy> proxies = Objects.requireNonNull(
          selector.select(request.origin()),
          "a ProxySelector must return an empty list for no proxy, not null");
      return Route.through(proxies, request.origin(), version);
    };
  }
}
