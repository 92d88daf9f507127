package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.connection.MemoryBudget;
import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Direction;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimConnection;
import heddle.testkit.SimNetwork;
import heddle.transport.Descriptors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server holds for all its peers together. */
@Timeout(60)
@DisplayName("Promise 20: nothing is allocated on a peer's word")
class MemoryBudgetTest {
  static final int KIB = 1024;
  static final int BUDGET = 512 * KIB;

  /** How many streams a client may make the server reset at once: Http2Limits.owedResets. */
  private static final int OWED_RESETS = 1000;

  /** What a connection may hold beyond the budget. */
  static final int BEYOND = 8 * KIB;

  /** Answers each POST with the length of its content, which it reads once it may. */
  private static Handler readingAfter(CountDownLatch mayRead) {
    return request -> {
      if (request.method().equals(Method.POST)) {
        mayRead.await();
      }
      return Response.ok("" + request.body().discard());
    };
  }

  private static void play(CountDownLatch mayRead, Http2World.Script script) throws Exception {
    play(readingAfter(mayRead), script);
  }

  static void play(Handler handler, Http2World.Script script) throws Exception {
    Http2World.play(
        handler,
        builder -> builder
            .memoryBudget(BUDGET)
            .maxConnections(1000)
            .maxRequests(1000)
            .bodyTimeout(Duration.ofMinutes(5)),
        script);
  }

  @FunctionalInterface
  interface Sending {
    void run() throws IOException;
  }

  static void inBackground(Http2World world, Sending sending) {
    world.network.executor().execute(() -> {
      try {
        sending.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  static void assertBounded(HttpServer server, int connections) {
    long most = BUDGET + (long) connections * BEYOND;
    assertTrue(server.peakMemoryHeld() <= most, server.peakMemoryHeld() + " were held of " + most);
  }

  /** Each request that is being answered counts too. */
  static boolean isUsedUp(HttpServer server) {
    long perRequest =
        Math.min(MemoryBudget.REQUEST_BYTES, server.memoryBudget() / server.maxRequests());
    return server.memoryHeld() + server.active() * perRequest >= server.memoryBudget();
  }

  static void assertUnavailable(RawPeer.Answer answer) {
    assertEquals(503, answer.status(), answer.head());
    assertTrue(answer.hasField("Retry-After"), answer.head());
  }

  @Test
  void contentThatNobodyReadsStaysWithinTheBudgetAndAllIsServedInTheEnd() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    int count = 30;
    int length = 100 * KIB;
    play(mayRead, (world, client) -> {
      HttpServer server = world.server;
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        RawPeer peer = RawPeer.connect(server, world.network);
        peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + length + "\r\n\r\n");
        peers.add(peer);
      }
      world.await("all requests have come", () -> server.active() == count);
      RawPeer early = RawPeer.connect(server, world.network);
      assertEquals(200, early.get("/").answer().status());
      for (RawPeer peer : peers) {
        inBackground(world, () -> peer.send("x".repeat(length)));
      }
      world.await("the budget is used up", () -> isUsedUp(server));
      world.network.sleep(Duration.ofSeconds(1));
      assertBounded(server, count);

      assertUnavailable(early.get("/").answer());
      RawPeer late = RawPeer.connect(server, world.network);
      assertUnavailable(late.get("/").answer());
      assertUnavailable(
          early.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\n").answer());
      early.send("abcdefghi");

      mayRead.countDown();
      for (RawPeer peer : peers) {
        assertEquals("" + length, peer.answer().body());
      }
      assertEquals(200, early.get("/").answer().status(), "the refusal left the connection open");
      assertBounded(server, count);
      RawPeer again = RawPeer.connect(server, world.network);
      assertEquals(200, again.get("/").answer().status());
      for (RawPeer peer : peers) {
        peer.close();
      }
      early.close();
      late.close();
      again.close();
      world.await("one idle connection is held", () -> server.memoryHeld() <= 4 * KIB);
    });
  }

  @Test
  void streamsAreRefusedWhileTheBudgetIsUsedUpAndServedAfterwards() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    int streams = 6;
    int clients = 5;
    byte[] content = new byte[40 * KIB];
    play(mayRead, (world, client) -> {
      HttpServer server = world.server;
      client.handshake();
      List<Http2Peer> peers = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Http2Peer peer = world.connect();
        peer.handshake();
        peers.add(peer);
        for (int j = 0; j < streams; j++) {
          peer.sendHeaders(
              2 * j + 1, false, ":method: POST", ":scheme: http", ":authority: t", ":path: /");
        }
      }
      world.await("all requests have come", () -> server.active() == clients * streams);
      for (Http2Peer peer : peers) {
        inBackground(world, () -> {
          for (int j = 0; j < streams; j++) {
            peer.sendContent(2 * j + 1, true, content);
          }
        });
      }
      world.await("the budget is used up", () -> isUsedUp(server));
      world.network.sleep(Duration.ofSeconds(1));
      assertBounded(server, clients);
      client.sendGet(1, "/");
      client.expectRst(1, ErrorCode.REFUSED_STREAM);

      mayRead.countDown();
      world.await("all are answered", () -> server.active() == 0);
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
      for (Http2Peer peer : peers) {
        peer.close();
      }
      world.await("one idle connection is held", () -> server.memoryHeld() <= 16 * KIB);
    });
  }

