package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ClientClosedException;
import heddle.testkit.Direction;
import heddle.testkit.ScriptedPeer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing a client: bounded, idempotent, and nothing is left behind. */
@Timeout(60)
class CloseTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String SIX = OK + "Content-Length: 6\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private void replaceWorld(ClientWorld other) {
    world.close();
    world = other;
  }

  @Test
  void closeLetsARunningCallEnd() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.sleep(Duration.ofSeconds(4));
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      ClientWorld.Running call = world.start(Request.get(peer.url("/")));
      world.network.sleep(Duration.ofSeconds(1));
      world.client.close();
      assertEquals(Duration.ofSeconds(4), world.now());
      assertEquals("Hello!", call.outcome().get().string());
      world.assertNothingIsOpen();
    });
  }

  @Test
  void closeAbortsWhatStillRunsAfterItsTimeout() throws Exception {
    world.serve(ClientWorld::waitForTheEnd);
    world.visit(peer -> {
      ClientWorld.Running call = world.start(Request.get(peer.url("/")));
      world.network.sleep(Duration.ofSeconds(1));
      world.client.close();
      assertEquals(Duration.ofSeconds(6), world.now());
      assertClosed(Phase.AWAIT_HEAD, Sent.YES, call);
      world.assertNothingIsOpen();
    });
  }

  @Test
  void aCallThatCloseAbortsIsNotTriedAgain() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(SIX);
      ClientWorld.waitForTheEnd(c);
    });
    world.visit(peer -> {
      assertEquals("Hello!", world.get(peer).string());
      ClientWorld.Running call = world.start(Request.get(peer.url("/")));
      world.until(() -> world.inUse() == 1);
      world.client.close();
      assertClosed(Phase.AWAIT_HEAD, Sent.YES, call);
      assertEquals(1, world.network.connections().size());
    });
  }

  private void assertClosed(Phase phase, Sent sent, ClientWorld.Running call) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> call.outcome().get());
    HttpException cause = assertInstanceOf(HttpException.class, failure.getCause());
    world.assertFails(ClientClosedException.class, phase, sent, cause);
    ClientWorld.assertSays(cause, "the client was closed before the call ended");
  }

  @Test
  void closeAbortsAnUnreadBody() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: 6\r\n\r\nHe");
      c.hasMore();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      world.client.close();
      assertEquals(Duration.ofSeconds(5), world.now());
      ClientClosedException failure = assertThrows(ClientClosedException.class, response::bytes);
      world.assertFails(ClientClosedException.class, Phase.READ_BODY, Sent.YES, failure);
      world.assertNothingIsOpen();
    });
  }

  @Test
  void closeClosesIdleConnectionsAndRefusesNewCalls() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      assertEquals("Hello!", world.get(peer).string());
      world.client.close();
      world.client.close();
      world.assertNothingIsOpen();
      ClientClosedException failure =
          assertThrows(ClientClosedException.class, () -> world.get(peer).close());
      assertTrue(failure.getMessage().contains("closed"), failure.getMessage());
      assertEquals(Sent.NO, failure.at().sent());
      assertEquals(Duration.ZERO, world.now());
    });
  }

  @Test
  void closeFailsTheCallsInTheQueueAtOnce() throws Exception {
    replaceWorld(new ClientWorld(PoolLimits.builder().maxPerRoute(1).build()));
    world.serve(ClientWorld::withholdContent);
    world.visit(peer -> {
      Response holds = world.get(peer);
      ClientWorld.Running waits = world.start(Request.get(peer.url("/")));
      world.until(() -> world.pending() == 1);
      ClientWorld.Running closes = world.start(Request.get(peer.url("/")));
      world.until(() -> world.pending() == 2);
      world.network.executor().execute(world.client::close);
      for (ClientWorld.Running call : List.of(waits, closes)) {
        ExecutionException failure =
            assertThrows(ExecutionException.class, () -> call.outcome().get());
        assertInstanceOf(ClientClosedException.class, failure.getCause());
      }
      assertTrue(world.now().toSeconds() < 1, "refused after " + world.now());
      holds.close();
    });
  }

  @Test
  void closeAbortsAConnectionThatIsBeingOpened() throws Exception {
    world.network.run(() -> {
      try (ScriptedPeer peer = ScriptedPeer.each(world.network, c -> c.hasMore())) {
        world.network.onConnection(c -> c.stall(Direction.TO_CLIENT));
        world.network.blackHole(peer.address());
        Request request = Request.get(peer.url("/"));
        ClientWorld.Running call = world.start(request);
        world.network.sleep(Duration.ofSeconds(1));
        world.client.close();
        assertTrue(world.now().toSeconds() <= 6, "closed after " + world.now());
        assertThrows(ExecutionException.class, () -> call.outcome().get());
        assertEquals(0, world.pool().open());
      }
    });
  }
}
