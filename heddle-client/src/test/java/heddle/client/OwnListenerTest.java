package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Request;
import heddle.testkit.SimNetwork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners of a single call. */
@Timeout(60)
class OwnListenerTest {
  private static final String SIX = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  private final List<String> entries = new CopyOnWriteArrayList<>();

  /** Records the events, each with the name of the listener. */
  private final class Noting implements ExchangeListener {
    private final String name;

    Noting(String name) {
      this.name = name;
    }

    @Override
    public void callStarted(CallInfo call) {
      entries.add(name + " start " + call.request().path());
    }

    @Override
    public void acquired(
        AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
      assertNull(connection.tlsSession());
      entries.add(name + (reused ? " old" : " new"));
    }

    @Override
    public void callEnded(CallSummary summary) {
      entries.add(name + " over");
    }
  }

  @Test
  void listenerOfOneCallRunsAfterTheClientsListeners() throws Exception {
    try (ClientWorld world =
        new ClientWorld(SimNetwork.builder(), client -> client.listener(new Noting("all")))) {
      world.serve(c -> {
        c.expectHead();
        c.send(SIX);
        c.expectHead();
        c.send(SIX);
      });
      world.visit(peer -> {
        Request request = Request.get(peer.url("/a"));
        assertEquals("Hello!", world.client.send(request, new Noting("own")).string());
        world.get(peer).close();
      });
    }
    assertEquals(
        List.of(
            "all start /a",
            "own start /a",
            "all new",
            "own new",
            "all over",
            "own over",
            "all start /",
            "all old",
            "all over"),
        entries);
  }

  @Test
  void aListenerOfOneCallNeedsNoneOfAll() throws Exception {
    try (ClientWorld world = new ClientWorld(SimNetwork.builder(), client -> client)) {
      world.serve(c -> {
        c.expectHead();
        c.send(SIX);
      });
      world.visit(peer -> {
        Request request = Request.get(peer.url("/b"));
        assertEquals("Hello!", world.client.send(request, new Noting("own")).string());
      });
    }
    assertEquals(List.of("own start /b", "own new", "own over"), entries);
  }
}
