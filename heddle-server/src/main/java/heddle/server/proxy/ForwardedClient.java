package heddle.server.proxy;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * From where a request came, as far as trusted proxies say so.
 *
 * @param address of the client: the last one that a trusted proxy has named, or that of the direct
 *     peer if none has. An {@link java.net.InetSocketAddress} has port 0 if the port is not known
 * @param scheme with which the client sent the request, in small letters, such as {@code https};
 *     null if no trusted proxy says so
 * @param host the Host of the client's request, with its port if it had one; null if no trusted
 *     proxy says so
 */
public record ForwardedClient(
    SocketAddress address, @Nullable String scheme, @Nullable String host) {}
