package heddle.connection;

import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.Channel;
import heddle.transport.SecureChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A client's connection that carries exchanges. Safe for use by many threads. */
public interface Connection {
  /**
   * Sends a request and parks the calling thread until the head of its response has arrived. {@link
   * Exchange#ended} is called before this returns if the whole response has arrived, otherwise when
   * its body has been read or closed.
   *
   * @throws heddle.http.HttpException when the exchange fails; a connection that carries one
   *     exchange at a time is closed then
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again,
   *     and a connection that carries one exchange at a time is closed
   */
  Response send(Request request, Exchange exchange) throws IOException;

  /**
   * How many exchanges the connection carries at the same time: 1 for HTTP/1.1, what the peer
   * allows for HTTP/2 (RFC 9113 §5.1.2), which may be 0 for a while and changes.
   */
  int maxExchanges();

  /**
   * Whether several exchanges share the connection, as in HTTP/2. An upgrade changes this once,
   * from false, during an exchange, and {@link ConnectionListener#capacityChanged} is called.
   */
  boolean isMultiplexed();

  /** Whether a further exchange may be tried; once false, it remains so. */
  boolean isOpen();

  /** A number that is unique in this process; 0 if the connection has none. */
  default long id() {
    return 0;
  }

  /** The version of HTTP that the connection speaks. */
  default HttpVersion version() {
    return isMultiplexed() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
  }

  /** The idle time after which the peer has said that it closes; null if it has not said. */
  default @Nullable Duration idleHint() {
    return null;
  }

  /** The channel that carries the connection's bytes; null if there is none. */
  default @Nullable Channel channel() {
    return null;
  }

  /** The peer's address; null if it is not known. */
  default @Nullable SocketAddress remoteAddress() {
    Channel channel = channel();
    return channel == null ? null : channel.remoteAddress();
  }

  /** The address on this machine that the connection comes from; null if it is not known. */
  default @Nullable SocketAddress localAddress() {
    Channel channel = channel();
    return channel == null ? null : channel.localAddress();
  }

  /** What the TLS handshake settled; null without TLS. */
  default @Nullable SSLSession tlsSession() {
    return channel() instanceof SecureChannel secure ? secure.session() : null;
  }

  /**
   * Whether the connection may carry requests for this host as far as its server's certificate is
   * concerned (RFC 9113 §9.1.1): it was verified, and a separate connection to the host would
   * require no more of it. Looks at the certificate each time.
   *
   * @param host a name or an address without brackets
   */
  default boolean isAuthoritativeFor(String host) {
    return false;
  }

  /** Closes the connection; exchanges under way fail. Idempotent, does not wait. */
  void close();
}
