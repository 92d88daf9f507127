package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Promise 7: one deadline that is true")
@Timeout(60)
class OneTrueDeadlineTest {
  private static ScriptedPeer.Script silent(HttpVersion version) {
    return version == HttpVersion.HTTP_1_1
        ? ClientWorld::waitForTheEnd
        : Http2Peer.server(h2 -> {
          h2.handshake();
          h2.expectHeaders();
          h2.expectClosed();
        });
  }

  /** As when the machine was suspended: nothing ran meanwhile, and yet the time is over. */
  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void aLeapOfTheClockPastTheDeadlineEndsTheCallAtOnceAndIsAccountedFor(HttpVersion version)
      throws Exception {
    try (ClientWorld world = new ClientWorld(client -> client.version(version))) {
      world.serve(silent(version));
      world.visit(peer -> {
        ClientWorld.Running call = world.startUnderWay(Request.get(peer.url("/")));
        world.network.leap(Duration.ofMinutes(30));
        world.untilOver(call.outcome());
        assertTrue(world.now().toSeconds() <= 1_801, "it ended at " + world.now());
        DeadlineExceededException failure =
            assertInstanceOf(DeadlineExceededException.class, call.outcome().exceptionNow());
        assertEquals(Phase.AWAIT_HEAD, failure.at().phase());
        assertEquals(1_800, failure.at().spent().get(Phase.AWAIT_HEAD).toSeconds());
      });
    }
  }
}
