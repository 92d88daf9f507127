package heddle.adapters.langchain4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientIT;
import heddle.http.Request;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * LangChain4j's own suite for clients, which calls a service on the Internet. Its calls are
 * redirected to a server on loopback that supports what the suite needs. Several tests at a time,
 * because some sleep for five seconds.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
public class LangChain4jSuiteTest extends HttpClientIT {
  private MockServer service;
  private HeddleHttpClient client;

  @BeforeEach
  void start() throws IOException {
    service = MockServer.start();
    service.handler(LangChain4jSuiteTest::answer);
    client = new HeddleHttpClientBuilder()
        .settings(builder -> builder.interceptor((request, chain) -> chain.proceed(
            request.origin().host().equals("api.openai.com") ? led(request) : request)))
        .build();
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  private Request led(Request request) throws IOException {
    return request.toBuilder().url(service.url(request.target())).build();
  }

  @Override
  protected List<HttpClient> clients() {
    return List.of(client);
  }

  /** An address where no one is listening, without a name lookup. */
  @Override
  protected String incorrectUrl() {
    return "http://127.0.0.1:1";
  }

  private static MockResponse answer(RecordedRequest request) {
    if (request.header("Authorization").contains("banana")) {
      return MockResponse.of(401).body("Incorrect API key provided");
    }
    return switch (request.target()) {
      case "/v1/audio/speech" -> MockResponse.ok(("ID3" + "~".repeat(5_000)).getBytes(UTF_8));
      case "/v1/audio/transcriptions" ->
        request.text().contains("filename=\"audio.wav\"")
            ? MockResponse.ok("Hello")
            : MockResponse.of(400).body("no file");
      default -> chat(request.text());
    };
  }

  private static MockResponse chat(String question) {
    if (!question.contains("\"messages\"")) {
      return MockResponse.of(400).body("Missing required parameter: 'messages'");
    }
    if (!question.contains("\"stream\": true")) {
      return MockResponse.ok("{\"content\": \"Berlin\"}");
    }
    String answer = question.contains("kittens")
        ? "data: once upon a time\n\n".repeat(50)
        : "data: {\"content\": \"Berlin\"}\n\ndata: {\"content\": \"\\n\\nParis\"}\n\n";
    return MockResponse.ok(answer).header("Content-Type", "text/event-stream");
  }
}
