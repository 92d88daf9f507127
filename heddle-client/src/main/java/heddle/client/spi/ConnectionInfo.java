package heddle.client.spi;

import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection.
 *
 * @param id unique among the connections of this process; above 0
 * @param origin for which it was opened; the proxy itself if that forwards for any http origin
 * @param version of HTTP on the connection
 * @param remoteAddress the peer's address, which is the proxy's if there is one; null if unknown
 * @param tlsSession result of the TLS handshake with the origin, or with a proxy that forwards:
 *     version, cipher suite, certificates; null without TLS
 * @param proxy through which it leads; null for none
 * @param localAddress the address on this machine that it comes from; null if unknown
 */
public record ConnectionInfo(
    long id,
    Origin origin,
    HttpVersion version,
    @Nullable SocketAddress remoteAddress,
    @Nullable SSLSession tlsSession,
    @Nullable Proxy proxy,
    @Nullable SocketAddress localAddress) {
  /** A connection that leads through no proxy, from an address that is not known. */
  public ConnectionInfo(
      long id,
      Origin origin,
      HttpVersion version,
      @Nullable SocketAddress remoteAddress,
      @Nullable SSLSession tlsSession) {
    this(id, origin, version, remoteAddress, tlsSession, null, null);
  }
}
