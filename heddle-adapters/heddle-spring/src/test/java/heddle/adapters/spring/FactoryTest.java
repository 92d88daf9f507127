package heddle.adapters.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.failure.ClientClosedException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;

/** The life of a factory, and what it refuses. */
@Timeout(60)
final class FactoryTest {
  private static final URI ANYWHERE = URI.create("http://127.0.0.1:1/");

  @Test
  void timeoutsCannotBeSetOnceARequestWasMade() {
    HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory();
    factory.setConnectTimeout(Duration.ofSeconds(1));
    factory.createRequest(ANYWHERE, HttpMethod.GET);
    IllegalStateException failure = assertThrows(
        IllegalStateException.class, () -> factory.setReadTimeout(Duration.ofSeconds(1)));
    assertTrue(failure.getMessage().contains("readTimeout"), failure.getMessage());
    factory.destroy();
  }

  @Test
  void timeoutsCannotBeSetForAClientThatWasGiven() {
    try (HttpClient client = HttpClient.create()) {
      HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory(client);
      IllegalStateException failure = assertThrows(
          IllegalStateException.class, () -> factory.setConnectTimeout(Duration.ofSeconds(1)));
      assertTrue(failure.getMessage().contains("connectTimeout"), failure.getMessage());
    }
  }

  @Test
  void negativeTimeoutIsRefusedByName() {
    HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory();
    IllegalArgumentException failure = assertThrows(
        IllegalArgumentException.class, () -> factory.setReadTimeout(Duration.ofSeconds(-1)));
    assertTrue(failure.getMessage().contains("read timeout"), failure.getMessage());
  }

  @Test
  void destroyedFactoryMakesNoMoreCalls() {
    HeddleClientHttpRequestFactory used = new HeddleClientHttpRequestFactory();
    ClientHttpRequest request = used.createRequest(ANYWHERE, HttpMethod.GET);
    used.destroy();
    used.destroy();
    assertThrows(ClientClosedException.class, request::execute);
    HeddleClientHttpRequestFactory unused = new HeddleClientHttpRequestFactory();
    unused.destroy();
    assertThrows(IllegalStateException.class, () -> unused.createRequest(ANYWHERE, HttpMethod.GET));
  }

  @Test
  void clientFromElsewhereHasThePropertiesAndStaysOpen() throws Exception {
    AtomicReference<HttpClient> made = new AtomicReference<>();
    try (MockServer server = MockServer.start()) {
      server.answer("/", MockResponse.ok("x"));
      HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory(options -> {
        assertEquals(Duration.ofSeconds(7), options.readTimeout());
        made.set(options.builder().build());
        return made.get();
      });
      factory.setReadTimeout(Duration.ofSeconds(7));
      URI url = URI.create(server.url("/"));
      factory.createRequest(url, HttpMethod.GET).execute().close();
      factory.createRequest(url, HttpMethod.GET).execute().close();
      factory.destroy();
      assertEquals("x", made.get().send(Request.get(server.url("/"))).string());
      made.get().close();
    }
  }

  @Test
  void clientThatWasGivenStaysOpen() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.create()) {
      server.answer("/", MockResponse.ok("x"));
      HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory(client);
      factory
          .createRequest(URI.create(server.url("/")), HttpMethod.GET)
          .execute()
          .close();
      factory.destroy();
      assertEquals("x", client.send(Request.get(server.url("/"))).string());
    }
  }
}
