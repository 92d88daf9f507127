package heddle.bench.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The routes behind Heddle's server, asked by a client that is not Heddle's. */
class RoutesOverHttpTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.builder()
        .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .handler(new ExperimentRoutes())
        .start();
  }

  @AfterEach
  void stopServer() {
    client.shutdownNow();
    server.close();
  }

  @Test
  void helloIsAnsweredOnOneConnectionAgainAndAgain() throws Exception {
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response = get("/hello");
      assertEquals(200, response.statusCode());
      assertEquals("Hello!", response.body());
      assertEquals("6", response.headers().firstValue("content-length").orElse(""));
    }
  }

  @Test
  void bytesAreStreamedWithTheirLength() throws Exception {
    HttpResponse<String> response = get("/bytes/3000000");
    assertEquals("3000000", response.headers().firstValue("content-length").orElse(""));
    assertEquals(3_000_000, response.body().length());
  }

  @Test
  void echoGivesTheContentBack() throws Exception {
    String content = "x".repeat(200_000);
    HttpRequest request = HttpRequest.newBuilder(uri("/echo"))
        .POST(BodyPublishers.ofString(content))
        .build();
    assertEquals(content, client.send(request, BodyHandlers.ofString()).body());
  }

  @Test
  void sinkReadsAllThatIsPosted() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri("/sink"))
        .POST(BodyPublishers.ofByteArray(new byte[3 << 20]))
        .build();
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertEquals(200, response.statusCode());
      assertEquals("", response.body());
    }
  }

  @Test
  void badNumbersAreAnswered400() throws Exception {
    assertEquals(400, get("/delay/soon").statusCode());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }
}
