package heddle.adapters.jersey;

import heddle.http.Origin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * Proxies of the JVM's selector. If a proxy's host was set to a URL, such as {@code
 * -Dhttp.proxyHost=http://proxy.test}, the host of the URL is used, as by Jersey's own connectors.
 */
final class JvmProxies extends ProxySelector {
  private static final String SCHEME = "http://";

  private final ProxySelector selector;

  private JvmProxies(ProxySelector selector) {
    this.selector = selector;
  }

  /** The proxies for an origin, in the order in which they are tried; empty for none. */
  static List<heddle.client.spi.Proxy> of(Origin origin) {
    ProxySelector selector = ProxySelector.getDefault();
    return selector == null
        ? List.of()
        : heddle.client.spi.ProxySelector.of(new JvmProxies(selector)).select(origin);
  }

  @Override
  public List<Proxy> select(URI uri) {
    return selector.select(uri).stream().map(JvmProxies::withoutScheme).toList();
  }

  private static Proxy withoutScheme(Proxy proxy) {
    if (!(proxy.address() instanceof InetSocketAddress address)
        || !address.getHostString().toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return proxy;
    }
    String host = address.getHostString().substring(SCHEME.length());
    return new Proxy(proxy.type(), InetSocketAddress.createUnresolved(host, address.getPort()));
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    selector.connectFailed(uri, address, failure);
  }
}
