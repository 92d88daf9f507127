package heddle.httpserver;

import com.sun.net.httpserver.spi.HttpServerProvider;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The JDK's provider and ours, in one JVM. */
final class Providers {
  /**
   * Only code of the JDK's module may create its provider: this property has it do so, and must be
   * set before the provider is first asked for.
   */
  static final HttpServerProvider STOCK = stock();

  static final HttpServerProvider OURS = new HeddleHttpServerProvider();

  /** Kept, so that its level is. */
  private static final Logger LOG = Logger.getLogger("com.sun.net.httpserver");

  static {
    LOG.setLevel(Level.OFF); // Much is done wrong on purpose.
  }

  private Providers() {}

  private static HttpServerProvider stock() {
    System.setProperty(
        "com.sun.net.httpserver.HttpServerProvider",
        "sun.net.httpserver.DefaultHttpServerProvider");
    return HttpServerProvider.provider();
  }
}
