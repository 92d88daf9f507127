package heddle.bench.jdkserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import heddle.bench.driver.ServerConfig;
import heddle.bench.driver.ServerDriver;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/**
 * A server with the API of the JDK's, {@code com.sun.net.httpserver}: the JDK's own, which supports
 * HTTP/1.1 only, or another implementation of that API.
 *
 * <p>Tuned, it sends each answer at once instead of waiting for the peer's delayed acknowledgement
 * of its head, and keeps more than 200 idle connections. These are properties of the JVM, which it
 * reads once.
 */
public final class JdkServer implements ServerDriver {

  private static final String JDK = "jdk";

  /** Only the JDK's own does not wait if there is nothing to wait for. */
  private static final int GRACE_SECONDS = 10;

  private final String name;
  private final String version;
  private final HttpServerProvider provider;

  /** Creates a server of any implementation. */
  public JdkServer(String name, String version, HttpServerProvider provider) {
    this.name = name;
    this.version = version;
    this.provider = provider;
  }

  /** Creates the JDK's own. */
  public static JdkServer own() {
    return new JdkServer(JDK, Runtime.version().toString(), HttpServerProvider.provider());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public Running start(ServerConfig config) throws IOException, GeneralSecurityException {
    for (String settings : new String[] {"sun.net.httpserver.", "robaho.net.httpserver."}) {
      // robaho's server supports HTTP/2 if that is asked for.
      System.setProperty(settings + "http2OverSSL", "true");
      System.setProperty(settings + "http2OverNonSSL", "true");
      if (config.isTuned()) {
        System.setProperty(settings + "nodelay", "true");
        System.setProperty(
            settings + "maxIdleConnections", String.valueOf(ServerConfig.MOST_CONNECTIONS));
      }
    }
    int backlog = config.isTuned() ? ServerConfig.BACKLOG : 0;
    SSLContext tls = config.tls();
    HttpServer server = tls == null
        ? provider.createHttpServer(config.address(), backlog)
        : secure(provider.createHttpsServer(config.address(), backlog), tls);
    server.setExecutor(task -> config.handlers().execute(() -> seeingItself(task)));
    server.createContext("/", new Exchanges(config.routes()));
    server.start();
    return Running.of(
        () -> server.getAddress().getPort(),
        () -> server.stop(name.equals(JDK) ? GRACE_SECONDS : 0));
  }

  /** For robaho's server, which finds its table of Huffman codes this way. */
  private void seeingItself(Runnable task) {
    Thread.currentThread().setContextClassLoader(provider.getClass().getClassLoader());
    task.run();
  }

  private static HttpServer secure(HttpsServer server, SSLContext tls) {
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }
}
