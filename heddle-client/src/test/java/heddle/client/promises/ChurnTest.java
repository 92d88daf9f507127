package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import heddle.client.ClientWorld;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.testkit.Http2Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 12: HTTP/2 survives churn")
@Timeout(60)
class ChurnTest {
  @Test
  void callsOfASilentPeerAreReplayedWhereThatIsSafeAndFailOtherwise() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "");
        h2.answersPings(false);
        h2.expectClosed();
      }));
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "elsewhere");
        h2.expectClosed();
      }));
      world.visit(peer -> {
        world.get(peer).close();
        ClientWorld.Running get = world.start(Request.get(peer.url("/")));
        ClientWorld.Running post = world.start(Request.post(peer.url("/"), Body.of("x")));
        world.assertAnswered(get, "elsewhere");
        world.untilOver(post.outcome());
        ConnectionLostException lost =
            assertInstanceOf(ConnectionLostException.class, post.outcome().exceptionNow());
        assertEquals(Sent.UNKNOWN, lost.at().sent());
        ClientWorld.assertSays(lost, "PING");
        assertEquals(20, world.now().toSeconds());
      });
    }
  }

  /** A server that lets each connection serve a few calls only, while calls keep coming. */
  @Test
  void noCallFailsWhileConnectionsComeAndGo() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.visitMany(
          peer -> {
            List<ClientWorld.Running> calls = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
              calls.add(world.start(Request.post(peer.url("/"), Body.of("x"))));
              world.network.sleep(Duration.ofMillis(20));
            }
            for (ClientWorld.Running call : calls) {
              world.assertAnswered(call, "done");
            }
            world.until(() -> world.inUse() == 0);
          },
          Http2Peer.server(h2 -> {
            h2.handshake();
            int stream = 0;
            for (int i = 0; i < 5; i++) {
              stream = h2.expectHeaders().streamId();
              h2.expectContent(stream);
              h2.connection().sleep(Duration.ofMillis(15));
              if (i == 4) {
                h2.sendGoAway(stream, ErrorCode.NO_ERROR);
              }
              h2.sendResponse(stream, 200, "done");
            }
            h2.expectClosed();
          }));
    }
  }
}
