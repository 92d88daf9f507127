package heddle.adapters.urlconnection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Whose connections are tested. */
enum Stack {
  STOCK {
    @Override
    HttpURLConnection open(String url, @Nullable Proxy proxy) throws IOException {
      URL stock = stockUrl(URI.create(url));
      return (HttpURLConnection)
          (proxy == null ? stock.openConnection() : stock.openConnection(proxy));
    }
  },

  HEDDLE {
    @Override
    HttpURLConnection open(String url, @Nullable Proxy proxy) throws IOException {
      return HeddleUrlConnections.open(URI.create(url).toURL(), proxy);
    }
  };

  static {
    // Heddle knows the default factory of a JVM whose first connection for https is Heddle's.
    try {
      var unused = HEDDLE.open("https://localhost/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param proxy null to ask the default selector
   */
  abstract HttpURLConnection open(String url, @Nullable Proxy proxy) throws IOException;

  HttpURLConnection open(String url) throws IOException {
    return open(url, Proxy.NO_PROXY);
  }

  /** A URL with the JDK's own handler, whose constructor is made accessible to tests. */
  private static URL stockUrl(URI url) throws IOException {
    try {
      Constructor<?> made = Class.forName("sun.net.www.protocol." + url.getScheme() + ".Handler")
          .getDeclaredConstructor();
      made.setAccessible(true);
      return URL.of(url, (URLStreamHandler) made.newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  static String read(HttpURLConnection connection) throws IOException {
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static void write(HttpURLConnection connection, String text) throws IOException {
    try (OutputStream out = connection.getOutputStream()) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
