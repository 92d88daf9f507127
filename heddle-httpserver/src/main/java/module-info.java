import com.sun.net.httpserver.spi.HttpServerProvider;
import heddle.httpserver.HeddleHttpServerProvider;

/** Heddle's server under the API of {@code com.sun.net.httpserver}. */
module heddle.httpserver {
  requires static transitive org.jspecify;
  requires transitive jdk.httpserver;
  requires heddle.server;

  exports heddle.httpserver;

  provides HttpServerProvider with
      HeddleHttpServerProvider;
}
