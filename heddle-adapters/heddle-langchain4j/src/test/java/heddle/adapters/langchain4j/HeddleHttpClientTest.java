package heddle.adapters.langchain4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.HttpClientBuilderLoader;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** LangChain4j's blocking calls. */
@Timeout(60)
final class HeddleHttpClientTest {
  private MockServer server;
  private final HeddleHttpClient client = new HeddleHttpClientBuilder().build();

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private HttpRequest.Builder request(HttpMethod method) {
    return HttpRequest.builder().method(method).url(server.url("/v1/chat"));
  }

  @Test
  void modelsFindHeddle() {
    assertInstanceOf(
        HeddleHttpClientBuilder.class, HttpClientBuilderLoader.loadHttpClientBuilder());
  }

  @Test
  void requestIsSentAsItIs() throws Exception {
    server.enqueue(MockResponse.ok("Berlin").header("X-Request-Id", "7"));
    SuccessfulHttpResponse response = client.execute(request(HttpMethod.POST)
        .addHeader("Authorization", "Bearer x")
        .addHeader("X-Several", "a", "b")
        .addHeader("Content-Type", "application/json")
        .addQueryParam("q", "Köln & co")
        .body("{\"city\":\"Köln\"}")
        .build());
    assertEquals(200, response.statusCode());
    assertEquals("Berlin", response.body());
    assertEquals(List.of("7"), response.headers().get("x-request-id"));
    RecordedRequest sent = server.takeRequest();
    assertEquals("POST", sent.method());
    assertEquals("/v1/chat?q=K%C3%B6ln+%26+co", sent.target());
    assertEquals("{\"city\":\"Köln\"}", sent.text());
    assertEquals("application/json", sent.header("Content-Type"));
    assertEquals("Bearer x", sent.header("Authorization"));
    assertTrue(sent.fields().containsAll(List.of("X-Several: a", "X-Several: b")));
  }

  @Test
  void contentMayBeAnyBytes() {
    byte[] bytes = {0, (byte) 0xFF, 1};
    server.enqueue(MockResponse.ok(bytes));
    assertArrayEquals(bytes, client.execute(request(HttpMethod.GET).build()).bodyBytes());
  }

  @Test
  void formIsSentInPartsOfWhichTheContentKnowsTheBoundary() throws Exception {
    server.enqueue(MockResponse.ok("heard"));
    client.execute(request(HttpMethod.POST)
        .addHeader("Content-Type", "multipart/form-data; boundary=----LangChain4j")
        .addFormDataField("model", "whisper")
        .addFormDataFile("file", "loom.wav", "audio/wav", new byte[] {1, 2, 3})
        .build());
    RecordedRequest sent = server.takeRequest();
    String type = sent.header("Content-Type");
    String boundary = type.substring(type.indexOf("boundary=") + "boundary=".length());
    assertTrue(sent.text().startsWith("--" + boundary), type + "\n" + sent.text());
    assertTrue(sent.text().contains("name=\"model\""), sent.text());
    assertTrue(sent.text().contains("filename=\"loom.wav\""), sent.text());
    assertTrue(sent.text().contains("audio/wav"), sent.text());
    assertEquals(
        1, sent.fields().stream().filter(f -> f.startsWith("Content-Type")).count());
  }

  @Test
  void otherStatusIsAnExceptionWithTheContent() {
    server.enqueue(MockResponse.of(401).body("Incorrect API key"));
    server.enqueue(MockResponse.of(302).header("Location", "/elsewhere"));
    HttpException refused = assertThrows(
        HttpException.class, () -> client.execute(request(HttpMethod.GET).build()));
    assertEquals(401, refused.statusCode());
    assertEquals("Incorrect API key", refused.getMessage());
    HttpException redirected = assertThrows(
        HttpException.class, () -> client.execute(request(HttpMethod.GET).build()));
    assertEquals(302, redirected.statusCode());
  }

  @Test
  void silenceIsATimeoutWithHeddlesAsItsCause() {
    server.enqueue(MockResponse.fault(MockFault.blackHole()));
    try (HeddleHttpClient hasty =
        new HeddleHttpClientBuilder().readTimeout(Duration.ofMillis(200)).build()) {
      TimeoutException late = assertThrows(
          TimeoutException.class, () -> hasty.execute(request(HttpMethod.GET).build()));
      Throwable told = assertInstanceOf(SocketTimeoutException.class, late.getCause());
      assertInstanceOf(DeadlineExceededException.class, told.getCause());
      String message = String.valueOf(told.getMessage());
      assertTrue(message.contains("for 200 ms; raise timeout of the model's builder"), message);
    }
  }

  @Test
  void otherFailureIsARuntimeExceptionOfIt() {
    server.close();
    RuntimeException failure = assertThrows(
        RuntimeException.class, () -> client.execute(request(HttpMethod.GET).build()));
    Throwable told = assertInstanceOf(ConnectException.class, failure.getCause());
    assertInstanceOf(ConnectFailedException.class, told.getCause());
  }

  @Test
  void requestsThatCannotBeSentAreRefused() {
    HttpRequest malformed =
        HttpRequest.builder().method(HttpMethod.GET).url("ftp://localhost/").build();
    assertThrows(IllegalArgumentException.class, () -> client.execute(malformed));
    HttpRequest split = request(HttpMethod.GET).addHeader("X-Bad", "a\r\nb").build();
    assertThrows(IllegalArgumentException.class, () -> client.execute(split));
  }

  @Test
  void negativeTimeoutIsRefusedByName() {
    HeddleHttpClientBuilder builder =
        new HeddleHttpClientBuilder().connectTimeout(Duration.ofSeconds(-1));
    IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, builder::build);
    assertTrue(failure.getMessage().contains("connect timeout"), failure.getMessage());
  }

  @Test
  void settingsHoldButForTime() throws Exception {
    server.enqueue(MockResponse.ok("x"));
    try (HeddleHttpClient marked = new HeddleHttpClientBuilder()
        .settings(builder -> builder.interceptor((request, chain) ->
            chain.proceed(request.toBuilder().header("X-Tenant", "loom").build())))
        .build()) {
      marked.execute(request(HttpMethod.GET).build());
      assertEquals("loom", server.takeRequest().header("X-Tenant"));
    }
  }
}
