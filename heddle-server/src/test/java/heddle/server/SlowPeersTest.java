package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Direction;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.time.Deadline;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rate that a peer must keep, in virtual time: 240 bytes/s after 5 s by default. */
@Timeout(60)
@DisplayName("Promise 16: slow is an attack too")
class SlowPeersTest {
  private static final Handler COUNT =
      request -> Response.ok("" + request.body().bytes().length);

  /** What peers do in a world with one server. */
  @FunctionalInterface
  private interface Script {
    void run(SimNetwork network, HttpServer server) throws Exception;
  }

  private static void play(
      SimNetwork.Builder shape,
      Handler handler,
      UnaryOperator<HttpServer.Builder> options,
      Script script)
      throws Exception {
    try (SimNetwork network = shape.virtualTime().build()) {
      network.run(() -> {
        HttpServer.Builder builder = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .address(InetSocketAddress.createUnresolved("server", 80))
            .handler(handler);
        try (HttpServer server = options.apply(builder).start()) {
          script.run(network, server);
        }
      });
    }
  }

  private static void play(Handler handler, Script script) throws Exception {
    play(SimNetwork.builder(), handler, UnaryOperator.identity(), script);
  }

  private static String post(int length) {
    return "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + length + "\r\n\r\n";
  }

  // ---- requests

