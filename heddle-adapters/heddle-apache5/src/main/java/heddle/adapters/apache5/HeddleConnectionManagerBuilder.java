package heddle.adapters.apache5;

import heddle.adapters.support.lease.Refusals;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.client5.http.socket.LayeredConnectionSocketFactory;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.io.HttpConnectionFactory;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link HeddleConnectionManager}. It has the methods of Apache's {@code
 * PoolingHttpClientConnectionManagerBuilder}, so that only the name of the class changes. Not
 * thread-safe.
 *
 * <pre>{@code
 * HttpClientConnectionManager manager = HeddleConnectionManagerBuilder.create()
 *     .setMaxConnPerRoute(100)
 *     .build();
 * }</pre>
 */
public final class HeddleConnectionManagerBuilder
    extends ConnectionManagerBuilder<HeddleConnectionManagerBuilder> {
  HeddleConnectionManagerBuilder() {}

  /** Returns a builder with the defaults. */
  public static HeddleConnectionManagerBuilder create() {
    return new HeddleConnectionManagerBuilder();
  }

  /**
   * Sets how connections are secured: with the certificates, TLS versions, cipher suites and rules
   * for host names of a {@code DefaultClientTlsStrategy} or a subclass of it. What a subclass does
   * with the {@code SSLSocket} has no effect, what it does with the {@code SSLEngine} has.
   *
   * @throws IllegalArgumentException if the strategy can only secure sockets
   */
  public HeddleConnectionManagerBuilder setTlsSocketStrategy(
      @Nullable TlsSocketStrategy newStrategy) {
    if (newStrategy != null && !(newStrategy instanceof TlsStrategy)) {
      throw Refusals.refused(
          "setTlsSocketStrategy",
          newStrategy.getClass().getName(),
          "it secures a socket, and Heddle's connections have none: give a"
              + " DefaultClientTlsStrategy, or use setSslContext and setHostnameVerifier");
    }
    strategy = (TlsStrategy) newStrategy;
    return this;
  }

  /**
   * Accepts null only, which is Apache's default.
   *
   * @throws IllegalArgumentException for any other factory
   * @deprecated use {@link #setTlsSocketStrategy}
   */
  @Deprecated
  public HeddleConnectionManagerBuilder setSSLSocketFactory(
      @Nullable LayeredConnectionSocketFactory factory) {
    requireAbsent(
        "setSSLSocketFactory",
        factory,
        "it creates sockets, and Heddle's connections have none: use setTlsSocketStrategy");
    return this;
  }

  /**
   * Accepts null only, which is Apache's default.
   *
   * @throws IllegalArgumentException for any other factory
   */
  public HeddleConnectionManagerBuilder setConnectionFactory(
      @Nullable HttpConnectionFactory<ManagedHttpClientConnection> factory) {
    requireAbsent(
        "setConnectionFactory",
        factory,
        "it creates Apache's connections, and Heddle has its own: omit it");
    return this;
  }

  private static void requireAbsent(String option, @Nullable Object given, String reason) {
    if (given != null) {
      throw Refusals.refused(option, given.getClass().getName(), reason);
    }
  }

  /** Has no effect: connections are always closed outside of locks. */
  public HeddleConnectionManagerBuilder setOffLockDisposalEnabled(boolean enabled) {
    return this;
  }

  /**
   * Builds the manager.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleConnectionManager build() {
    return new HeddleConnectionManager(this);
  }

  /**
   * Builds a manager for the asynchronous client.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleAsyncConnectionManager buildAsync() {
    return new HeddleAsyncConnectionManager(this);
  }
}
