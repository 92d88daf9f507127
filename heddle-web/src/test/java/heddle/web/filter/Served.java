package heddle.web.filter;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A server with a filter, and a client of one version of HTTP that decodes nothing. */
final class Served implements AutoCloseable {
  final HttpServer server;
  final HttpClient client;

  /**
   * @param version null for a client that is not needed
   */
  Served(@Nullable HttpVersion version, Filter filter, ExchangeHandler handler) throws IOException {
    server = HttpServer.builder().exchangeHandler(filter.before(handler)).start();
    HttpClient.Builder builder = HttpClient.builder().contentCodings(null).userAgent(null);
    client = version == null ? builder.build() : builder.version(version).build();
  }

  Request request(Method method, String path, String... fields) throws IOException {
    Request.Builder request =
        Request.builder("http://localhost:" + server.port() + path).method(method);
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    return request.build();
  }

  Response get(String path, String... fields) throws IOException {
    return client.send(request(Method.GET, path, fields));
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
