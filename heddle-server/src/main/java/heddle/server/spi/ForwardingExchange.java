package heddle.server.spi;

import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another exchange; for filters that change a part. */
public abstract class ForwardingExchange implements Exchange {
  private final Exchange exchange;

  /** Creates one that passes everything on to {@code exchange}. */
  protected ForwardingExchange(Exchange exchange) {
    this.exchange = Objects.requireNonNull(exchange, "exchange");
  }

  /** The other exchange. */
  protected final Exchange exchange() {
    return exchange;
  }

  @Override
  public Request request() {
    return exchange.request();
  }

  @Override
  public String receivedTarget() {
    return exchange.receivedTarget();
  }

  @Override
  public HttpVersion version() {
    return exchange.version();
  }

  @Override
  public SocketAddress remoteAddress() {
    return exchange.remoteAddress();
  }

  @Override
  public SocketAddress localAddress() {
    return exchange.localAddress();
  }

  @Override
  public long connectionId() {
    return exchange.connectionId();
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return exchange.tlsSession();
  }

  @Override
  public <T> @Nullable T get(Attribute<T> attribute) {
    return exchange.get(attribute);
  }

  @Override
  public <T> void set(Attribute<T> attribute, T value) {
    exchange.set(attribute, value);
  }

  @Override
  public @Nullable Status statusOfFault(Throwable failure) {
    return exchange.statusOfFault(failure);
  }

  @Override
  public void interim(Status status, Headers fields) throws IOException {
    exchange.interim(status, fields);
  }

  @Override
  public OutputStream begin(Response head) {
    return exchange.begin(head);
  }

  @Override
  public Upgraded switchProtocols(String protocol, Headers fields) throws IOException {
    return exchange.switchProtocols(protocol, fields);
  }

  @Override
  public void abort() {
    exchange.abort();
  }

  @Override
  public String toString() {
    return exchange.toString();
  }
}
