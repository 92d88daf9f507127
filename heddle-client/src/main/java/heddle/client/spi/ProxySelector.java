package heddle.client.spi;

import heddle.http.Origin;
import java.util.List;

/**
 * Decides through which proxy requests go. Asked once for each request, on the thread that makes
 * the call, and to be quick: remember what takes long. Safe for use by many threads.
 */
@FunctionalInterface
public interface ProxySelector {
  /**
   * The proxies for requests to an origin, in the order in which to try them. Where one cannot be
   * reached, nothing has been sent and the next is tried; {@link Proxy#DIRECT} may be among them.
   * Empty for none. The same list, as {@code equals} means it, for requests that are to share
   * connections.
   */
  List<Proxy> select(Origin origin);
}
