package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.testkit.Http2Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 4: HTTP/2 stream limits queue, they do not throw")
@Timeout(60)
class StreamLimitsQueueTest {
  private static ClientWorld world(int connections) {
    return new ClientWorld(client -> client
        .version(HttpVersion.HTTP_2)
        .poolLimits(PoolLimits.builder().maxHttp2PerRoute(connections).build()));
  }

  @Test
  void aHundredStreamsAreAssumedBeforeSettingsArriveAndTheRestWaits() throws Exception {
    try (ClientWorld world = world(1)) {
      world.serve(Http2Peer.server(h2 -> {
        h2.connection().expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        h2.expectSettings();
        List<Integer> streams = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          streams.add(h2.expectHeaders().streamId());
        }
        h2.connection().sleep(Duration.ofSeconds(1));
        h2.sendSettings(Settings.MAX_CONCURRENT_STREAMS, 130);
        h2.sendSettingsAck();
        for (int i = 0; i < 30; i++) {
          streams.add(h2.expectHeaders().streamId());
        }
        for (int stream : streams) {
          h2.sendResponse(stream, 200, "done");
        }
      }));
      world.visit(peer -> {
        List<ClientWorld.Running> calls = new ArrayList<>();
        for (int i = 0; i < 130; i++) {
          calls.add(world.start(Request.get(peer.url("/"))));
        }
        world.until(() -> world.pending() == 30);
        world.network.sleep(Duration.ofMillis(500));
        assertEquals(100, world.pool().routes().getFirst().inFlight());
        assertEquals(30, world.pending());
        for (ClientWorld.Running call : calls) {
          world.assertAnswered(call, "done");
        }
        assertEquals(0, world.pending());
      });
    }
  }

  @Test
  void atThePeersLimitTheNextConnectionOpensUpToTheRoutesCapAndNobodyFails() throws Exception {
    try (ClientWorld world = world(3)) {
      world.visitMany(
          peer -> {
            // One by one, so that what a connection allows is known when the next call comes.
            List<ClientWorld.Running> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
              calls.add(world.start(Request.get(peer.url("/"))));
              world.network.sleep(Duration.ofMillis(10));
            }
            assertEquals(20 - 3 * 2, world.pending());
            for (ClientWorld.Running call : calls) {
              while (!call.outcome().isDone()) {
                RouteSnapshot route = world.pool().routes().getFirst();
                assertTrue(route.open() <= 3, route.toString());
                world.network.sleep(Duration.ofMillis(50));
              }
              assertEquals("done", call.outcome().get().string());
            }
            assertEquals(3, peer.connections());
          },
          Http2Peer.server(h2 -> {
            h2.handshake(Settings.MAX_CONCURRENT_STREAMS, 2);
            while (h2.expectFrame() instanceof Frame.Headers head) {
              h2.connection().sleep(Duration.ofSeconds(1));
              h2.sendResponse(head.streamId(), 200, "done");
            }
          }));
    }
  }
}
