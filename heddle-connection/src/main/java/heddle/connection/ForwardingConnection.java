package heddle.connection;

import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection that forwards to another one whatever is not overridden, except that {@link
 * #channel} and {@link #isAuthoritativeFor} are not forwarded: a wrapper may lead elsewhere.
 */
public interface ForwardingConnection extends Connection {
  /** The connection that calls are forwarded to, which may change. */
  Connection target();

  @Override
  default Response send(Request request, Exchange exchange) throws IOException {
    return target().send(request, exchange);
  }

  @Override
  default int maxExchanges() {
    return target().maxExchanges();
  }

  @Override
  default boolean isMultiplexed() {
    return target().isMultiplexed();
  }

  @Override
  default boolean isOpen() {
    return target().isOpen();
  }

  @Override
  default long id() {
    return target().id();
  }

  @Override
  default HttpVersion version() {
    return target().version();
  }

  @Override
  default @Nullable Duration idleHint() {
    return target().idleHint();
  }

  @Override
  default @Nullable SocketAddress remoteAddress() {
    return target().remoteAddress();
  }

  @Override
  default @Nullable SocketAddress localAddress() {
    return target().localAddress();
  }

  @Override
  default @Nullable SSLSession tlsSession() {
    return target().tlsSession();
  }

  @Override
  default void close() {
    target().close();
  }
}