  @Test
  void thousandTrickledBodiesAreEndedAfterTheGrace() throws Exception {
    play(COUNT, (network, server) -> {
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        RawPeer peer = RawPeer.connect(server, network);
        peers.add(peer.send(post(i % 2 == 0 ? 1_000 : 1_000_000)));
      }
      long start = network.clock().nanoTime();
      for (int i = 0; i < 4; i++) {
        network.sleep(Duration.ofSeconds(2));
        for (RawPeer peer : peers) {
          if (!peer.hasInput()) {
            peer.send("x");
          }
        }
      }
      for (RawPeer peer : peers) {
        assertEquals(408, peer.answer().status());
        assertEquals("", peer.rest());
      }
      assertTrue(network.clock().nanoTime() - start < Duration.ofSeconds(12).toNanos());
      assertEquals(0, server.active());
    });
  }

  @Test
  void moreStreamsDoNotHelpATrickle() throws Exception {
    Http2World.play(COUNT, (world, client) -> {
      client.handshake();
      int streams = 100;
      for (int i = 0; i < streams; i++) {
        client.sendRequest(2 * i + 1, "POST", "/", false);
      }
      for (int second = 0; second < 4; second++) {
        world.network.sleep(Duration.ofSeconds(1));
        for (int i = 0; i < streams; i++) {
          client.sendData(2 * i + 1, false, "x");
        }
      }
      world.network.sleep(Duration.ofSeconds(2));
      int refused = 0;
      while (refused < streams) {
        if (client.nextFrame() instanceof Frame.Headers head) {
          String fields = client.readHead(head).toString();
          assertTrue(fields.contains(":status: 408"), fields);
          refused++;
        }
      }
      world.await("all have ended", () -> world.server.active() == 0);
    });
  }

  @Test
  void bodyAt300BytesPerSecondIsServedForMinutes() throws Exception {
    play(COUNT, (network, server) -> {
      try (RawPeer peer = RawPeer.connect(server, network)) {
        peer.send(post(300 * 300));
        for (int second = 0; second < 300; second++) {
          network.sleep(Duration.ofSeconds(1));
          peer.send("x".repeat(300));
        }
        assertEquals("90000", peer.answer().body());
      }
    });
  }

  @Test
  void contentOfAStreamAt300BytesPerSecondIsServedForMinutes() throws Exception {
    Http2World.play(COUNT, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      for (int second = 0; second < 300; second++) {
        world.network.sleep(Duration.ofSeconds(1));
        client.sendContent(1, second == 299, new byte[300]);
      }
      client.expectResponse(1, 200);
      assertEquals("90000", new String(client.expectContent(1), StandardCharsets.ISO_8859_1));
    });
  }

  /** Reads the content after a delay in seconds; the client may not send it before. */
  private static Handler reading(Supplier<SimNetwork> network, int seconds) {
    return request -> {
      network.get().sleep(Duration.ofSeconds(seconds));
      return COUNT.handle(request);
    };
  }

  private static final int[] SECONDS = {3, 4, 14, 20, 29, 31, 40};

  private static Stream<Arguments> readingAfter() {
    return Arrays.stream(SECONDS)
        .boxed()
        .flatMap(seconds -> Stream.of(Arguments.of(seconds, true), Arguments.of(seconds, false)));
  }

  @ParameterizedTest
  @MethodSource("readingAfter")
  void timeUntilTheHandlerReadsIsNotHeldAgainstThePeer(int seconds, boolean rate) throws Exception {
    AtomicReference<SimNetwork> world = new AtomicReference<>();
    play(
        SimNetwork.builder(),
        reading(world::get, seconds),
        options -> rate ? options : options.minRate(0, Duration.ZERO),
        (network, server) -> {
          world.set(network);
          try (RawPeer peer = RawPeer.connect(server, network)) {
            peer.send("POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\n"
                + "Content-Length: 20000\r\n\r\n");
            assertEquals(100, peer.answer().status());
            network.sleep(Duration.ofSeconds(4));
            peer.send("x".repeat(20_000));
            assertEquals("20000", peer.answer().body());
          }
        });
  }

  @ParameterizedTest
  @MethodSource("readingAfter")
  void timeUntilTheHandlerReadsIsNotHeldAgainstAStream(int seconds, boolean rate) throws Exception {
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    Http2World.play(
        reading(network::get, seconds),
        options -> rate ? options : options.minRate(0, Duration.ZERO),
        (world, client) -> {
          network.set(world.network);
          client.handshake();
          client.sendRequest(1, "POST", "/", false, "expect: 100-continue");
          client.expectResponse(1, 100);
          world.network.sleep(Duration.ofSeconds(4));
          client.sendContent(1, true, new byte[20_000]);
          client.expectResponse(1, 200);
          assertEquals("20000", new String(client.expectContent(1), StandardCharsets.ISO_8859_1));
        });
  }

  /** Reads nothing of the content for three minutes. */
  private static Handler slowReader(Supplier<SimNetwork> network) {
    return request -> {
      network.get().sleep(Duration.ofMinutes(3));
      return COUNT.handle(request);
    };
  }

  @Test
  void contentThatTheHandlerDoesNotReadIsNotHeldAgainstThePeer() throws Exception {
    AtomicReference<SimNetwork> world = new AtomicReference<>();
    play(slowReader(world::get), (network, server) -> {
      world.set(network);
      try (RawPeer peer = RawPeer.connect(server, network)) {
        peer.send(post(200_000) + "x".repeat(200_000));
        assertEquals("200000", peer.answer().body());
      }
    });
  }

  @Test
  void windowThatTheHandlerDoesNotOpenIsNotHeldAgainstThePeer() throws Exception {
    AtomicReference<SimNetwork> network = new AtomicReference<>();
    Http2World.play(slowReader(network::get), (world, client) -> {
      network.set(world.network);
      client.handshake();
      client.patience(Duration.ofMinutes(4));
      int window = client.settings().initialWindowSize();
      client.sendRequest(1, "POST", "/", false);
      client.sendContent(1, false, new byte[window]);
      client.expectWindowUpdate(1);
      client.sendData(1, true, "x");
      client.expectResponse(1, 200);
      assertEquals(
          "" + (window + 1), new String(client.expectContent(1), StandardCharsets.ISO_8859_1));
    });
  }

  @Test
  void rateCanBeSwitchedOff() throws Exception {
    play(
        SimNetwork.builder(),
        COUNT,
        options -> options.minRate(0, Duration.ZERO),
        (network, server) -> {
          try (RawPeer peer = RawPeer.connect(server, network)) {
            peer.send(post(10));
            for (int i = 0; i < 10; i++) {
              network.sleep(Duration.ofSeconds(29));
              peer.send("x");
            }
            assertEquals("10", peer.answer().body());
          }
        });
  }

  // ---- responses

  /** Content that comes in pieces of this length, each after a while. */
  private static Body pieces(SimNetwork network, int count, int length, Duration each) {
    return Body.of(new InputStream() {
      private int left = count;

      @Override
      public int read() {
        throw new UnsupportedOperationException();
      }

      @Override
      public int read(byte[] bytes, int offset, int most) throws IOException {
        if (left == 0) {
          return -1;
        }
        left--;
        if (!each.isZero()) {
          network.sleep(each);
        }
        return Math.min(length, most);
      }
    });
  }

  /** Reads no more than it is allowed, but for the rest of one delivery. */
  private static final class Reader implements ChannelListener {
    private final Channel channel;
    private final AtomicLong allowance = new AtomicLong();
    private volatile boolean ended;

    Reader(SimNetwork network, HttpServer server) throws IOException {
      channel = network.connect(server.address(), Deadline.never());
      channel.pauseReading();
      channel.start(this);
      byte[] get = "GET / HTTP/1.1\r\nHost: t\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
      channel.write(ByteBuffer.wrap(get), Deadline.never());
    }

    void allow(int bytes) {
      if (allowance.addAndGet(bytes) > 0) {
        channel.resumeReading();
      }
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      if (allowance.addAndGet(-bytes.remaining()) <= 0) {
        channel.pauseReading();
      }
      bytes.position(bytes.limit());
    }

    @Override
    public void onEnd() {
      ended = true;
    }

    @Override
    public void onClosed(IOException cause) {
      ended = true;
    }
  }

  /** One client reads at this rate for five minutes, or until it is cut. */
  private static void assertReading(int bytesPerSecond, boolean served) throws Exception {
    SimNetwork.Builder shape = SimNetwork.builder().maxReadBytes(150).sendBuffer(600);
    try (SimNetwork network = shape.virtualTime().build()) {
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
            .network(network)
            .executor(network.executor())
            .handler(request -> Response.ok(pieces(network, 1_000_000, 200, Duration.ZERO)))
            .start()) {
          Reader reader = new Reader(network, server);
          for (int second = 0; second < 300 && !reader.ended; second++) {
            reader.allow(bytesPerSecond);
            network.sleep(Duration.ofSeconds(1));
          }
          assertEquals(served ? 1 : 0, server.active());
          reader.channel.close();
        }
      });
    }
  }

  @Test
  void slowReaderOfAResponseIsCut() throws Exception {
    assertReading(200, false);
  }

  @Test
  void readerAt300BytesPerSecondIsServedForMinutes() throws Exception {
    assertReading(300, true);
  }

  /** Slows down what the server sends on the connection that was made last. */
  private static void trickle(SimNetwork network, int bytesPerSecond) {
    network
        .connections()
        .getLast()
        .trickle(Direction.TO_CLIENT, bytesPerSecond, Duration.ofSeconds(1));
  }

  private static final String MEBIBYTE = "x".repeat(1 << 20);

  @Test
  void mebibyteFromMemoryIsServedToAReaderOf400BytesPerSecond() throws Exception {
    play(request -> Response.ok(MEBIBYTE), (network, server) -> {
      try (RawPeer peer = RawPeer.connect(server, network)) {
        trickle(network, 400);
        assertEquals(MEBIBYTE, peer.get("/").answer().body());
      }
    });
  }

  @Test
  void streamOfAMebibyteIsServedToAReaderOf400BytesPerSecond() throws Exception {
    byte[] content = MEBIBYTE.getBytes(StandardCharsets.ISO_8859_1);
    Handler handler = request -> Response.ok(Body.of(new ByteArrayInputStream(content)));
    play(handler, (network, server) -> {
      try (RawPeer peer = RawPeer.connect(server, network)) {
        trickle(network, 400);
        assertEquals(MEBIBYTE, peer.get("/").answer().body());
      }
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void mebibyteFromMemoryIsServedToAReaderOf400BytesPerSecondOnStreams(int streams)
      throws Exception {
    String content = "x".repeat(MEBIBYTE.length() / streams);
    Http2World.play(request -> Response.ok(content), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 2 << 20);
      client.sendWindowUpdate(0, 2 << 20);
      trickle(world.network, 400);
      for (int i = 0; i < streams; i++) {
        client.sendGet(2 * i + 1, "/");
      }
      int missing = MEBIBYTE.length();
      while (missing > 0) {
        missing -= nextContent(client);
      }
    });
  }

  /**
   * The length of the next DATA frame. Heads may come before it, and a GOAWAY: a connection whose
   * last answer is with its flush counts as idle.
   */
  private static int nextContent(Http2Peer client) throws IOException {
    Frame frame = client.expectFrame();
    while (frame instanceof Frame.GoAway || frame instanceof Frame.Headers) {
      frame = client.expectFrame();
    }
    return assertInstanceOf(Frame.Data.class, frame).data().remaining();
  }

  @Test
  void mebibyteIsServedThroughWindowsThatOpenBy400BytesPerSecond() throws Exception {
    Http2World.play(request -> Response.ok(MEBIBYTE), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 4_000);
      client.sendWindowUpdate(0, 2 << 20);
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      int granted = 4_000;
      int missing = MEBIBYTE.length();
      while (missing > 0) {
        missing -= nextContent(client);
        if (granted < MEBIBYTE.length()) {
          world.network.sleep(Duration.ofSeconds(1));
          client.sendWindowUpdate(1, 400);
          granted += 400;
        }
      }
    });
  }

  @Test
  void readerOf200BytesPerSecondIsCutThoughItAlwaysTakesSome() throws Exception {
    play(request -> Response.ok(MEBIBYTE), (network, server) -> {
      try (RawPeer peer = RawPeer.connect(server, network)) {
        trickle(network, 200);
        peer.get("/");
        // A minute ahead for the 64 KiB of the buffers, which shrinks by 10 s a minute.
        assertEnds(network, server, Duration.ofMinutes(5), Duration.ofMinutes(7));
      }
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readerThatTakesNothingIsCutAfterTheWriteTimeout(boolean rate) throws Exception {
    play(
        SimNetwork.builder(),
        request -> Response.ok(MEBIBYTE),
        options -> rate ? options : options.minRate(0, Duration.ZERO),
        (network, server) -> {
          try (RawPeer peer = RawPeer.connect(server, network)) {
            network.connections().getLast().stall(Direction.TO_CLIENT);
            peer.get("/");
            assertEnds(network, server, Duration.ofSeconds(30), Duration.ofSeconds(31));
          }
        });
  }

  @Test
  void readerOfFramesThatTakesNothingIsCutAfterTheWriteTimeout() throws Exception {
    Http2World.play(request -> Response.ok(MEBIBYTE), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 2 << 20);
      client.sendWindowUpdate(0, 2 << 20);
      world.network.connections().getLast().stall(Direction.TO_CLIENT);
      client.sendGet(1, "/");
      assertEnds(world.network, world.server, Duration.ofSeconds(30), Duration.ofSeconds(31));
    });
  }

  /** The one request ends in this time, and its connection with it. */
  private static void assertEnds(
      SimNetwork network, HttpServer server, Duration atLeast, Duration atMost) throws Exception {
    long start = network.clock().nanoTime();
    while (server.active() == 0) {
      network.sleep(Duration.ofMillis(1));
    }
    while (server.active() + server.connections() > 0) {
      Duration passed = Duration.ofNanos(network.clock().nanoTime() - start);
      assertTrue(passed.compareTo(atMost) < 0, () -> "still served after " + passed);
      network.sleep(Duration.ofMillis(100));
    }
    Duration passed = Duration.ofNanos(network.clock().nanoTime() - start);
    assertTrue(passed.compareTo(atLeast) >= 0, () -> "cut after " + passed);
  }

  @Test
  void slowHandlerIsNotHeldAgainstThePeer() throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (HttpServer server = HttpServer.builder()
                .network(network)
                .executor(network.executor())
                .handler(r -> Response.ok(pieces(network, 20, 1, Duration.ofSeconds(20))))
                .start();
            RawPeer peer = RawPeer.connect(server, network)) {
          assertEquals(20, peer.get("/").answer().body().length());
        }
      });
    }
  }

  @Test
  void windowsThatOpenByAFewBytesAreTooSlow() throws Exception {
    Handler handler = request -> Response.ok(pieces(null, 1_000, 10, Duration.ZERO));
    Http2World.play(handler, (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 10);
      client.sendGet(1, "/");
      client.sendGet(3, "/");
      world.await("both requests are there", () -> world.server.active() == 2);
      for (int i = 0; i < 5 && world.server.active() > 0; i++) {
        world.network.sleep(Duration.ofSeconds(2));
        client.sendWindowUpdate(1, 10);
        client.sendWindowUpdate(3, 10);
      }
      assertEquals(0, world.server.active());
    });
  }

  @Test
  void windowsThatOpenAt300BytesPerSecondAreFastEnoughForAllStreamsTogether() throws Exception {
    Handler handler = request -> Response.ok(pieces(null, 300, 100, Duration.ZERO));
    Http2World.play(handler, (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 100);
      for (int stream = 1; stream <= 5; stream += 2) {
        client.sendGet(stream, "/");
      }
      for (int second = 0; second < 120; second++) {
        world.network.sleep(Duration.ofSeconds(1));
        for (int stream = 1; stream <= 5; stream += 2) {
          client.sendWindowUpdate(stream, 100);
        }
      }
      assertEquals(3, world.server.active());
    });
  }

  @Test
  void connectionOfAPeerThatReadsNoFramesIsCut() throws Exception {
    SimNetwork.Builder shape = SimNetwork.builder().sendBuffer(600).maxReadBytes(150);
    Handler handler = request -> Response.ok(pieces(null, 1_000, 200, Duration.ZERO));
    Http2World.play(shape, handler, UnaryOperator.identity(), (world, client) -> {
      client.handshake();
      client.connection().pauseReading();
      client.sendGet(1, "/");
      long start = world.now();
      world.await("the request is there", () -> world.server.active() == 1);
      while (world.server.active() > 0 && world.now() - start < 25_000_000_000L) {
        world.network.sleep(Duration.ofSeconds(1));
      }
      assertEquals(0, world.server.active());
    });
  }
}
