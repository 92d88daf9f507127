package heddle.bench.jdkserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Handler;
import java.io.IOException;
import java.io.OutputStream;

/** Adapts the exchanges of the JDK's server to a handler. Safe for use by many threads. */
final class Exchanges implements HttpHandler {

  /** The JDK server's value for no content; 0 is content of unknown length. */
  private static final long NO_CONTENT = -1;

  private static final long CHUNKED = 0;

  private final Handler handler;
  private final Origin self;

  Exchanges(Handler handler, Origin self) {
    this.handler = handler;
    this.self = self;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Response response = answer(exchange);
      try (response) {
        send(exchange, response);
      }
    }
  }

  private Response answer(HttpExchange exchange) throws IOException {
    try {
      return handler.handle(request(exchange));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server ends", e);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      System.err.println("cannot answer " + exchange.getRequestURI() + ": " + e);
      return Response.of(Status.INTERNAL_SERVER_ERROR);
    }
  }

  private Request request(HttpExchange exchange) {
    Request.Builder request = Request.builder(
        self, Method.of(exchange.getRequestMethod()), exchange.getRequestURI().toString());
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type != null) {
      request.header("Content-Type", type);
    }
    return request.body(Body.of(exchange.getRequestBody())).build();
  }

  private static void send(HttpExchange exchange, Response response) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    response.headers().forEach(field -> headers.add(field.name().toString(), field.value()));
    Body body = response.body();
    MediaType type = body.mediaType();
    if (type != null) {
      headers.set("Content-Type", type.toString());
    }
    int status = response.status().code();
    long length = body.length();
    if (exchange.getRequestMethod().equals("HEAD")) {
      if (length >= 0) {
        headers.set("Content-Length", String.valueOf(length));
      }
      exchange.sendResponseHeaders(status, NO_CONTENT);
    } else if (length == 0) {
      exchange.sendResponseHeaders(status, NO_CONTENT);
    } else {
      exchange.sendResponseHeaders(status, length < 0 ? CHUNKED : length);
      try (OutputStream content = exchange.getResponseBody()) {
        body.transferTo(content);
      }
    }
  }
}
