import heddle.adapters.urlconnection.HeddleUrlConnections;
import java.net.spi.URLStreamHandlerProvider;

/** Heddle's client under {@code java.net.HttpURLConnection}. */
module heddle.adapters.urlconnection {
  requires static transitive org.jspecify;
  requires heddle.adapters.support;
  requires heddle.client;

  exports heddle.adapters.urlconnection;

  provides URLStreamHandlerProvider with
      HeddleUrlConnections;
}
