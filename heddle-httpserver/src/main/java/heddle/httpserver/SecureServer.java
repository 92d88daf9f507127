package heddle.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A server of HTTPS. */
final class SecureServer extends HttpsServer {
  private final ServerLifecycle server;

  SecureServer(@Nullable InetSocketAddress address, int backlog) throws IOException {
    server = new ServerLifecycle(this, true, address, backlog);
  }

  @Override
  public void setHttpsConfigurator(HttpsConfigurator configurator) {
    server.setConfigurator(configurator);
  }

  @Override
  public @Nullable HttpsConfigurator getHttpsConfigurator() {
    return server.configurator();
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
