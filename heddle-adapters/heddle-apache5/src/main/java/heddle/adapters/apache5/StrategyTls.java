package heddle.adapters.apache5;

import heddle.adapters.support.Clients;
import heddle.adapters.support.lease.Refusals;
import heddle.transport.tls.TlsOptions;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.reactor.ssl.SSLSessionInitializer;
import org.apache.hc.core5.reactor.ssl.SSLSessionVerifier;
import org.apache.hc.core5.reactor.ssl.TlsDetails;
import org.apache.hc.core5.reactor.ssl.TransportSecurityLayer;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * How a TLS strategy of Apache's secures connections. For each of Heddle's connections the strategy
 * starts TLS on a layer that only notes with what: then Heddle makes the handshake with that
 * context, and the strategy configures its engine and verifies the server.
 */
final class StrategyTls implements TransportSecurityLayer, TlsOptions.ServerCheck {
  private final HttpHost host;
  private @Nullable SSLContext context;
  private @Nullable SSLSessionInitializer initializer;
  private @Nullable SSLSessionVerifier verifier;

  private StrategyTls(TlsStrategy strategy, HttpHost host, TlsConfig config) {
    this.host = host;
    strategy.upgrade(this, host, config, config.getHandshakeTimeout(), null);
  }

  /**
   * Returns options whose handshakes are as the strategy wants them.
   *
   * @throws IllegalArgumentException if the strategy has its own way to secure connections
   */
  static TlsOptions.Builder options(TlsStrategy strategy, TlsConfig config) {
    SSLContext used = new StrategyTls(strategy, host("localhost", 443), config).context;
    if (used == null) {
      throw Refusals.refused(
          "setTlsStrategy",
          strategy.getClass().getName(),
          "it did not start TLS with an SSLContext, which Heddle needs for the handshake: give a"
              + " DefaultClientTlsStrategy, or use setSslContext and setHostnameVerifier");
    }
    return Clients.tls(used)
        .serverChecks((name, port) -> new StrategyTls(strategy, host(name, port), config));
  }

  private static HttpHost host(String name, int port) {
    return new HttpHost(URIScheme.HTTPS.id, name, port);
  }

  // ---- what the strategy starts TLS with

  @Override
  public void startTls(
      SSLContext sslContext,
      NamedEndpoint endpoint,
      @Nullable SSLBufferMode bufferMode,
      @Nullable SSLSessionInitializer newInitializer,
      @Nullable SSLSessionVerifier newVerifier,
      @Nullable Timeout handshakeTimeout) {
    context = sslContext;
    initializer = newInitializer;
    verifier = newVerifier;
  }

  /** Null: there was no handshake yet. */
  @Override
  public @Nullable TlsDetails getTlsDetails() {
    return null;
  }

  // ---- what happens in the handshake

  /** Lets the strategy configure the engine, except for the protocols above TLS. */
  @Override
  public void configure(SSLEngine engine) {
    SSLSessionInitializer known = initializer;
    if (known != null) {
      String[] offered = engine.getSSLParameters().getApplicationProtocols();
      known.initialize(host, engine);
      SSLParameters configured = engine.getSSLParameters();
      configured.setApplicationProtocols(offered);
      engine.setSSLParameters(configured);
    }
  }

  @Override
  public void verify(SSLEngine engine) throws SSLException {
    SSLSessionVerifier known = verifier;
    if (known != null) {
      known.verify(host, engine);
    }
  }
}
