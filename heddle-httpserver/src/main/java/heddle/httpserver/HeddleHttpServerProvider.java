package heddle.httpserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Makes servers of {@code com.sun.net.httpserver} that run on Heddle. With this module on the class
 * path or module path, {@code HttpServer.create} and {@code HttpsServer.create} use it; no code
 * names it. The system property {@code com.sun.net.httpserver.HttpServerProvider} selects another
 * provider, for example {@code sun.net.httpserver.DefaultHttpServerProvider}, the JDK's own.
 *
 * <p>HTTP/2 is off, so that exchanges are those of HTTP/1.1, unless the system property {@code
 * heddle.httpserver.http2} is {@code true} when a server is created. Safe for use by many threads.
 */
public final class HeddleHttpServerProvider extends HttpServerProvider {
  /** Creates the provider; {@code java.util.ServiceLoader} calls this. */
  public HeddleHttpServerProvider() {}

  /**
   * Creates a server of HTTP.
   *
   * @param address where it will listen; null if {@code bind} will say so
   * @param backlog how many connections the system may hold until they are accepted; 0 or less for
   *     the default of the JDK
   * @throws java.net.BindException if the address is in use
   */
  @Override
  public HttpServer createHttpServer(@Nullable InetSocketAddress address, int backlog)
      throws IOException {
    return new PlainServer(address, backlog);
  }

  /**
   * Creates a server of HTTPS, which needs an {@code HttpsConfigurator} before it is started.
   *
   * @param address where it will listen; null if {@code bind} will say so
   * @param backlog how many connections the system may hold until they are accepted; 0 or less for
   *     the default of the JDK
   * @throws java.net.BindException if the address is in use
   */
  @Override
  public HttpsServer createHttpsServer(@Nullable InetSocketAddress address, int backlog)
      throws IOException {
    return new SecureServer(address, backlog);
  }
}
