package heddle.bench.drivers.urlconnection;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's {@link HttpURLConnection}. Tuned, the JVM keeps every idle connection (5 to a server by
 * default). It reads that limit once, and has no way to close idle connections, which expire after
 * 5 s.
 */
public final class UrlConnectionDriver implements ClientDriver {

  private static final String MAX_IDLE = "http.maxConnections";
  private static final int EVERY_LOAD = 1 << 16;
  private static final int FIRST_FAILURE = 400;

  private @Nullable SSLSocketFactory sockets;

  @Override
  public String name() {
    return "urlconnection";
  }

  @Override
  public String version() {
    return Runtime.version().toString();
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return config.isHttp2() ? "no HTTP/2" : null;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    if (config.isTuned()) {
      System.setProperty(MAX_IDLE, String.valueOf(EVERY_LOAD));
    }
    if (config.isTls()) {
      sockets = config.wire().trust().context().getSocketFactory();
    }
  }

  @Override
  public Exchange prepare(DriverRequest request) throws IOException {
    URL url = request.uri().toURL();
    byte[] content = request.content();
    boolean large = request.isAnswerLarge();
    String type = request.contentType();
    return () -> {
      HttpURLConnection connection = open(url);
      if (content.length > 0) {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(content.length);
        if (type != null) {
          connection.setRequestProperty("Content-Type", type);
        }
        try (OutputStream out = connection.getOutputStream()) {
          out.write(content);
        }
      }
      return read(connection, large);
    };
  }

  private HttpURLConnection open(URL url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    if (sockets != null && connection instanceof HttpsURLConnection secure) {
      secure.setSSLSocketFactory(sockets);
    }
    return connection;
  }

  private static Answer read(HttpURLConnection connection, boolean large) throws IOException {
    int status = connection.getResponseCode();
    InputStream found =
        status >= FIRST_FAILURE ? connection.getErrorStream() : connection.getInputStream();
    if (found == null) {
      return new Answer(status, 0);
    }
    try (InputStream content = found) {
      return large
          ? Answer.drain(status, content)
          : new Answer(status, content.readAllBytes().length);
    }
  }

  /** Does nothing, because nothing can be closed. */
  @Override
  public void close() {}
}
