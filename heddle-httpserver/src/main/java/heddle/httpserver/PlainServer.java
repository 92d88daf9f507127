package heddle.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A server of HTTP. */
final class PlainServer extends HttpServer {
  private final ServerLifecycle server;

  PlainServer(@Nullable InetSocketAddress address, int backlog) throws IOException {
    server = new ServerLifecycle(this, false, address, backlog);
  }

  @Override
  public void bind(InetSocketAddress address, int backlog) throws IOException {
    server.bind(address, backlog);
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void setExecutor(@Nullable Executor executor) {
    server.setExecutor(executor);
  }

  @Override
  public @Nullable Executor getExecutor() {
    return server.executor();
  }

  @Override
  public void stop(int delay) {
    server.stop(delay);
  }

  @Override
  public HttpContext createContext(String path, HttpHandler handler) {
    return server.contexts.create(path, handler);
  }

  @Override
  public HttpContext createContext(String path) {
    return server.contexts.create(path);
  }

  @Override
  public void removeContext(String path) {
    server.contexts.remove(path);
  }

  @Override
  public void removeContext(HttpContext context) {
    server.contexts.remove(context);
  }

  @Override
  public @Nullable InetSocketAddress getAddress() {
    return server.address();
  }
}
