package heddle.bench.account;

import heddle.bench.server.Servers.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * Queries servers with the JDK's client that starts no threads. Each query has its own connection,
 * so that none stays open during a measurement. TLS sessions are resumed, because a full handshake
 * takes longer than the shortest runs allow. Used by one thread.
 */
final class Inquiry {

  private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(20).toMillis();

  private final Map<Endpoint, SSLSocketFactory> sockets = new HashMap<>();

  /**
   * A server's answer.
   *
   * @param status of the response
   * @param text its content, empty if there is none
   */
  record Answer(int status, String text) {}

  Answer get(Endpoint server, URI uri) throws IOException {
    return answer(open(server, uri));
  }

  /**
   * Posts JSON.
   *
   * @param content may be empty
   */
  Answer post(Endpoint server, URI uri, String content) throws IOException {
    HttpURLConnection connection = open(server, uri);
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(bytes.length);
    try (OutputStream out = connection.getOutputStream()) {
      out.write(bytes);
    }
    return answer(connection);
  }

  private HttpURLConnection open(Endpoint server, URI uri) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection secure) {
      secure.setSSLSocketFactory(sockets(server));
    }
    connection.setConnectTimeout(PATIENCE_MILLIS);
    connection.setReadTimeout(PATIENCE_MILLIS);
    connection.setInstanceFollowRedirects(false);
    connection.setRequestProperty("Connection", "close");
    return connection;
  }

  private SSLSocketFactory sockets(Endpoint server) throws IOException {
    SSLSocketFactory known = sockets.get(server);
    if (known == null) {
      try {
        known = server.trust().context().getSocketFactory();
      } catch (GeneralSecurityException e) {
        throw new IOException("cannot trust the server's certificate to ask for its counts", e);
      }
      sockets.put(server, known);
    }
    return known;
  }

  private static Answer answer(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    boolean isError = status >= HttpURLConnection.HTTP_BAD_REQUEST;
    // The stream is null if an error has no content.
    try (InputStream in = isError ? connection.getErrorStream() : connection.getInputStream()) {
      String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(status, text);
    }
  }
}
