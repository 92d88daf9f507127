package heddle.client.route;

import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import heddle.client.spi.Route;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.duplex.UpgradeContent;
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
      // Few servers let other protocols be spoken over HTTP/2 (RFC 8441). A proxy that forwards
      // does not pass an Upgrade on.
      boolean upgrades = request.body() instanceof UpgradeContent;
      HttpVersion usual = upgrades && preferred == null ? HttpVersion.HTTP_1_1 : preferred;
      HttpVersion named = request.version();
      HttpVersion version = named == null ? usual : named;
      if (selector == null) {
        return new Route(request.origin(), version);
      }
      List<Proxy> proxies = Objects.requireNonNull(
          selector.select(request.origin()),
          "a ProxySelector must return an empty list for no proxy, not null");
      return upgrades
          ? Route.tunnelled(proxies, request.origin(), version)
          : Route.through(proxies, request.origin(), version);
    };
  }
}
