package heddle.client.route;

import heddle.client.spi.Proxy;

/** What leads through a proxy. */
public interface Proxied {
  /** The one of its route's proxies that is used. */
  Proxy proxy();
}
