package heddle.client.spi;

import heddle.http.Origin;
import java.util.List;

/**
 * Decides which proxies requests go through. Called once for each request, on the thread that makes
 * the call; it must be quick, so cache what takes long. It must be safe for use by many threads.
 */
@FunctionalInterface
public interface ProxySelector {
  /**
   * The proxies for requests to an origin, in the order in which to try them. If one cannot be
   * reached, nothing of the request has been sent, and the next is tried; {@link Proxy#DIRECT} may
   * be among them. Empty for no proxy. Requests share connections only if their lists are equal.
   */
  List<Proxy> select(Origin origin);
}
