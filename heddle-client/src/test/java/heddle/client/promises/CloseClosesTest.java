package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ClientClosedException;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 9: close closes")
@Timeout(60)
class CloseClosesTest {
  private static final Duration CLOSE = Duration.ofSeconds(3);
  private static final int BLACK_HOLE = 81;

  /** Answers in part, or not at all, and keeps the connection. */
  private static final ScriptedPeer.Script NEVER_ENDS = c -> {
    String head = c.expectHead();
    if (head.startsWith("GET /body")) {
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\npart");
    } else if (head.startsWith("POST")) {
      c.pauseReading();
      c.sleep(Duration.ofSeconds(30));
      c.resumeReading();
    }
    c.drain();
  };

  private static ClientWorld world() {
    return new ClientWorld(SimNetwork.builder().deterministic(), client -> client
        .timeouts(Timeouts.builder().close(CLOSE).build())
        .poolLimits(PoolLimits.builder().maxPerRoute(3).build()));
  }

  @Test
  void twoWhoCloseAreBothDoneInTimeWhateverIsUnderWayAndNoThreadSurvives() throws Exception {
    ClientWorld world = world();
    try (world) {
      world.network.blackHole(new InetSocketAddress(InetAddress.getLoopbackAddress(), BLACK_HOLE));
      world.network.run(() -> {
        try (ScriptedPeer peer = ScriptedPeer.each(world.network, NEVER_ENDS)) {
          Response body = world.client.send(Request.get(peer.url("/body")));
          List<CompletableFuture<Response>> calls = List.of(
              world.client.sendAsync(Request.get(peer.url("/head"))),
              world.client.sendAsync(Request.post(peer.url("/"), Body.of(new byte[1_000_000]))),
              world.client.sendAsync(Request.get("http://a.test:" + BLACK_HOLE + "/")),
              world.client.sendAsync(Request.get(peer.url("/queued"))));
          world.until(() -> world.pending() == 1 && world.inUse() == 4);
          world.network.sleep(Duration.ofSeconds(1));
          closeTwice(world);
          for (CompletableFuture<Response> call : calls) {
            world.untilOver(call);
            assertInstanceOf(ClientClosedException.class, call.exceptionNow());
          }
          body.close();
          world.assertNothingIsOpen();
        }
      });
    }
    List<String> left = world.network.threadsLeft().stream()
        .map(Thread::getName)
        .filter(name -> !name.equals("heddle-leaks")) // one for the process
        .toList();
    assertEquals(List.of(), left);
  }

  private static void closeTwice(ClientWorld world) throws Exception {
    Duration before = world.now();
    List<CompletableFuture<Void>> closing = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      closing.add(CompletableFuture.runAsync(world.client::close, world.network.executor()));
    }
    for (CompletableFuture<Void> each : closing) {
      world.untilOver(each);
      each.get();
    }
    Duration took = world.now().minus(before);
    assertTrue(took.compareTo(CLOSE.plusMillis(10)) <= 0, "closing took " + took);
  }
}
