package heddle.bench.jdkserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import heddle.bench.driver.Reply;
import heddle.bench.driver.Routes;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;

/** Answers the exchanges of the JDK's API. Safe for use by many threads. */
final class Exchanges implements HttpHandler {

  /** The API's value for no content; 0 is content of unknown length. */
  private static final long NO_CONTENT = -1;

  private final Routes routes;

  Exchanges(Routes routes) {
    this.routes = routes;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      send(
          exchange,
          routes.answer(
              exchange.getRequestMethod(),
              target(exchange.getRequestURI()),
              exchange.getRequestBody()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server ends", e);
    }
  }

  /** Over HTTP/2, robaho's server has absolute URIs. */
  private static String target(URI uri) {
    return uri.getRawQuery() == null
        ? uri.getRawPath()
        : uri.getRawPath() + "?" + uri.getRawQuery();
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    reply.fields().forEach(headers::set);
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", String.valueOf(reply.length()));
      exchange.sendResponseHeaders(reply.status(), NO_CONTENT);
    } else if (reply.length() == 0) {
      exchange.sendResponseHeaders(reply.status(), NO_CONTENT);
    } else {
      exchange.sendResponseHeaders(reply.status(), reply.length());
      try (OutputStream content = exchange.getResponseBody()) {
        reply.writeTo(content);
      }
    }
  }
}
