package heddle.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** An exchange of a server of HTTP. */
final class PlainExchange extends HttpExchange {
  private final Conversation conversation;

  PlainExchange(Conversation conversation) {
    this.conversation = conversation;
  }

  @Override
  public Headers getRequestHeaders() {
    return conversation.requestHeaders();
  }

  @Override
  public Headers getResponseHeaders() {
    return conversation.responseHeaders();
  }

  @Override
  public URI getRequestURI() {
    return conversation.uri();
  }

  @Override
  public String getRequestMethod() {
    return conversation.method();
  }

  @Override
  public HttpContext getHttpContext() {
    return conversation.context();
  }

  @Override
  public void close() {
    conversation.close();
  }

  @Override
  public InputStream getRequestBody() {
    return conversation.in();
  }

  @Override
  public OutputStream getResponseBody() {
    return conversation.out();
  }

  @Override
  public void sendResponseHeaders(int code, long length) throws IOException {
    conversation.sendHead(code, length);
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return conversation.remoteAddress();
  }

  @Override
  public int getResponseCode() {
    return conversation.code();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return conversation.localAddress();
  }

  @Override
  public String getProtocol() {
    return conversation.protocol();
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return conversation.attribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    conversation.setAttribute(name, value);
  }

  @Override
  public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
    conversation.setStreams(in, out);
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return conversation.principal();
  }
}
