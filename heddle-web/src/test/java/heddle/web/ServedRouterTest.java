package heddle.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A router on a server, over a socket. */
@Timeout(60)
final class ServedRouterTest {
  private static final Router ROUTER = Router.builder()
      .get("/users/{id}", exchange -> Response.ok("user " + exchange.path("id").asInt()))
      .post("/text", exchange -> Response.ok(exchange.bodyText()))
      .get("/state", exchange -> {
        throw new IllegalStateException("state");
      })
      .onError(IOException.class, (exchange, e) -> Response.ok("handled"))
      .build();

  private static String answer(String request) throws IOException {
    try (HttpServer server =
            HttpServer.builder().exchangeHandler(ROUTER).maxBodyBytes(50).start();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(request.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | user 7 | GET /users/7 HTTP/1.1~Host: a~~",
        "200 | user 7 | GET http://b/users/%37?a HTTP/1.1~Host: b~~",
        "404 | '\"parameter\":\"id\"' | GET /users/x HTTP/1.1~Host: a~~",
        "404 | there is nothing | GET /%2fusers/7 HTTP/1.1~Host: a~~",
        "405 | not one of GET, HEAD | DELETE /users/7 HTTP/1.1~Host: a~~",
        "400 | resolve it first | GET /users/../users/7 HTTP/1.1~Host: a~~",
        "204 | Allow: GET, HEAD, POST, OPTIONS | OPTIONS * HTTP/1.1~Host: a~~",
        "200 | abc | POST /text HTTP/1.1~Host: a~Content-Length: 3~~abc",
        "500 | HTTP/1.1 500 | GET /state HTTP/1.1~Host: a~~"
      })
  void requestsAreAnsweredByTheirRoutes(int status, String content, String request)
      throws IOException {
    String answer = answer(request);
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    assertTrue(answer.contains(content), answer);
  }

  /** The handler for all IOExceptions does not see them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | POST /text HTTP/1.1~Host: a~Transfer-Encoding: chunked~~x~",
        "413 | POST /text HTTP/1.1~Host: a~Transfer-Encoding: chunked~~33~"
      })
  void aFaultOfTheClientKeepsItsStatus(int status, String request) throws IOException {
    String answer = answer(request + "x".repeat(51) + "~0~~");
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
  }

  @Test
  void headIsAnsweredWithoutContent() throws IOException {
    String answer = answer("HEAD /users/12 HTTP/1.1~Host: a~~");
    assertTrue(answer.contains("\r\nContent-Length: 7\r\n"), answer);
    assertEquals("", answer.substring(answer.indexOf("\r\n\r\n") + 4));
  }

  /** Otherwise a few clients with large values could use up the heap. */
  @Test
  void memoryForValuesIsCountedByTheServer() throws Exception {
    int length = 200_000;
    AtomicReference<HttpServer> running = new AtomicReference<>();
    AtomicLong held = new AtomicLong();
    BodyCodec codec = new BodyCodec() {
      @Override
      public Body encode(Object value) {
        return Body.of(value.toString());
      }

      @Override
      public Object decode(InputStream content, Type type) throws IOException {
        long count = content.transferTo(OutputStream.nullOutputStream());
        held.set(running.get().memoryHeld());
        return count;
      }
    };
    Router router = Router.builder()
        .post("/", exchange -> Response.ok("" + exchange.bodyAs(Long.class)))
        .codec(codec)
        .build();
    try (HttpServer server = HttpServer.builder().exchangeHandler(router).start();
        HttpClient client = HttpClient.create()) {
      running.set(server);
      Body value = Body.of(new byte[length], MediaType.APPLICATION_JSON);
      Request post = Request.post("http://localhost:" + server.port(), value);
      assertEquals("" + length, client.send(post).string());
      assertTrue(held.get() >= length, () -> held + " bytes were counted");
    }
  }
}
