package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Direction;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows, both ways. */
class Http2FlowTest {
  private static final int KIB = 1024;

  private static String text(byte[] content) {
    return new String(content, ISO_8859_1);
  }

  private static String text(Frame.Data frame) {
    byte[] bytes = new byte[frame.data().remaining()];
    frame.data().duplicate().get(bytes);
    return text(bytes);
  }

  @Test
  void aResponseWaitsForTheWindowOfItsStream() throws Exception {
    Http2World.play(request -> Response.ok("Hello, world!"), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 5);
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      assertEquals("Hello", text(client.expectData(1)));
      client.expectQuiet();
      client.sendWindowUpdate(1, 2);
      assertEquals(", ", text(client.expectData(1)));
      client.expectQuiet();
      client.sendSettings(Settings.INITIAL_WINDOW_SIZE, 100);
      assertEquals("world!", text(client.expectContent(1)));
    });
  }

  @Test
  void aLargeResponseKeepsToTheWindowsAndComesWhole() throws Exception {
    byte[] content = new byte[3 * KIB * KIB];
    new Random(1).nextBytes(content);
    Handler handler = request -> Response.ok(
        request.path().equals("/stream")
            ? Body.of(new ByteArrayInputStream(content))
            : Body.of(content));
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/memory");
      client.expectResponse(1, 200);
      assertArrayEquals(content, client.expectContent(1));
      client.sendGet(3, "/stream");
      client.expectResponse(3, 200);
      assertArrayEquals(content, client.expectContent(3));
    });
  }

  /** While one thread writes to a full socket, the others have read their next pieces. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void streamedResponsesThatShareASlowConnectionArriveUnchanged(long seed) throws Exception {
    byte[] content = new byte[600 * KIB];
    new Random(seed).nextBytes(content);
    Handler handler = request -> Response.ok(Body.of(new ByteArrayInputStream(content)));
    SimNetwork.Builder slow = SimNetwork.builder().seed(seed).sendBuffer(10 * KIB);
    Http2World.play(slow, handler, UnaryOperator.identity(), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, content.length);
      client.sendWindowUpdate(0, 3 * content.length);
      Map<Integer, ByteArrayOutputStream> received = new HashMap<>();
      for (int id : List.of(1, 3, 5)) {
        received.put(id, new ByteArrayOutputStream());
        client.sendGet(id, "/");
      }
      for (int ended = 0; ended < 3; ) {
        if (client.expectFrame() instanceof Frame.Data data) {
          received.get(data.streamId()).writeBytes(text(data).getBytes(ISO_8859_1));
          ended += data.endStream() ? 1 : 0;
        }
      }
      received.values().forEach(each -> assertArrayEquals(content, each.toByteArray()));
    });
  }

  @Test
  void aPeerThatMakesNoRoomLosesItsStreamAndNoOther() throws Exception {
    Handler handler = request -> Response.ok(
        request.path().equals("/large") ? Body.of(new byte[100 * KIB]) : Body.of("small"));
    Http2World.play(handler, options -> options.minRate(0, Duration.ZERO), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 1000);
      client.sendGet(1, "/large");
      client.expectResponse(1, 200);
      client.expectData(1);
      long start = world.now();
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
      assertEquals("small", text(client.expectContent(3)));
      client.expectRst(1, ErrorCode.CANCEL);
      world.assertPassed(start, 30);
      assertEquals(0, world.server.active());
      client.sendGet(5, "/");
      client.expectResponse(5, 200);
    });
  }

  /**
   * The reset of one stream is written while the threads of the others look whether their time is
   * up: that write must not give each of them as much time again.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void streamsThatWaitForWindowsAreAllResetAfterOneTimeout(boolean ended) throws Exception {
    int streams = 20;
    Handler handler = request -> Response.ok(Body.of(new ByteArrayInputStream(new byte[100_000])));
    Http2World.play(handler, (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 10);
      long start = world.now();
      for (int i = 0; i < streams; i++) {
        client.sendGet(2 * i + 1, "/");
      }
      if (ended) {
        client.connection().shutdownOutput();
      }
      for (int i = 0; i < streams; ) {
        i += client.expectFrame() instanceof Frame.RstStream ? 1 : 0;
      }
      world.await("all are answered", () -> world.server.active() == 0);
      world.assertPassed(start, 30);
    });
  }

  /** Its windows cannot open while it does not read what would make it open them. */
  @Test
  void theTimeInWhichThePeerReadsNothingDoesNotCountForItsWindows() throws Exception {
    Handler handler = request -> Response.ok(Body.of(new byte[1_000_000]));
    Http2World.play(handler, options -> options.minRate(0, Duration.ZERO), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 10);
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.expectData(1);
      long start = world.now();
      client.connection().pauseReading();
      client.sendGet(3, "/");
      client.sendWindowUpdate(0, 1_000_000);
      client.sendWindowUpdate(3, 1_000_000);
      world.network.sleep(Duration.ofSeconds(20));
      client.connection().resumeReading();
      while (!(client.expectFrame() instanceof Frame.RstStream reset && reset.streamId() == 1)) {}
      world.assertPassed(start, 50);
    });
  }

  @Test
  void aPeerThatTricklesWindowsIsNotKeptForEver() throws Exception {
    Http2World.play(request -> Response.ok("x".repeat(1000)), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 1);
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      long start = world.now();
      Frame frame = client.expectData(1);
      while (frame instanceof Frame.Data) {
        world.network.sleep(Duration.ofSeconds(7));
        client.sendWindowUpdate(1, 1);
        frame = client.expectFrame();
      }
      assertTrue(frame instanceof Frame.RstStream, frame::toString);
      assertTrue(world.now() - start < 60_000_000_000L);
    });
  }

  @Test
  void aHandlerThatDoesNotReadStopsItsStreamAndNoOther() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    Handler handler = request -> {
      if (request.path().equals("/slow")) {
        mayRead.await();
      }
      return Response.ok(Long.toString(request.body().bytes().length));
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/slow", false);
      client.sendContent(1, false, new byte[client.settings().initialWindowSize()]);
      client.sendRequest(3, "POST", "/fast", false);
      client.sendContent(3, true, new byte[2_000_000]);
      client.expectResponse(3, 200);
      assertEquals("2000000", text(client.expectContent(3)));
      mayRead.countDown();
      client.sendContent(1, true, new byte[500_000]);
      client.expectResponse(1, 200);
      assertEquals(
          Integer.toString(500_000 + client.settings().initialWindowSize()),
          text(client.expectContent(1)));
    });
  }

  @Test
  void contentThatNobodyReadsComesToABoundedNumberOfBytes() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Handler handler = request -> {
      never.await();
      return Response.ok("");
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.patience(Duration.ofSeconds(1));
      int streams = client.settings().maxConcurrentStreams();
      assertThrows(AssertionError.class, () -> {
        for (int id = 1; id < 2 * streams; id += 2) {
          client.sendRequest(id, "POST", "/", false);
          client.sendContent(id, false, new byte[100_000]);
        }
      });
      long sent = world.network.connections().getFirst().delivered(Direction.TO_SERVER);
      assertTrue(sent >= 256 * KIB, () -> "only " + sent + " bytes were let in");
      assertTrue(sent <= 1792 * KIB, () -> sent + " bytes were let in");
      never.countDown();
    });
  }

  @Test
  void contentThatTheHandlerLeavesGivesItsCreditBack() throws Exception {
    Http2World.play(request -> Response.ok("no thanks"), (world, client) -> {
      client.handshake();
      for (int id = 1; id < 41; id += 2) {
        client.sendRequest(id, "POST", "/", false);
        client.expectResponse(id, 200);
        client.expectContent(id);
        client.expectRst(id, ErrorCode.NO_ERROR);
        // What was under way when the answer came: 20 x 100 KB is more than the window.
        for (int i = 0; i < 10; i++) {
          client.send(new Frame.Data(id, i == 9, ByteBuffer.allocate(10_000)));
        }
      }
      client.expectCredit(0, 1_000_000);
    });
  }

  @Test
  void contentOfCancelledRequestsGivesItsCreditAndItsMemoryBack() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Handler handler = request -> {
      if (request.path().equals("/busy")) {
        never.await();
      }
      return Response.ok("" + request.body().bytes().length);
    };
    Http2World.play(handler, (world, client) -> {
      client.patience(Duration.ofSeconds(5)).handshake();
      world.await("the connection is counted", () -> world.server.memoryHeld() > 0);
      long before = world.server.memoryHeld();
      for (int id = 1; id < 201; id += 2) {
        client.sendRequest(id, "POST", "/busy", false);
        client.sendContent(id, false, new byte[64 * KIB]);
        client.sendRst(id, ErrorCode.CANCEL);
        world.await("the request has ended", () -> world.server.active() == 0);
      }
      world.await("all memory is given back", () -> world.server.memoryHeld() == before);
      client.sendRequest(201, "POST", "/", false);
      client.sendContent(201, true, new byte[1_000_000]);
      client.expectResponse(201, 200);
      assertEquals("1000000", text(client.expectContent(201)));
    });
  }

  @Test
  void contentThatTheHandlerDiscardsGoesOnComing() throws Exception {
    Handler handler = request -> Response.ok(Long.toString(request.body().discard()));
    Http2World.play(handler, (world, client) -> {
      client.patience(Duration.ofSeconds(5)).handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendContent(1, true, new byte[2_000_000]);
      client.expectResponse(1, 200);
      assertEquals("2000000", text(client.expectContent(1)));
    });
  }

  @Test
  void contentThatTheHandlerClosesGoesOnComingUntilItAnswers() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    Handler handler = request -> {
      request.body().close();
      mayAnswer.await();
      return Response.ok("closed");
    };
    Http2World.play(handler, (world, client) -> {
      client.patience(Duration.ofSeconds(5)).handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendContent(1, true, new byte[2_000_000]);
      mayAnswer.countDown();
      client.expectResponse(1, 200);
      assertEquals("closed", text(client.expectContent(1)));
    });
  }

  @Test
  void contentThatComesInTwoReadsGetsItsCreditOnce() throws Exception {
    Handler handler = request -> Response.ok(text(request.body().bytes()).length() + "");
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      for (int id = 1; id < 801; id += 2) {
        client.send(
            Http2Peer.headers(
                id,
                false,
                ":method: POST",
                ":scheme: http",
                ":authority: server",
                ":path: /",
                "content-length: 10000"),
            new Frame.Data(id, false, ByteBuffer.allocate(9_999)));
        world.network.sleep(Duration.ofMillis(1));
        client.send(new Frame.Data(id, true, ByteBuffer.allocate(1)));
        client.expectResponse(id, 200);
        assertEquals("10000", text(client.expectContent(id)));
      }
      // 4,000,000 bytes came, and the window is 1.5 MiB at most.
      client.patience(Duration.ofSeconds(1));
      assertThrows(AssertionError.class, () -> client.expectCredit(0, 6_000_000));
    });
  }
}