  @Test
  void contentThatTheBudgetHoldsBackIsNotTooSlow() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    int count = 30;
    int length = 100 * KIB;
    play(mayRead, (world, client) -> {
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        RawPeer peer = RawPeer.connect(world.server, world.network);
        peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + length + "\r\n\r\n");
        peers.add(peer);
      }
      world.await("all requests have come", () -> world.server.active() == count);
      for (RawPeer peer : peers) {
        inBackground(world, () -> peer.send("x".repeat(length)));
      }
      world.await("the budget is used up", () -> isUsedUp(world.server));
      world.network.sleep(Duration.ofMinutes(3));

      mayRead.countDown();
      for (RawPeer peer : peers) {
        assertEquals("" + length, peer.answer().body());
      }
    });
  }

  @Test
  void streamsThatTheBudgetHoldsBackAreNotTooSlow() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    int streams = 6;
    int clients = 5;
    play(mayRead, (world, client) -> {
      List<Http2Peer> peers = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Http2Peer peer = world.connect().patience(Duration.ofMinutes(10));
        peer.handshake();
        peers.add(peer);
        for (int j = 0; j < streams; j++) {
          peer.sendRequest(2 * j + 1, "POST", "/", false);
        }
      }
      world.await("all requests have come", () -> world.server.active() == clients * streams);
      AtomicInteger answered = new AtomicInteger();
      for (Http2Peer peer : peers) {
        inBackground(world, () -> {
          for (int j = 0; j < streams; j++) {
            peer.sendContent(2 * j + 1, true, new byte[40 * KIB]);
          }
          answered.addAndGet(readAnswers(peer, streams));
        });
      }
      world.await("the budget is used up", () -> isUsedUp(world.server));
      world.network.sleep(Duration.ofMinutes(3));
      mayRead.countDown();
      world.await("all are answered", () -> answered.get() == clients * streams);
      for (Http2Peer peer : peers) {
        peer.close();
      }
    });
  }

  /** Reads so many heads with status 200, and answers PINGs. */
  private static int readAnswers(Http2Peer peer, int count) throws IOException {
    int answered = 0;
    while (answered < count) {
      Frame frame = peer.nextFrame();
      assertNotNull(frame, "the connection ended");
      if (frame instanceof Frame.Ping ping) {
        peer.sendPingAck(ping.data());
      } else if (frame instanceof Frame.Headers head) {
        assertEquals("200", peer.readHead(head).value(":status"));
        answered++;
      }
    }
    return answered;
  }

  @Test
  void slowHeadsStayWithinTheBudget() throws Exception {
    int count = 100;
    play(new CountDownLatch(0), (world, client) -> {
      HttpServer server = world.server;
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        RawPeer peer = RawPeer.connect(server, world.network);
        peers.add(peer);
        inBackground(
            world,
            () -> peer.send("GET / HTTP/1.1\r\nHost: t\r\n" + "A: " + "a".repeat(7000) + "\r\n"));
      }
      world.network.sleep(Duration.ofSeconds(1));
      assertBounded(server, count);
      for (RawPeer peer : peers) {
        peer.close();
      }
      world.await("nothing is held", () -> server.memoryHeld() <= 4 * KIB);
      try (RawPeer again = RawPeer.connect(server, world.network)) {
        assertEquals(200, again.get("/").answer().status());
      }
    });
  }

  @Test
  void fieldBlocksThatAreCutAreCountedAndGivenUpWhenNoMemoryIsLeft() throws Exception {
    int count = 25;
    play(new CountDownLatch(0), (world, client) -> {
      HttpServer server = world.server;
      List<Http2Peer> peers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Http2Peer peer = world.connect();
        peer.handshake();
        peers.add(peer);
      }
      int before = (int) server.memoryHeld();
      for (Http2Peer peer : peers) {
        byte[] part = new byte[14_000];
        inBackground(world, () -> peer.sendFrame(Frame.Headers.TYPE, 0, 1, part));
      }
      world.await("some are given up", () -> server.connections() < count);
      assertTrue(server.connections() >= (BUDGET - before) / (32 * KIB), "too many are given up");
      assertTrue(server.peakMemoryHeld() >= BUDGET, server.peakMemoryHeld() + " were held");
      assertTrue(server.peakMemoryHeld() <= BUDGET + 32 * KIB, server.peakMemoryHeld() + " held");
      for (Http2Peer peer : peers) {
        peer.close();
      }
      world.await("nothing is held", () -> server.memoryHeld() <= 16 * KIB);
      try (RawPeer again = RawPeer.connect(server, world.network)) {
        assertEquals(200, again.get("/").answer().status());
      }
    });
  }

  @Test
  void oneConnectionHoldsTwoMebibytesAtMost() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Http2World.play(
        Http2World.answeringAfter(mayEnd, ""),
        builder -> builder.memoryBudget(64L << 20),
        (world, client) -> {
          client.handshake();
          HttpServer server = world.server;
          int window = client.settings().initialWindowSize();
          // Two streams use up the connection's window; the heads of the others, their budget.
          client.sendRequest(1, "POST", "/", false);
          client.sendRequest(3, "POST", "/", false);
          client.sendContent(1, false, new byte[window]);
          client.sendContent(3, false, new byte[window]);
          for (int i = 2; i < 100; i++) {
            client.sendRequest(2 * i + 1, "GET", "/", true, "x: " + "y".repeat(15_000));
          }
          world.await("all has come", () -> server.memoryHeld() >= 2L * window);
          client.sendPing(1);
          Frame next = client.expectFrame();
          while (!(next instanceof Frame.Ping)) {
            next = client.expectFrame(); // streams that are refused
          }
          assertTrue(server.peakMemoryHeld() <= 2L << 20, server.peakMemoryHeld() + " held");
          mayEnd.countDown();
        });
  }

  @Test
  void memoryOfRequestsWhoseConnectionIsLostIsReturnedWhenTheyAreAnswered() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    CountDownLatch handled = new CountDownLatch(1);
    Handler stubborn = request -> {
      handled.countDown();
      while (true) {
        try {
          mayRead.await();
          return Response.ok(request.body().string());
        } catch (InterruptedException e) {
          // The client has gone; this handler goes on.
        }
      }
    };
    play(stubborn, (world, client) -> {
      HttpServer server = world.server;
      RawPeer peer = RawPeer.connect(server, world.network);
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 90000\r\n\r\n" + "x".repeat(30_000));
      world.await("the handler runs", () -> handled.getCount() == 0);
      world.await("content waits", () -> server.memoryHeld() >= 30_000);
      world.network.connections().getLast().reset();
      world.await("the connection is closed", () -> server.connections() == 1);
      assertTrue(server.memoryHeld() >= 28_000, "the handler may still read it");
      mayRead.countDown();
      world.await("nothing is held", () -> server.memoryHeld() <= 4 * KIB);
    });
  }

  /** Whether a request was answered with 503; false if the connection was closed without a word. */
  private static boolean isTold(RawPeer peer) {
    RawPeer.Answer answer;
    try {
      answer = peer.get("/").answer();
    } catch (IOException closed) {
      return false;
    }
    assertUnavailable(answer);
    return true;
  }

  @Test
  void connectionsBeyondTheLimitAreAllToldOrCounted() throws Exception {
    Http2World.play(
        request -> Response.ok(""),
        builder -> builder.memoryBudget(64L << 20).maxConnections(1),
        (world, client) -> {
          HttpServer server = world.server;
          client.handshake(); // the one that is let in
          List<RawPeer> peers = new ArrayList<>();
          for (int i = 0; i < 600; i++) {
            peers.add(RawPeer.connect(server, world.network));
          }
          long told = 0;
          for (RawPeer peer : peers) {
            if (isTold(peer)) {
              told++;
            }
          }
          assertEquals(server.refusedConnections(), told);
          assertEquals(peers.size(), told + server.droppedConnections());
          assertTrue(told >= Math.min(600, Descriptors.limit() / 4), told + " were told");
        });
  }

  @Test
  void connectionsThatAreClosedWithoutAWordAreCounted() throws Exception {
    Http2World.play(
        request -> Response.ok(""),
        builder -> builder.memoryBudget(64L << 10).maxConnections(1),
        (world, client) -> {
          client.handshake();
          List<RawPeer> peers = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            peers.add(RawPeer.connect(world.server, world.network));
          }
          world.await("four are closed", () -> world.server.droppedConnections() == 4);
          assertEquals(16, world.server.refusedConnections());
          for (RawPeer peer : peers) {
            peer.close();
          }
          world.await("their memory is returned", () -> world.server.memoryHeld() <= 16 * KIB);
        });
  }

  @Test
  void outputThatIsNotReadIsCountedAndReturned() throws Exception {
    String large = "x".repeat(100 * KIB);
    Http2World.play(
        SimNetwork.builder().sendBuffer(8 * KIB),
        request -> Response.ok(request.target().equals("/large") ? large : ""),
        builder -> builder.memoryBudget(BUDGET).maxConnections(1000).maxRequests(1000),
        (world, client) -> {
          HttpServer server = world.server;
          client.handshake();
          List<Http2Peer> peers = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            Http2Peer peer = world.connect();
            peer.handshake(Settings.INITIAL_WINDOW_SIZE, 1 << 20);
            peer.sendWindowUpdate(0, 1 << 20);
            peers.add(peer);
            world.network.connections().getLast().stall(Direction.TO_CLIENT);
          }
          for (Http2Peer peer : peers) {
            peer.sendGet(1, "/large");
          }
          world.await("the output waits", () -> isUsedUp(server));
          client.sendGet(1, "/");
          client.expectRst(1, ErrorCode.REFUSED_STREAM);
          for (SimConnection connection : world.network.connections()) {
            connection.unstall(Direction.TO_CLIENT);
          }
          for (Http2Peer peer : peers) {
            peer.expectResponse(1, 200);
            assertEquals(large.length(), peer.expectContent(1).length);
          }
          world.await("the output is written", () -> server.memoryHeld() <= BUDGET / 2);
          client.sendGet(3, "/");
          client.expectResponse(3, 200);
        });
  }

  /** A client whose windows are open and which reads nothing. */
  private static Http2Peer connectUnread(Http2World world) throws IOException {
    Http2Peer peer = world.connect();
    peer.handshake(Settings.INITIAL_WINDOW_SIZE, 1 << 20);
    peer.sendWindowUpdate(0, 1 << 20);
    world.network.connections().getLast().stall(Direction.TO_CLIENT);
    return peer;
  }

  @Test
  void outputThatWaitsBehindAWriteIsCounted() throws Exception {
    String large = "x".repeat(100 * KIB);
    Http2World.play(
        SimNetwork.builder().sendBuffer(8 * KIB),
        request -> Response.ok(large),
        builder -> builder.memoryBudget(4096 * KIB),
        (world, client) -> {
          Http2Peer peer = connectUnread(world);
          peer.sendGet(1, "/");
          world.await("the first is written", () -> world.server.memoryHeld() >= 100 * KIB);
          peer.sendGet(3, "/");
          world.await("the second is queued", () -> world.server.memoryHeld() >= 200 * KIB);
          world.network.connections().getLast().unstall(Direction.TO_CLIENT);
          peer.expectResponse(1, 200);
          assertEquals(large.length(), peer.expectContent(1).length);
          peer.expectResponse(3, 200);
          assertEquals(large.length(), peer.expectContent(3).length);
          world.await("all is written", () -> world.server.memoryHeld() <= 32 * KIB);
        });
  }

  @Test
  void littleOutputIsQueuedWhileTheBudgetIsUsedUp() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    int count = 25;
    byte[] large = new byte[200 * KIB];
    Http2World.play(
        SimNetwork.builder().sendBuffer(8 * KIB),
        request -> {
          mayAnswer.await();
          return Response.ok(Body.of(new ByteArrayInputStream(large)));
        },
        builder -> builder.memoryBudget(BUDGET).maxConnections(1000).maxRequests(1000),
        (world, client) -> {
          HttpServer server = world.server;
          List<Http2Peer> peers = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            Http2Peer peer = connectUnread(world);
            peer.sendGet(1, "/");
            peer.sendGet(3, "/");
            peers.add(peer);
          }
          world.await("all requests have come", () -> server.active() == 2 * count);
          mayAnswer.countDown();
          world.await("the budget is used up", () -> isUsedUp(server));
          world.network.sleep(Duration.ofSeconds(1));
          // A frame is being written, and one is queued.
          long most = BUDGET + count * 40L * KIB;
          assertTrue(server.peakMemoryHeld() <= most, server.peakMemoryHeld() + " of " + most);

          for (SimConnection connection : world.network.connections()) {
            connection.unstall(Direction.TO_CLIENT);
          }
          for (Http2Peer peer : peers) {
            inBackground(world, () -> readContent(peer, 2L * large.length));
          }
          world.await("all is sent", () -> server.active() == 0);
          world.await("all is written", () -> server.memoryHeld() <= BUDGET);
          client.handshake();
          client.sendGet(1, "/");
          client.expectResponse(1, 200);
        });
  }

  private static void readContent(Http2Peer peer, long length) throws IOException {
    for (long read = 0; read < length; ) {
      Frame frame = peer.nextFrame();
      assertNotNull(frame, "the connection ended");
      if (frame instanceof Frame.Ping ping) {
        peer.sendPingAck(ping.data());
      } else if (frame instanceof Frame.Data data) {
        read += data.data().remaining();
      }
    }
  }

  @Test
  void refusalsForLackOfMemoryAreNoFloodOfTheClient() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    int length = 2 * BUDGET;
    play(mayRead, (world, client) -> {
      HttpServer server = world.server;
      client.handshake();
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        RawPeer peer = RawPeer.connect(server, world.network);
        peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + length + "\r\n\r\n");
        peers.add(peer);
      }
      world.await("all requests have come", () -> server.active() == peers.size());
      for (RawPeer peer : peers) {
        inBackground(world, () -> peer.send("x".repeat(length)));
      }
      world.await("the budget is used up", () -> isUsedUp(server));
      int streamId = 1;
      for (int i = 0; i < 2 * OWED_RESETS; i++) {
        client.sendGet(streamId, "/");
        client.expectRst(streamId, ErrorCode.REFUSED_STREAM);
        streamId += 2;
      }
      mayRead.countDown();
      world.await("all are answered", () -> server.active() == 0);
      client.sendGet(streamId, "/");
      client.expectResponse(streamId, 200);
    });
  }

  @Test
  void limitsFollowFromTheBudget() throws IOException {
    try (HttpServer server = HttpServer.builder()
        .handler(request -> Response.ok(""))
        .memoryBudget(64L << 20)
        .start()) {
      assertEquals(64L << 20, server.memoryBudget());
      assertEquals(2730, server.maxRequests());
      assertTrue(server.maxConnections() <= 8192, server.maxConnections() + " connections");
      assertTrue(server.maxConnections() >= 16, server.maxConnections() + " connections");
    }
  }

  @Test
  void aBudgetBelowOneReadIsRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> HttpServer.builder().memoryBudget(1000));
    assertTrue(refused.getMessage().contains("65536"), refused.getMessage());
    assertTrue(refused.getMessage().contains("1000"), refused.getMessage());
  }
}
