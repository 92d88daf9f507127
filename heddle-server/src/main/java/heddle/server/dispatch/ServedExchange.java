package heddle.server.dispatch;

import heddle.connection.ResponseOutput;
import heddle.connection.ServerExchange;
import heddle.connection.UpgradedStream;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.Upgraded;
import heddle.transport.SecureChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What a handler sees of an exchange. Used by one thread at a time. */
final class ServedExchange implements Exchange {
  private final ServerExchange exchange;
  private final Request request;
  private final @Nullable HandlerTimer timer;
  private @Nullable Map<Attribute<?>, Object> attributes;
  private @Nullable ResponseOutput output;
  private @Nullable UpgradedStream upgraded;
  private boolean aborted;

  /**
   * @param timer limits the handler's time until it switches to another protocol; null for no limit
   */
  ServedExchange(ServerExchange exchange, Request request, @Nullable HandlerTimer timer) {
    this.exchange = exchange;
    this.request = request;
    this.timer = timer;
  }

  /** Whether the handler has begun a response, or has switched to another protocol. */
  boolean hasBegun() {
    return output != null || upgraded != null;
  }

  /** Why the response that was begun could not be sent; null if it was, or still can be. */
  @Nullable
  Exception failure() {
    return output == null ? null : output.failure();
  }

  /** The handler has returned: ends what it has begun. */
  void end() throws IOException {
    if (output != null) {
      output.close();
    }
    if (upgraded != null) {
      upgraded.close();
    }
  }

  /**
   * The handler has failed: cuts what it has begun. Returns whether a response may take its place.
   */
  boolean abandon(Throwable because) {
    if (upgraded != null) {
      upgraded.abort();
      return false;
    }
    if (output == null) {
      return true;
    }
    output.abandon(because instanceof Exception e ? e : new IOException(because));
    return output.failure() != null;
  }

  @Override
  public Request request() {
    return request;
  }

  @Override
  public String receivedTarget() {
    return exchange.target();
  }

  @Override
  public HttpVersion version() {
    return exchange.version();
  }

  @Override
  public SocketAddress remoteAddress() {
    return exchange.channel().remoteAddress();
  }

  @Override
  public SocketAddress localAddress() {
    return exchange.channel().localAddress();
  }

  @Override
  public long connectionId() {
    return exchange.connectionId();
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return exchange.channel() instanceof SecureChannel secure ? secure.session() : null;
  }

  @Override
  public <T> @Nullable T get(Attribute<T> attribute) {
    Object value = attributes == null ? null : attributes.get(attribute);
    return value == null ? null : attribute.type().cast(value);
  }

  @Override
  public <T> void set(Attribute<T> attribute, T value) {
    if (attributes == null) {
      attributes = new HashMap<>();
    }
    attributes.put(attribute, Objects.requireNonNull(value, "value"));
  }

  @Override
  public @Nullable Status statusOfFault(Throwable failure) {
    return timer != null && timer.hasFired()
        ? Status.SERVICE_UNAVAILABLE
        : exchange.statusOfFault(failure);
  }

  @Override
  public void interim(Status status, Headers fields) throws IOException {
    if (!status.isInformational() || status.code() == 101) {
      throw new IllegalArgumentException(status.code() + " is no interim response");
    }
    checkNotBegun();
    exchange.interim(status, fields);
  }

  @Override
  public OutputStream begin(Response head) {
    if (head.status().isInformational()) {
      throw new IllegalArgumentException(
          "a response begins with a final status, not " + head.status().code());
    }
    if (head.body().length() != 0) {
      throw new IllegalArgumentException("the head has a body: return the response instead");
    }
    checkNotBegun();
    ResponseOutput begun = exchange.begin(head);
    output = begun;
    return begun;
  }

  @Override
  public Upgraded switchProtocols(String protocol, Headers fields) throws IOException {
    if (!offers(protocol)) {
      throw new IllegalArgumentException("the client does not offer to switch to " + protocol);
    }
    checkNotBegun();
    if (timer != null) {
      timer.disarm();
    }
    UpgradedStream stream = exchange.switchProtocols(protocol, fields);
    upgraded = stream;
    return new ServedUpgrade(stream);
  }

  @Override
  public void abort() {
    aborted = true;
    exchange.abandon();
  }

  /** Whether the handler has given the exchange up. */
  boolean isAborted() {
    return aborted;
  }

  private void checkNotBegun() {
    if (output != null || upgraded != null) {
      throw new IllegalStateException("the response has begun already");
    }
  }

  @Override
  public String toString() {
    return exchange.toString();
  }
}
