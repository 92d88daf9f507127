package heddle.bench.jdkserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import heddle.http.Origin;
import heddle.server.spi.Handler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's own HTTP server in front of a handler, so that two servers answer by the same code. It
 * speaks HTTP/1.1 alone. Two of its settings are raised, which the JVM reads once: answers are sent
 * at once, and idle connections are kept beyond 200.
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
   * @param threads the size of the pool that runs it; 0 for a virtual thread for each request
   * @param tls encrypts with this; null for cleartext
   * @throws IOException when the address cannot be listened at
   */
  public static JdkServer start(
      InetSocketAddress address, Handler handler, int threads, @Nullable SSLContext tls)
      throws IOException {
    // Without this each small answer waits for the peer's delayed acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "100000");
    HttpServer server = tls == null
        ? HttpServer.create(address, BACKLOG)
        : secure(HttpsServer.create(address, BACKLOG), tls);
    ExecutorService handlers = threads == 0
        ? Executors.newVirtualThreadPerTaskExecutor()
        : Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("jdk-server-", 0).factory());
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

  /** Waits at most so long for the requests that run, and ends the others. */
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
