package heddle.adapters.urlconnection;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.net.spi.URLStreamHandlerProvider;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link URL#openConnection()} return Heddle's connections for http and https. It is found as
 * a service when it is on the class path or among the modules of the application, so that no line
 * changes. {@link #install()} does the same where services are not found, such as in a servlet
 * container. Thread-safe.
 *
 * <pre>{@code
 * HttpURLConnection connection = (HttpURLConnection) new URI(url).toURL().openConnection();
 * connection.setReadTimeout(5_000);
 * try (InputStream in = connection.getInputStream()) {
 *   ...
 * }
 * }</pre>
 */
public final class HeddleUrlConnections extends URLStreamHandlerProvider {
  private static final Handler HTTP = new Handler(80);
  private static final Handler HTTPS = new Handler(443);

  /** Called by the JDK when it looks up its services. */
  public HeddleUrlConnections() {}

  /**
   * Uses Heddle for all http and https URLs of this process that are made from now on.
   *
   * @throws Error if the process has a {@link URL#setURLStreamHandlerFactory factory} already: the
   *     JDK allows one
   */
  public static void install() {
    URL.setURLStreamHandlerFactory(new HeddleUrlConnections());
  }

  /**
   * Returns a connection of Heddle's for a URL, whether or not Heddle is installed.
   *
   * @throws IllegalArgumentException if the URL is neither http nor https
   */
  public static HttpURLConnection open(URL url) {
    return open(url, null);
  }

  /**
   * Returns a connection of Heddle's through a proxy.
   *
   * @param proxy null to ask the default {@link java.net.ProxySelector}
   * @throws IllegalArgumentException if the URL is neither http nor https
   */
  public static HttpURLConnection open(URL url, @Nullable Proxy proxy) {
    return switch (url.getProtocol()) {
      case "http" -> new HttpConnection(url, proxy);
      case "https" -> new HttpsConnection(url, proxy);
      default ->
        throw new IllegalArgumentException("the URL must be http or https, but was " + url);
    };
  }

  /**
   * Returns the context's factory, for {@code HttpsURLConnection.setSSLSocketFactory}. Heddle needs
   * the context, and finds it by this factory.
   */
  public static SSLSocketFactory socketFactory(SSLContext context) {
    return Tls.socketFactory(context);
  }

  @Override
  public @Nullable URLStreamHandler createURLStreamHandler(String protocol) {
    return switch (protocol) {
      case "http" -> HTTP;
      case "https" -> HTTPS;
      default -> null;
    };
  }

  private static final class Handler extends URLStreamHandler {
    private final int port;

    Handler(int port) {
      this.port = port;
    }

    @Override
    protected int getDefaultPort() {
      return port;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return open(url);
    }

    @Override
    protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
      if (proxy == null) {
        throw new IllegalArgumentException("proxy must not be null; use Proxy.NO_PROXY for none");
      }
      return open(url, proxy);
    }
  }
}
