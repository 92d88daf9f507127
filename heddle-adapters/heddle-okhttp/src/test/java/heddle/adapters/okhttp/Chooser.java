package heddle.adapters.okhttp;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns the same proxies each time, and records its calls. */
final class Chooser extends ProxySelector {
  final List<URI> asked = new CopyOnWriteArrayList<>();
  final List<String> failed = new CopyOnWriteArrayList<>();
  private final List<Proxy> proxies;

  Chooser(Proxy... proxies) {
    this.proxies = List.of(proxies);
  }

  @Override
  public List<Proxy> select(URI uri) {
    asked.add(uri);
    return proxies;
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    failed.add(uri + " " + address);
  }
}
