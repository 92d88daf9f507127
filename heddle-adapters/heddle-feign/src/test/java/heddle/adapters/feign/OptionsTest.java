package heddle.adapters.feign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import feign.Feign;
import feign.Request;
import feign.Request.HttpMethod;
import feign.RequestLine;
import feign.Response;
import feign.RetryableException;
import feign.Retryer;
import heddle.adapters.support.ClientsByOptions;
import heddle.client.settings.RedirectPolicy;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.UnresolvedHostException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Feign's options hold for each call, and failures are those that Feign's users catch. */
@Timeout(60)
final class OptionsTest {
  private MockServer server;
  private final HeddleClient client = HeddleClient.create();

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** What Feign makes a client of. */
  private interface Api {
    @RequestLine("GET /")
    String get(Request.Options options);
  }

  @Test
  void readTimeoutOfOneCallEndsThatCall() throws Exception {
    server.enqueue(MockResponse.fault(MockFault.blackHole()));
    server.enqueue(MockResponse.ok("late"));
    Api api = Feign.builder()
        .client(client)
        .retryer(Retryer.NEVER_RETRY)
        .target(Api.class, server.url(""));
    RetryableException failure =
        assertThrows(RetryableException.class, () -> api.get(Calls.options(5_000, 200, true)));
    Throwable told = assertInstanceOf(SocketTimeoutException.class, failure.getCause());
    assertInstanceOf(DeadlineExceededException.class, told.getCause());
    assertAdvises(told);
    assertEquals("late", api.get(Calls.USUAL));
  }

  @Test
  void contentThatStopsComingIsAReadTimeoutToo() throws Exception {
    server.enqueue(MockResponse.ok("slow").with(MockFault.slowBody(1, Duration.ofHours(1))));
    try (Response response =
        client.execute(Calls.get(server.url("/")), Calls.options(5_000, 200, true))) {
      assertAdvises(assertThrows(
          SocketTimeoutException.class, () -> response.body().asInputStream().readAllBytes()));
    }
  }

  private static void assertAdvises(Throwable timeout) {
    String message = String.valueOf(timeout.getMessage());
    assertTrue(message.contains("for 200 ms; raise Request.Options.readTimeout"), message);
  }

  @Test
  void redirectIsFollowedUnlessTheOptionsSayNo() throws Exception {
    server.answer("/from", MockResponse.of(302).header("Location", "/to"));
    server.answer("/to", MockResponse.ok("there"));
    Request request = Calls.get(server.url("/from"));
    try (Response followed = client.execute(request, Calls.options(5_000, 5_000, true));
        Response kept = client.execute(request, Calls.options(5_000, 5_000, false))) {
      assertEquals(200, followed.status());
      assertEquals(302, kept.status());
      assertEquals(Calls.only("/to"), List.copyOf(kept.headers().get("Location")));
    }
  }

  @Test
  void contentIsSentAgainIfTheRedirectKeepsTheMethod() throws Exception {
    server.answer("/from", MockResponse.of(307).header("Location", "/to"));
    server.answer("/to", MockResponse.ok("there"));
    byte[] content = {1, 2, 3};
    client
        .execute(Calls.request(HttpMethod.POST, server.url("/from"), content), Calls.USUAL)
        .close();
    server.takeRequest();
    assertEquals(3, server.takeRequest().body().length);
  }

  @Test
  void settingsHoldForCallsOfAnyOptionsButForTimeAndRedirects() throws Exception {
    server.answer("/", MockResponse.of(302).header("Location", "/to"));
    try (HeddleClient marked = HeddleClient.with(builder -> builder
        .redirects(RedirectPolicy.standard())
        .interceptor((request, chain) ->
            chain.proceed(request.toBuilder().header("X-Tenant", "loom").build())))) {
      try (Response response =
          marked.execute(Calls.get(server.url("/")), Calls.options(1_000, 1_000, false))) {
        assertEquals(302, response.status());
      }
      assertEquals("loom", server.takeRequest().header("X-Tenant"));
    }
  }

  @Test
  void callsWithTheSameOptionsShareConnections() throws Exception {
    server.answer("/", MockResponse.ok("x"));
    for (int i = 0; i < 3; i++) {
      client
          .execute(Calls.get(server.url("/")), Calls.options(5_000, 60_000, true))
          .close();
      client
          .execute(Calls.get(server.url("/")), Calls.options(5_000, 50_000, true))
          .close();
    }
    assertEquals(2, server.connections());
  }

  @Test
  void tooManySetsOfOptionsAreRefusedByName() throws Exception {
    server.answer("/", MockResponse.of(204));
    for (int i = 1; i < ClientsByOptions.MOST; i++) {
      client
          .execute(Calls.get(server.url("/")), Calls.options(i * 1_000, 5_000, true))
          .close();
    }
    IOException failure = assertThrows(
        IOException.class,
        () -> client.execute(Calls.get(server.url("/")), Calls.options(99, 5_000, true)));
    assertTrue(failure.getMessage().contains("Request.Options"), failure.getMessage());
    client.execute(Calls.get(server.url("/")), Calls.USUAL).close();
  }

  @Test
  void negativeTimeoutIsRefusedByName() {
    IllegalArgumentException failure = assertThrows(
        IllegalArgumentException.class,
        () -> client.execute(Calls.get(server.url("/")), Calls.options(-1, 5_000, true)));
    assertTrue(failure.getMessage().contains("connect timeout"), failure.getMessage());
  }

  @Test
  void refusedConnectionsAndUnknownHostsAreWhatSocketsThrow() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    IOException refused = assertThrows(
        ConnectException.class,
        () -> client.execute(Calls.get("http://127.0.0.1:" + closed + "/"), Calls.USUAL));
    assertInstanceOf(ConnectFailedException.class, refused.getCause());
    try (HeddleClient nowhere = HeddleClient.with(builder -> builder.resolver((host, deadline) -> {
      throw new UnknownHostException(host);
    }))) {
      IOException unknown = assertThrows(
          UnknownHostException.class,
          () -> nowhere.execute(Calls.get("http://nowhere.invalid/"), Calls.USUAL));
      assertInstanceOf(UnresolvedHostException.class, unknown.getCause());
    }
  }
}
