package heddle.client.coalescing;

import static heddle.client.coalescing.NamedServers.options;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.PoolLimits;
import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Body;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits, deadlines and failures of calls that use the connections of other origins. */
@Timeout(60)
class CoalescedCallsTest {
  private static final String A = "https://a.test/a";
  private static final String B = "https://b.test/b";
  private static final String[] BOTH = {"a.test", "b.test"};

  @Test
  void aCallCountsAsOneOfTheRouteWhoseConnectionItUses() throws Exception {
    PoolLimits two = PoolLimits.builder().maxInFlightPerRoute(2).build();
    try (NamedServers servers = new NamedServers(builder -> builder.poolLimits(two))) {
      servers.visit(options(BOTH), server -> {
        servers.get(A);
        server.answer("/slow", MockResponse.ok("").after(Duration.ofSeconds(5)));
        List<ClientWorld.Running> calls = List.of(
            servers.world.start(Request.get("https://b.test/slow")),
            servers.world.start(Request.get("https://b.test/slow")));
        servers.world.until(() -> server.requests().size() == 3);
        assertEquals(1, server.connections());
        assertEquals(2, servers.route("a.test").inFlight());
        assertEquals(1, servers.world.pool().routes().size(), "b.test has no part of the pool");
        servers.get(B);
        assertEquals(2, server.connections(), "as many calls of the route as there may be");
        assertEquals(1, servers.route("b.test").open());
        for (ClientWorld.Running call : calls) {
          servers.world.assertAnswered(call, "");
        }
        assertEquals(0, servers.route("a.test").inFlight());
      });
    }
  }

  @Test
  void aServerThatGoesAwayCostsNoCall() throws Exception {
    try (NamedServers servers = new NamedServers()) {
      servers.world.network.run(() -> {
        ScriptedPeer.Script going = Http2Peer.server(h2 -> {
          h2.handshake();
          int first = h2.expectHeaders().streamId();
          h2.sendResponse(first, 200, "/a");
          h2.expectContent(h2.expectHeaders().streamId());
          h2.sendGoAway(first, ErrorCode.NO_ERROR);
          h2.expectGoAway(ErrorCode.NO_ERROR);
          h2.expectEnd();
        });
        ScriptedPeer.Script own = Http2Peer.server(h2 -> {
          h2.handshake();
          var head = h2.expectHeaders();
          assertEquals("b.test POST", head.value(":authority") + " " + head.value(":method"));
          h2.sendResponse(head.streamId(), 200, "/b");
        });
        try (ScriptedPeer peer = servers.scripted(going, own)) {
          servers.get(A);
          servers.assertAnswered(Request.post(B, Body.of("once")));
          peer.awaitScripts();
        }
      });
    }
  }

  @Test
  void lookingForAnotherConnectionEndsAtTheDeadline() throws Exception {
    try (NamedServers servers = new NamedServers()) {
      servers.visit(options(BOTH), server -> {
        servers.get(A);
        servers.silent.add("b.test");
        Request hasty = Request.builder(B).deadline(Duration.ofSeconds(3)).build();
        DeadlineExceededException failure =
            assertThrows(DeadlineExceededException.class, () -> servers.world.client.send(hasty));
        assertEquals(Phase.RESOLVE, failure.at().phase());
        assertEquals(Duration.ofSeconds(3), failure.at().elapsed());
        assertEquals(Duration.ofSeconds(3), failure.at().spent().get(Phase.RESOLVE));
      });
    }
  }

  @Test
  void lookingForAnotherConnectionEndsWithTheClient() throws Exception {
    try (NamedServers servers = new NamedServers()) {
      servers.visit(options(BOTH), server -> {
        servers.get(A);
        servers.silent.add("b.test");
        ClientWorld.Running call = servers.world.start(Request.get(B));
        servers.world.until(() -> servers.lookedUp.contains("b.test"));
        Duration before = servers.world.now();
        servers.world.client.close();
        servers.world.untilOver(call.outcome());
        Duration took = servers.world.now().minus(before);
        assertTrue(took.compareTo(Duration.ofSeconds(1)) < 0, () -> "closed after " + took);
        assertInstanceOf(ClientClosedException.class, call.outcome().exceptionNow());
        assertFalse(call.interrupted().get());
      });
    }
  }

  @Test
  void anInterruptEndsTheLookingForAnotherConnection() throws Exception {
    try (NamedServers servers = new NamedServers()) {
      servers.visit(options(BOTH), server -> {
        servers.get(A);
        servers.silent.add("b.test");
        ClientWorld.Running call = servers.world.start(Request.get(B));
        servers.world.until(() -> servers.lookedUp.contains("b.test"));
        call.thread().interrupt();
        servers.world.untilOver(call.interrupted());
        assertInstanceOf(InterruptedIOException.class, call.outcome().exceptionNow());
        assertTrue(call.interrupted().get());
        assertEquals(1, server.connections());
      });
    }
  }
}
