package heddle.adapters.jdk;

import heddle.client.spi.Proxy;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What servers and proxies have accepted, to be shown again without being asked for: a server's for
 * the folder of the URI that it was for, and all below (RFC 7617 section 2.2). Safe for use by many
 * threads.
 */
final class KnownPasswords {
  /** Beyond so many, the oldest are forgotten. */
  private static final int MOST = 1000;

  /**
   * Something that was accepted.
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

  /** Null where nothing is known for this space, or one above. */
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
