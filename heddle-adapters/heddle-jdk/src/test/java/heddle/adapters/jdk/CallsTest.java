package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests and responses, the same over the JDK's own client and Heddle. */
@Timeout(60)
class CallsTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(server.url(path))).version(Version.HTTP_1_1);
  }

  @ParameterizedTest
  @EnumSource
  void aGetIsAnswered(Stack stack) throws Exception {
    server.enqueue(MockResponse.ok("Hello!").header("X-One", "1").header("X-One", "2"));
    try (HttpClient client = stack.client()) {
      HttpRequest request =
          to("/hello?name=x").header("X-Two", "a").header("X-Two", "b").build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertEquals(200, response.statusCode());
      assertEquals("Hello!", response.body());
      assertEquals(List.of("1", "2"), response.headers().allValues("x-one"));
      assertEquals(Version.HTTP_1_1, response.version());
      assertEquals(request, response.request());
      assertEquals(request.uri(), response.uri());
      assertEquals(Optional.empty(), response.previousResponse());
      assertEquals(Optional.empty(), response.sslSession());
    }
    RecordedRequest sent = server.takeRequest();
    assertEquals("/hello?name=x", sent.target());
    assertEquals(
        List.of("a", "b"),
        sent.fields().stream()
            .filter(each -> each.startsWith("X-Two:"))
            .map(each -> each.substring(6).strip())
            .toList());
    assertEquals(
        "Java-http-client/" + System.getProperty("java.version"), sent.header("User-Agent"));
    assertEquals("127.0.0.1:" + server.port(), sent.header("Host"));
  }

  @ParameterizedTest
  @EnumSource
  void aTargetIsSentAsItIsAndBeyondAsciiAsEscapes(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(request.target()));
    try (HttpClient client = stack.client()) {
      for (String[] each : new String[][] {
        {"/a//b/../c;d=1?x=%2f&y=[1]", "/a//b/../c;d=1?x=%2f&y=[1]"},
        {"/caf\u00e9?q=\u20ac", "/caf%C3%A9?q=%E2%82%AC"},
        {"", "/"},
        {"?q=1#fragment", "/?q=1"},
      }) {
        assertEquals(
            each[1], client.send(to(each[0]).build(), BodyHandlers.ofString()).body());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentOfEveryPublisherIsSent(Stack stack, @TempDir Path folder) throws Exception {
    byte[] large = new byte[300_000];
    large[7] = 1;
    Path file = Files.write(folder.resolve("content"), large);
    List<HttpRequest.BodyPublisher> publishers = List.of(
        BodyPublishers.ofByteArray(large),
        BodyPublishers.ofByteArray(large, 0, 10),
        BodyPublishers.ofString("text"),
        BodyPublishers.ofFile(file),
        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)),
        BodyPublishers.ofByteArrays(List.of(large, large)),
        BodyPublishers.concat(BodyPublishers.ofString("a"), BodyPublishers.ofFile(file)),
        BodyPublishers.fromPublisher(BodyPublishers.ofString("text"), 4),
        BodyPublishers.noBody());
    server.handler(request -> MockResponse.ok(request.body().length + " "
        + request.header("Content-Length") + " " + request.header("Transfer-Encoding")));
    List<String> expected = List.of(
        "300000 300000 null",
        "10 10 null",
        "4 4 null",
        "300000 300000 null",
        "300000 null chunked",
        "600000 null chunked",
        "300001 300001 null",
        "4 4 null",
        "0 0 null");
    try (HttpClient client = stack.client()) {
      for (int i = 0; i < publishers.size(); i++) {
        HttpRequest request = to("/").POST(publishers.get(i)).build();
        assertEquals(
            expected.get(i), client.send(request, BodyHandlers.ofString()).body());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyHandlerGetsTheContent(Stack stack, @TempDir Path folder) throws Exception {
    byte[] large = "line\r\n".repeat(60_000).getBytes(StandardCharsets.US_ASCII);
    for (MockResponse answer : List.of(
        MockResponse.ok(large), MockResponse.ok(large).chunked(), MockResponse.ok("line\r\n"))) {
      server.handler(request -> answer);
      byte[] content =
          stack.client().send(to("/").build(), BodyHandlers.ofByteArray()).body();
      try (HttpClient client = stack.client()) {
        HttpRequest request = to("/").build();
        String text = new String(content, StandardCharsets.US_ASCII);
        assertEquals(text, client.send(request, BodyHandlers.ofString()).body());
        Path file = client
            .send(request, BodyHandlers.ofFile(Files.createTempFile(folder, "", "")))
            .body();
        assertArrayEquals(content, Files.readAllBytes(file));
        try (InputStream stream =
            client.send(request, BodyHandlers.ofInputStream()).body()) {
          assertArrayEquals(content, stream.readAllBytes());
        }
        try (Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body()) {
          assertEquals(content.length / 6, lines.count());
        }
        assertEquals(null, client.send(request, BodyHandlers.discarding()).body());
        assertEquals("x", client.send(request, BodyHandlers.replacing("x")).body());
        assertArrayEquals(
            content,
            client
                .send(request, BodyHandlers.buffering(BodyHandlers.ofByteArray(), 1000))
                .body());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void responsesWithoutContentHaveAnEmptyBody(Stack stack) throws Exception {
    server.answer("/head", MockResponse.ok("not sent"));
    server.answer("/204", MockResponse.of(204));
    server.answer("/304", MockResponse.of(304));
    server.answer("/empty", MockResponse.ok(""));
    try (HttpClient client = stack.client()) {
      HttpRequest head = to("/head").HEAD().build();
      HttpResponse<String> answer = client.send(head, BodyHandlers.ofString());
      assertEquals("", answer.body());
      assertEquals("8", answer.headers().firstValue("content-length").orElse(null));
      for (String path : List.of("/204", "/304", "/empty")) {
        assertEquals("", client.send(to(path).build(), BodyHandlers.ofString()).body());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAsynchronousCallCompletesItsFuture(Stack stack) throws Exception {
    server.enqueue(MockResponse.ok("Hello!"));
    try (HttpClient client = stack.client()) {
      assertEquals(
          "Hello!",
          client
              .sendAsync(to("/").build(), BodyHandlers.ofString())
              .thenApply(HttpResponse::body)
              .get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentWaitsForContinue(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(request.header("Expect") + " " + request.text()));
    try (HttpClient client = stack.client()) {
      HttpRequest request =
          to("/").expectContinue(true).POST(BodyPublishers.ofString("text")).build();
      assertEquals(
          "100-continue text",
          client.send(request, BodyHandlers.ofString()).body().toLowerCase(Locale.ROOT));
    }
  }

  /** A request without a builder, which may return anything. */
  private static HttpRequest homemade(HttpRequest like, String method, URI uri, String field) {
    return new HttpRequest() {
      @Override
      public Optional<BodyPublisher> bodyPublisher() {
        return like.bodyPublisher();
      }

      @Override
      public String method() {
        return method;
      }

      @Override
      public Optional<Duration> timeout() {
        return like.timeout();
      }

      @Override
      public boolean expectContinue() {
        return like.expectContinue();
      }

      @Override
      public URI uri() {
        return uri;
      }

      @Override
      public Optional<Version> version() {
        return like.version();
      }

      @Override
      public HttpHeaders headers() {
        return HttpHeaders.of(Map.of(field, List.of("1")), (name, value) -> true);
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void requestsThatNoBuilderWouldMakeAreRefused(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(request.method() + request.header("X-One")));
    HttpRequest good = to("/").build();
    try (HttpClient client = stack.client()) {
      HttpRequest homemade = homemade(good, "PUT", good.uri(), "X-One");
      HttpResponse<String> answer = client.send(homemade, BodyHandlers.ofString());
      assertEquals("PUT1", answer.body());
      assertNotSame(homemade, answer.request());
      for (HttpRequest bad : List.of(
          homemade(good, "GET", good.uri(), "Content-Length"),
          homemade(good, "G T", good.uri(), "X-One"),
          homemade(good, "CONNECT", good.uri(), "X-One"),
          homemade(good, "GET", URI.create("ftp://localhost/"), "X-One"))) {
        assertThrows(
            IllegalArgumentException.class, () -> client.send(bad, BodyHandlers.ofString()));
        assertThrows(
            IllegalArgumentException.class, () -> client.sendAsync(bad, BodyHandlers.ofString()));
      }
      assertThrows(NullPointerException.class, () -> client.send(null, BodyHandlers.ofString()));
      assertThrows(NullPointerException.class, () -> client.send(good, null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void noPriorityIsSentIfHttp2CannotBeUsed(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(String.valueOf(request.header("Priority"))));
    try (HttpClient client =
        stack.builder().proxy(HttpClient.Builder.NO_PROXY).priority(256).build()) {
      HttpRequest request = to("/").version(Version.HTTP_2).build();
      assertEquals("null", client.send(request, BodyHandlers.ofString()).body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedThreadSendsNothing(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok("x"));
    try (HttpClient client = stack.client()) {
      client.send(to("/").build(), BodyHandlers.discarding());
      Thread.currentThread().interrupt();
      assertThrows(
          InterruptedException.class,
          () -> client.send(to("/").build(), BodyHandlers.discarding()));
      client.send(to("/last").build(), BodyHandlers.discarding());
    }
    assertEquals(
        List.of("/", "/last"),
        server.requests().stream().map(RecordedRequest::target).toList());
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionIsUsedAgain(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok("x"));
    try (HttpClient client = stack.client()) {
      for (int i = 0; i < 3; i++) {
        client.send(to("/").build(), BodyHandlers.ofString());
      }
    }
    assertEquals(1, server.connections());
    assertTrue(server.requests().stream().allMatch(each -> each.connection() == 1));
  }
}
