package heddle.bench.jdkserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import heddle.http.Origin;
import heddle.server.spi.Handler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's own HTTP server in front of a handler, so that two servers answer with the same code.
 * It supports HTTP/1.1 only. Two of its settings, which the JVM reads once, are changed:
 * TCP_NODELAY is on, and more than 200 idle connections are kept.
 */
public final class JdkServer implements AutoCloseable {

  private static final int BACKLOG = 1024;

  private final HttpServer server;
  private final ExecutorService handlers;

  private JdkServer(HttpServer server, ExecutorService handlers) {
    this.server = server;
    this.handlers = handlers;
  }

  /**
   * Starts a server.
   *
   * @param handler answers the requests
   * @param handlers runs them; the server shuts it down
   * @param tls the TLS context; null for cleartext
   * @throws IOException if it cannot listen on the address
   */
  public static JdkServer start(
      InetSocketAddress address,
      Handler handler,
      ExecutorService handlers,
      @Nullable SSLContext tls)
      throws IOException {
    // Without this each small answer waits for the peer's delayed acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "100000");
    HttpServer server = tls == null
        ? HttpServer.create(address, BACKLOG)
        : secure(HttpsServer.create(address, BACKLOG), tls);
    Origin self = new Origin(
        tls == null ? "http" : "https",
        address.getAddress().getHostAddress(),
        server.getAddress().getPort());
    server.setExecutor(handlers);
    server.createContext("/", new Exchanges(handler, self));
    server.start();
    return new JdkServer(server, handlers);
  }

  private static HttpServer secure(HttpsServer server, SSLContext tls) {
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  /** The port on which it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Waits up to this many seconds for requests in progress, and ends the rest. */
  public void close(int seconds) {
    server.stop(seconds);
    handlers.shutdownNow();
  }

  /** Ends at once. */
  @Override
  public void close() {
    close(0);
  }
}
