package heddle.client.route;

import heddle.client.spi.Proxy;

/** A connection that leads through a proxy. */
public interface Proxied {
  /** The proxy that is used, one of those of the route. */
  Proxy proxy();
}
