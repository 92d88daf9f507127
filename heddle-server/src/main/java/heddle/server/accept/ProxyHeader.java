package heddle.server.accept;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a header of the PROXY protocol says about the connection that it precedes: both addresses,
 * or neither if the proxy connects for itself or does not know them.
 *
 * @param source from where the client connected to the proxy
 * @param destination to where the client connected
 */
record ProxyHeader(@Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {
  static final ProxyHeader UNKNOWN = new ProxyHeader(null, null);
}
