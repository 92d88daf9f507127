package heddle.server;

import static heddle.server.MemoryBudgetTest.BUDGET;
import static heddle.server.MemoryBudgetTest.KIB;
import static heddle.server.MemoryBudgetTest.assertBounded;
import static heddle.server.MemoryBudgetTest.assertUnavailable;
import static heddle.server.MemoryBudgetTest.inBackground;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Method;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import heddle.testwatch.Conditions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What content of requests adds to what a server holds for its peers. */
@Timeout(60)
class ContentMemoryTest {
  private static final Handler COLLECTING =
      request -> Response.ok("" + request.body().bytes().length);

  private static String head(int length) {
    return "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + length + "\r\n\r\n";
  }

  private static List<RawPeer> connect(Http2World world, int count) throws IOException {
    List<RawPeer> peers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      peers.add(RawPeer.connect(world.server, world.network));
    }
    return peers;
  }

  @Test
  void readsFromSocketsBecomeShorterAsTheBudgetIsUsedUp() throws Exception {
    int count = 64;
    int length = 256 * KIB;
    CountDownLatch mayRead = new CountDownLatch(1);
    try (HttpServer server = HttpServer.builder()
            .memoryBudget(1024 * KIB)
            .maxConnections(1000)
            .maxRequests(1000)
            .handler(request -> {
              mayRead.await();
              return Response.ok("" + request.body().discard());
            })
            .start();
        ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        peers.add(RawPeer.connect(server).send(head(length)));
      }
      Conditions.await("all requests have come", () -> server.active() == count);
      List<Future<?>> sending = new ArrayList<>();
      for (RawPeer peer : peers) {
        sending.add(senders.submit(() -> peer.send("x".repeat(length))));
      }
      Conditions.await("the budget is used up", () -> MemoryBudgetTest.isUsedUp(server));
      mayRead.countDown();
      for (RawPeer peer : peers) {
        assertEquals("" + length, peer.answer().body());
        peer.close();
      }
      for (Future<?> each : sending) {
        each.get();
      }
      long most = server.memoryBudget() + count * 8L * KIB;
      assertTrue(server.peakMemoryHeld() <= most, server.peakMemoryHeld() + " of " + most);
    }
  }

  @Test
  void collectedContentIsCountedUntilTheRequestIsAnswered() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    Handler handler = request -> {
      byte[] content = request.body().bytes();
      mayAnswer.await();
      return Response.ok("" + content.length);
    };
    int length = 100 * KIB;
    MemoryBudgetTest.play(handler, (world, client) -> {
      HttpServer server = world.server;
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendContent(1, true, new byte[length]);
      world.await("it is counted over HTTP/2", () -> server.memoryHeld() >= length);
      RawPeer peer = RawPeer.connect(server, world.network);
      peer.send(head(length) + "x".repeat(length));
      world.await("it is counted over HTTP/1.1", () -> server.memoryHeld() >= 2L * length);
      mayAnswer.countDown();
      assertEquals("" + length, peer.answer().body());
      client.expectResponse(1, 200);
      world.await("nothing is held", () -> server.memoryHeld() <= 32 * KIB);
    });
  }

  @Test
  void requestsWhoseContentCannotBeCollectedAreAnswered503() throws Exception {
    int count = 40;
    int length = 100 * KIB;
    MemoryBudgetTest.play(COLLECTING, (world, client) -> {
      HttpServer server = world.server;
      List<RawPeer> peers = connect(world, count);
      for (RawPeer peer : peers) {
        peer.send(head(length));
      }
      world.await("all requests have come", () -> server.active() == count);
      for (int sent = 0; sent < length; sent += 10 * KIB) {
        for (RawPeer peer : peers) {
          inBackground(world, () -> peer.send("x".repeat(10 * KIB)));
        }
        world.network.sleep(Duration.ofMillis(100));
      }
      int refused = 0;
      for (RawPeer peer : peers) {
        RawPeer.Answer answer = peer.answer();
        if (answer.status() == 200) {
          assertEquals("" + length, answer.body());
        } else {
          assertUnavailable(answer);
          refused++;
        }
        peer.close();
      }
      // All may be: what has arrived of each counts before it is collected.
      assertTrue(refused > 0, "none is refused");
      assertBounded(server, count);
      world.await("nothing is held", () -> server.memoryHeld() <= 4 * KIB);
      try (RawPeer again = RawPeer.connect(server, world.network)) {
        assertEquals(
            "" + length, again.send(head(length) + "x".repeat(length)).answer().body());
      }
    });
  }

  @Test
  void contentLongerThanTheBudgetIsNotCollectedButMayBeStreamed() throws Exception {
    int length = 2 * BUDGET;
    Handler handler = request -> Response.ok(""
        + (request.target().equals("/stream")
            ? request.body().discard()
            : request.body().bytes().length));
    MemoryBudgetTest.play(handler, (world, client) -> {
      try (RawPeer peer = RawPeer.connect(world.server, world.network)) {
        peer.send(head(length));
        inBackground(world, () -> peer.send("x".repeat(BUDGET)));
        assertUnavailable(peer.answer());
      }
      try (RawPeer peer = RawPeer.connect(world.server, world.network)) {
        inBackground(
            world,
            () -> peer.send(head(length).replace("POST /", "POST /stream") + "x".repeat(length)));
        assertEquals("" + length, peer.answer().body());
      }
      assertBounded(world.server, 2);
    });
  }

  @Test
  void streamWhoseContentCannotBeCollectedIsAnswered503() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    CountDownLatch mayAnswerLast = new CountDownLatch(1);
    int length = 240 * KIB;
    Handler handler = request -> {
      int collected = request.body().bytes().length;
      (request.path().equals("/last") ? mayAnswerLast : mayAnswer).await();
      return Response.ok("" + collected);
    };
    MemoryBudgetTest.play(handler, (world, client) -> {
      try (Http2Peer other = world.connect()) {
        other.handshake();
        other.sendRequest(1, "POST", "/", false);
        other.sendContent(1, true, new byte[length]);
        other.sendRequest(3, "POST", "/last", false);
        other.sendContent(3, true, new byte[60 * KIB]);
        world.await("both are collected", () -> world.server.memoryHeld() >= length + 60 * KIB);
        client.handshake();
        client.sendRequest(1, "POST", "/", false);
        client.sendContent(1, true, new byte[length]);
        assertEquals("1", client.expectResponse(1, 503).value("retry-after"));
        mayAnswer.countDown();
        other.expectResponse(1, 200);
        mayAnswerLast.countDown();
      }
      world.await("nothing is held", () -> world.server.memoryHeld() <= 32 * KIB);
    });
  }

  @Test
  void smallBodiesThatAreCutAreRefusedWhenNoMemoryIsLeft() throws Exception {
    int count = 100;
    int length = 16 * KIB;
    MemoryBudgetTest.play(COLLECTING, (world, client) -> {
      HttpServer server = world.server;
      List<RawPeer> peers = connect(world, count);
      for (RawPeer peer : peers) {
        peer.send(head(length));
      }
      world.await("all are connected", () -> server.connections() == count + 1);
      for (RawPeer peer : peers) {
        inBackground(world, () -> peer.send("x".repeat(length - 1)));
      }
      world.network.sleep(Duration.ofSeconds(1));
      long most = BUDGET + 2 * 16 * KIB;
      assertTrue(server.peakMemoryHeld() <= most, server.peakMemoryHeld() + " of " + most);
      int served = 0;
      for (RawPeer peer : peers) {
        if (peer.hasInput()) {
          assertUnavailable(peer.answer());
        } else {
          assertEquals("" + length, peer.send("x").answer().body());
          served++;
        }
      }
      assertTrue(served >= 1 && served < count, served + " are served");
      for (RawPeer peer : peers) {
        peer.close();
      }
      world.await("nothing is held", () -> server.memoryHeld() <= 4 * KIB);
    });
  }

  /** Reads the first byte of each POST, and the rest once it may. */
  private static Handler beginningToRead(CountDownLatch mayGoOn) {
    return request -> {
      if (!request.method().equals(Method.POST)) {
        return Response.ok("");
      }
      try (InputStream in = request.body().stream()) {
        int first = in.read();
        mayGoOn.await();
        return Response.ok(
            "" + (in.transferTo(OutputStream.nullOutputStream()) + (first >= 0 ? 1 : 0)));
      }
    };
  }

  @Test
  void contentThatAHandlerHasBegunToReadIsCounted() throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    int length = 60 * KIB;
    MemoryBudgetTest.play(beginningToRead(mayGoOn), (world, client) -> {
      HttpServer server = world.server;
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendContent(1, true, new byte[length]);
      RawPeer peer = RawPeer.connect(server, world.network);
      peer.send(head(length) + "x".repeat(length));
      world.await("all requests have come", () -> server.active() == 2);
      world.network.sleep(Duration.ofSeconds(1));
      assertTrue(server.memoryHeld() >= 2L * length, server.memoryHeld() + " are held");
      mayGoOn.countDown();
      assertEquals("" + length, peer.answer().body());
      client.expectResponse(1, 200);
      world.await("nothing is held", () -> server.memoryHeld() <= 32 * KIB);
    });
  }
}
