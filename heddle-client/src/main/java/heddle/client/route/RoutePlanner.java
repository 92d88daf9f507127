package heddle.client.route;

import heddle.http.Request;

/** Decides where a request goes. Safe for use by many threads. */
@FunctionalInterface
public interface RoutePlanner {
  Route plan(Request request);

  /** Straight to the request's origin. */
  static RoutePlanner direct() {
    return request -> new Route(request.origin());
  }
}
