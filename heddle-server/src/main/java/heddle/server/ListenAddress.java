package heddle.server;

import heddle.server.proxy.TrustedProxies;
import heddle.transport.tls.TlsOptions;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One of several addresses on which a server listens, see {@link HttpServer.Builder#listen}.
 *
 * <pre>{@code
 * ListenAddress.of(new InetSocketAddress(8443)).withTls(options)
 * }</pre>
 *
 * @param address to bind: an {@link java.net.InetSocketAddress}, whose port 0 lets the system
 *     choose, or a {@link java.net.UnixDomainSocketAddress}
 * @param tls with which TLS is spoken there; null for cleartext
 * @param proxies that send a header of the PROXY protocol, see {@link
 *     HttpServer.Builder#proxyProtocol}; null if none do
 */
public record ListenAddress(
    SocketAddress address, @Nullable TlsOptions tls, @Nullable TrustedProxies proxies) {
  /**
   * @throws IllegalArgumentException if the options hold no identity
   */
  public ListenAddress {
    Objects.requireNonNull(address, "address");
    if (tls != null) {
      checkIdentity(tls);
    }
  }

  /** An address in cleartext, for connections without a header of the PROXY protocol. */
  public static ListenAddress of(SocketAddress address) {
    return new ListenAddress(address, null, null);
  }

  /** The same address with TLS. */
  public ListenAddress withTls(TlsOptions options) {
    return new ListenAddress(address, Objects.requireNonNull(options, "options"), proxies);
  }

  /** The same address with the PROXY protocol, see {@link HttpServer.Builder#proxyProtocol}. */
  public ListenAddress withProxyProtocol(TrustedProxies trusted) {
    return new ListenAddress(address, tls, Objects.requireNonNull(trusted, "trusted"));
  }

  static void checkIdentity(TlsOptions options) {
    if (!options.hasIdentity()) {
      throw new IllegalArgumentException(
          "a server needs a certificate: give its TlsOptions an identity");
    }
  }
}
