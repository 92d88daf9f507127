package heddle.client.route;

import heddle.http.HttpVersion;
import heddle.http.Request;
import org.jspecify.annotations.Nullable;

/** Decides where a request goes. Safe for use by many threads. */
@FunctionalInterface
public interface RoutePlanner {
  Route plan(Request request);

  /**
   * Straight to the request's origin.
   *
   * @param preferred the version for requests that name none; null to find it out
   */
  static RoutePlanner direct(@Nullable HttpVersion preferred) {
    return request -> {
      HttpVersion named = request.version();
      return new Route(request.origin(), named == null ? preferred : named);
    };
  }
}
