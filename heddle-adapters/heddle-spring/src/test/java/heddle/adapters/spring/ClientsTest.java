package heddle.adapters.spring;

import static heddle.testkit.ScriptedPeer.visit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Spring's clients over Spring's own factory and over Heddle's. */
@Timeout(60)
final class ClientsTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  /** What Spring makes a client of. */
  @HttpExchange("/looms")
  interface Looms {
    @GetExchange("/{name}")
    String named(@PathVariable("name") String name);
  }

  private RestClient client(ClientHttpRequestFactory factory) {
    return RestClient.builder().requestFactory(factory).baseUrl(server.url("")).build();
  }

  @ParameterizedTest
  @EnumSource
  void restClientSendsAndReceives(Factories factories) throws Exception {
    server.handler(request -> MockResponse.ok(request.method() + " " + request.text()));
    factories.use(factory -> assertEquals(
        "POST warp", client(factory).post().uri("/").body("warp").retrieve().body(String.class)));
  }

  @ParameterizedTest
  @EnumSource
  void restTemplateThrowsWhatItsUsersCatch(Factories factories) throws Exception {
    server.answer("/gone", MockResponse.of(410).body("no more"));
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    factories.use(factory -> {
      RestTemplate template = new RestTemplate(factory);
      HttpClientErrorException gone = assertThrows(
          HttpClientErrorException.Gone.class,
          () -> template.getForObject(server.url("/gone"), String.class));
      assertEquals("no more", gone.getResponseBodyAsString());
      ResourceAccessException refused = assertThrows(
          ResourceAccessException.class,
          () -> template.getForObject("http://127.0.0.1:" + closed + "/", String.class));
      assertInstanceOf(ConnectException.class, refused.getCause());
    });
  }

  @ParameterizedTest
  @EnumSource
  void interfaceIsCalled(Factories factories) throws Exception {
    server.answer("/looms/heddle", MockResponse.ok("an eye for every thread"));
    factories.use(factory -> {
      Looms looms = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client(factory)))
          .build()
          .createClient(Looms.class);
      assertEquals("an eye for every thread", looms.named("heddle"));
    });
  }

  @ParameterizedTest
  @EnumSource
  void responseCanBeBuffered(Factories factories) throws Exception {
    server.answer("/", MockResponse.ok("warp"));
    factories.use(factory -> assertEquals(
        "warp",
        client(new BufferingClientHttpRequestFactory(factory))
            .get()
            .uri("/")
            .retrieve()
            .body(String.class)));
  }

  @ParameterizedTest
  @EnumSource
  void silentServerIsAResourceThatCannotBeAccessed(Factories factories) throws Exception {
    server.handler(request -> MockResponse.fault(MockFault.blackHole()));
    factories.use(
        Duration.ofMillis(200),
        factory -> assertThrows(
            ResourceAccessException.class,
            () -> client(factory).get().uri("/").retrieve().body(String.class)));
  }

  @Test
  void silenceIsASocketTimeoutWithHeddlesAsItsCause() throws Exception {
    server.handler(request -> MockResponse.fault(MockFault.blackHole()));
    Factories.HEDDLE.use(Duration.ofMillis(200), factory -> {
      ResourceAccessException failure = assertThrows(
          ResourceAccessException.class,
          () -> client(factory).get().uri("/").retrieve().body(String.class));
      Throwable told = assertInstanceOf(SocketTimeoutException.class, failure.getCause());
      assertInstanceOf(DeadlineExceededException.class, told.getCause());
      assertAdvice(told);
    });
  }

  @Test
  void silenceWithinTheContentIsASocketTimeoutToo() throws Exception {
    visit(
        c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
          c.drain();
        },
        peer -> Factories.HEDDLE.use(Duration.ofMillis(200), factory -> {
          try (ClientHttpResponse response =
              factory.createRequest(URI.create(peer.url("/")), HttpMethod.GET).execute()) {
            assertAdvice(assertThrows(
                SocketTimeoutException.class, () -> response.getBody().readAllBytes()));
          }
        }));
  }

  /** That names what users of Spring set. */
  private static void assertAdvice(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("for 200 ms; raise setReadTimeout"), message);
    assertTrue(message.contains("spring.http.clients.read-timeout"), message);
    assertFalse(message.contains("Timeouts."), message);
  }
}
