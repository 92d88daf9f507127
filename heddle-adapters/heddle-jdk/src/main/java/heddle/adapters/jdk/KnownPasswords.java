package heddle.adapters.jdk;

import heddle.client.spi.Proxy;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that servers and proxies have accepted, which are then sent preemptively: to a server
 * for the directory of the URI and everything below it (RFC 7617 section 2.2). Thread-safe.
 */
final class KnownPasswords {
  /** The maximum number of entries. The oldest are evicted. */
  private static final int MOST = 1000;

  /**
   * Accepted credentials.
   *
   * @param space a prefix of URIs, or a proxy
   * @param field the value of Authorization; null for a proxy
   */
  record Known(String space, Proxy.Credentials credentials, @Nullable String field) {}

  private final List<Known> all = new CopyOnWriteArrayList<>();

  static String spaceOf(URI uri) {
    String path = uri.normalize().getRawPath();
    String folder =
        path == null || path.isEmpty() ? "/" : path.substring(0, path.lastIndexOf('/') + 1);
    return Messages.origin(uri) + folder;
  }

  static String spaceOf(Proxy proxy) {
    return "proxy " + proxy.host() + ":" + proxy.port() + "/";
  }

  /** Returns the credentials for this space or one above it; null for none. */
  @Nullable
  Known find(String space) {
    for (Known each : all) {
      if (space.startsWith(each.space())) {
        return each;
      }
    }
    return null;
  }

  void remember(Known accepted) {
    all.removeIf(each -> each.space().equals(accepted.space()));
    if (all.size() >= MOST) {
      all.removeFirst();
    }
    all.add(accepted);
  }

  void forget(Known refused) {
    all.remove(refused);
  }
}
