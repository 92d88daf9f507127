package heddle.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.RetryPolicy;
import heddle.har.HarReplay;
import heddle.http.Body;
import heddle.http.Response;
import heddle.http.failure.ConnectionLostException;
import heddle.server.HttpServer;
import heddle.testkit.Cut;
import heddle.testkit.Direction;
import heddle.testkit.FaultProxy;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import heddle.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of docs/guide/testing.md, which is tests. */
final class TestingGuideTest {
  // doc: mock
  @Test
  void greetingIsRead() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.create()) {
      server.enqueue(MockResponse.ok("hello"));
      assertEquals("hello", client.get(server.url("/greeting")).string());
      assertEquals("/greeting", server.takeRequest().target());
    }
  }
  // doc: end

  // doc: har
  @Test
  void usersAreReadFromARecording() throws Exception {
    HarReplay replay = HarReplay.of(Path.of("src/test/resources/users.har"));
    try (HttpClient client = HttpClient.builder().interceptor(replay).build()) {
      assertEquals("Ann", client.get("https://example.com/users/7").string());
    }
    assertEquals(List.of(), replay.unused());
  }
  // doc: end

  // doc: fault
  @Test
  void answerThatIsCutShortIsAnError() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.create()) {
      server.enqueue(MockResponse.ok("hello").with(MockFault.cutInBody(3)));
      assertThrows(
          ConnectionLostException.class,
          () -> client.get(server.url("/greeting")).string());
    }
  }
  // doc: end

  // doc: retry
  @Test
  void unavailableServerIsAskedAgain() throws Exception {
    RetryPolicy patient = RetryPolicy.onStatus()
        .backoff(Duration.ofMillis(1), Duration.ofMillis(5))
        .build();
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.builder().retries(patient).build()) {
      server.enqueue(MockResponse.of(503));
      server.enqueue(MockResponse.ok("hello"));
      assertEquals("hello", client.get(server.url("/greeting")).string());
      assertEquals(2, server.requests().size());
    }
  }
  // doc: end

  // doc: tls
  @Test
  void greetingIsReadOverTls() throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost");
    TlsOptions trusting = TlsOptions.builder().context(identity.trusting()).build();
    try (MockServer server = MockServer.builder().tls(identity.server()).start();
        HttpClient client = HttpClient.builder().tls(trusting).build()) {
      server.enqueue(MockResponse.ok("hello"));
      assertEquals("hello", client.get(server.url("/greeting")).string());
    }
  }
  // doc: end

  // doc: proxy
  @Test
  void uploadOverABrokenConnectionFails() throws Exception {
    try (HttpServer server = HttpServer.builder()
            .handler(request -> Response.ok(request.body().string()))
            .start();
        FaultProxy proxy = FaultProxy.before(server.address());
        HttpClient client = HttpClient.create()) {
      proxy.onConnection(c -> c.cutAfterBytes(Direction.TO_SERVER, 10_000, Cut.RESET));
      String url = "http://localhost:" + proxy.port() + "/upload";
      Body content = Body.of(new byte[100_000]);
      assertThrows(ConnectionLostException.class, () -> client.post(url, content));
    }
  }
  // doc: end

  // doc: time
  @Test
  void minuteOfSilenceTakesNoTime() throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (MockServer server = MockServer.builder().network(network).start();
            HttpClient client = HttpClient.builder().network(network.lasting()).build()) {
          server.enqueue(MockResponse.ok("late").after(Duration.ofSeconds(20)));
          // An address: the system would take real time to look up a name.
          String url = "http://127.0.0.1:" + server.port() + "/";
          assertEquals("late", client.get(url).string());
          assertTrue(network.clock().nanoTime() >= 20_000_000_000L);
        }
      });
    }
  }
  // doc: end
}
