package heddle.web.files;

import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A request without a connection. */
record FakeExchange(Request request) implements Exchange {
  @Override
  public HttpVersion version() {
    return HttpVersion.HTTP_1_1;
  }

  @Override
  public SocketAddress remoteAddress() {
    return InetSocketAddress.createUnresolved("client", 1);
  }

  @Override
  public SocketAddress localAddress() {
    return InetSocketAddress.createUnresolved("server", 80);
  }

  @Override
  public long connectionId() {
    return 1;
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return null;
  }

  @Override
  public <T> @Nullable T get(Attribute<T> attribute) {
    return null;
  }

  @Override
  public <T> void set(Attribute<T> attribute, T value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void interim(Status status, Headers fields) {
    throw new UnsupportedOperationException();
  }

  @Override
  public OutputStream begin(Response head) {
    throw new UnsupportedOperationException();
  }
}
