package heddle.adapters.apache5;

import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link HeddleAsyncConnectionManager}. It has the methods of Apache's {@code
 * PoolingAsyncClientConnectionManagerBuilder}, so that only the name of the class changes. Not
 * thread-safe.
 */
public final class HeddleAsyncConnectionManagerBuilder
    extends ConnectionManagerBuilder<HeddleAsyncConnectionManagerBuilder> {
  private HeddleAsyncConnectionManagerBuilder() {}

  /** Returns a builder with the defaults. */
  public static HeddleAsyncConnectionManagerBuilder create() {
    return new HeddleAsyncConnectionManagerBuilder();
  }

  /**
   * Sets how connections are secured: with the {@code SSLContext} that the strategy starts TLS
   * with, its settings of the {@code SSLEngine} and its verification of the server, for each
   * connection. The protocol is negotiated as the {@code HttpVersionPolicy} says.
   */
  public HeddleAsyncConnectionManagerBuilder setTlsStrategy(@Nullable TlsStrategy newStrategy) {
    strategy = newStrategy;
    return this;
  }

  /** Has no effect: requests over HTTP/2 always share connections. */
  public HeddleAsyncConnectionManagerBuilder setMessageMultiplexing(boolean enabled) {
    return this;
  }

  /**
   * Builds the manager.
   *
   * @throws IllegalArgumentException if an option cannot be honoured; the message names it
   */
  public HeddleAsyncConnectionManager build() {
    return new HeddleAsyncConnectionManager(this);
  }
}
