package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.codec.http2.frame.Frame;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Promise 2: limits count what they say")
@Timeout(60)
class LimitsCountWhatTheySayTest {
  private static final Duration ANSWER = Duration.ofSeconds(1);

  /** Answers each request a second after it has come, whatever else is under way. */
  private static ScriptedPeer.Script server(ClientWorld world, HttpVersion version) {
    if (version == HttpVersion.HTTP_2) {
      return Http2Peer.server(h2 -> {
        h2.handshake();
        while (h2.expectFrame() instanceof Frame.Headers head) {
          world.network.sleep(ANSWER);
          h2.sendResponse(head.streamId(), 200, "done");
        }
      });
    }
    return c -> {
      while (c.hasMore()) {
        c.expectHead();
        c.sleep(ANSWER);
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
      }
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void blockingAndAsynchronousCallsOfBothVersionsShareTheLimitOfRequestsInFlight(
      HttpVersion version) throws Exception {
    PoolLimits limits = PoolLimits.builder().maxInFlightPerRoute(3).build();
    try (ClientWorld world =
        new ClientWorld(client -> client.version(version).poolLimits(limits))) {
      world.visitMany(
          peer -> {
            List<CompletableFuture<Response>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              Request request = Request.get(peer.url("/"));
              calls.add(world.start(request).outcome());
              calls.add(world.client.sendAsync(request));
            }
            world.until(() -> world.pending() == 5);
            for (CompletableFuture<Response> call : calls) {
              while (!call.isDone()) {
                RouteSnapshot route = world.pool().routes().getFirst();
                assertTrue(route.inFlight() <= 3, route.toString());
                world.network.sleep(Duration.ofMillis(10));
              }
              assertEquals("done", call.get().string());
            }
            int connections = version == HttpVersion.HTTP_2 ? 1 : 3;
            assertEquals(connections, peer.connections());
          },
          server(world, version));
    }
  }

  @Test
  void theDefaultsAreThoseThatAreDocumentedAndFinite() {
    PoolLimits defaults = PoolLimits.DEFAULTS;
    assertEquals(256, defaults.maxPerRoute());
    assertEquals(4, defaults.maxHttp2PerRoute());
    assertEquals(1_024, defaults.maxTotal());
    assertEquals(4_000, defaults.maxInFlightPerRoute());
    assertEquals(100_000, defaults.maxQueuedPerRoute());
    assertNull(defaults.acquireTimeout());
    assertEquals(Duration.ofSeconds(55), defaults.idleTimeout());
    assertEquals(Duration.ofMinutes(10), defaults.maxAge());
    assertEquals(0.2, defaults.ageJitter());
  }
}
