package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that want a server's memory or its time, and what they get. */
class Http2AttacksTest {
  /** The value of a field that makes a head of some 16,000 bytes. */
  private static final String LARGE = "v".repeat(15_700);

  private static final Handler EMPTY = request -> Response.of(Status.NO_CONTENT);

  @Test
  void aHeadOfMoreThanSixteenKibibytesIsAnswered431() throws Exception {
    Http2World.play(EMPTY, (world, client) -> {
      client.handshake();
      assertEquals(16_384, client.settings().maxHeaderListSize());
      client.sendRequest(1, "GET", "/", true, "x: " + LARGE);
      client.expectResponse(1, 204);
      // As HPACK counts, each field takes 32 bytes more than its octets.
      String[] fields = new String[30];
      Arrays.fill(fields, "y: z");
      fields[0] = "x: " + LARGE;
      client.sendRequest(3, "GET", "/", true, fields);
      client.expectResponse(3, 431);
      client.sendGet(5, "/");
      client.expectResponse(5, 204);
    });
  }

  /** The origin of the last request is kept for the next one; it must not become another's. */
  @Test
  void requestsThatNameManyOriginsGetTheirOwn() throws Exception {
    Http2World.play(request -> Response.ok(request.origin().host()), (world, client) -> {
      client.handshake();
      for (int i = 0; i < 1_000; i++) {
        String host = "h" + (i % 500) / 2;
        int id = 2 * i + 1;
        client.sendHeaders(
            id, true, ":method: GET", ":scheme: http", ":authority: " + host, ":path: /", "x: y");
        client.expectResponse(id, 200);
        assertEquals(host, new String(client.expectContent(id), ISO_8859_1));
      }
      assertTrue(world.server.peakMemoryHeld() < 64 * 1_024, "origins are kept");
    });
  }

  @Test
  void headsOfOpenStreamsAreRefusedBeyondTheirBudget() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Http2World.play(Http2World.answeringAfter(mayEnd, ""), (world, client) -> {
      client.handshake();
      int taken = 12; // of 15.5 KiB each beyond what is free, from 192 KiB
      for (int i = 0; i < 20; i++) {
        client.sendRequest(2 * i + 1, "GET", "/", true, "x: " + LARGE);
      }
      for (int i = taken; i < 20; i++) {
        client.expectRst(2 * i + 1, ErrorCode.REFUSED_STREAM);
      }
      assertEquals(taken, world.server.active());
      client.sendGet(101, "/");
      world.await("a small one is let in", () -> world.server.active() == taken + 1);
      mayEnd.countDown();
      for (int i = 0; i <= taken; i++) {
        assertEquals("200", client.expectHeaders().value(":status"));
      }
      world.await("all have ended", () -> world.server.active() == 0);
      client.sendRequest(103, "GET", "/", true, "x: " + LARGE);
      client.expectResponse(103, 200);
    });
  }

  @Test
  void handlersOfResetStreamsKeepTheirHeadsAccounted() throws Exception {
    UntilAllowed handler = new UntilAllowed();
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      for (int i = 0; i < 12; i++) {
        int started = i + 1;
        client.sendRequest(2 * i + 1, "GET", "/", true, "x: " + LARGE);
        world.await("it runs", () -> handler.running() == started);
        client.sendRst(2 * i + 1, ErrorCode.CANCEL);
      }
      client.sendRequest(101, "GET", "/", true, "x: " + LARGE);
      client.expectRst(101, ErrorCode.REFUSED_STREAM);
      handler.end();
      world.await("all have ended", () -> world.server.active() == 0);
      client.sendRequest(103, "GET", "/", true, "x: " + LARGE);
      client.expectResponse(103, 200);
    });
  }

  /** Frames that make a server reset a stream whose handler runs. */
  static List<Named<Frame>> provocations() {
    Frame.Priority.Signal signal = new Frame.Priority.Signal(false, 1, 1);
    return List.of(
        Named.of("WINDOW_UPDATE beyond 2^31-1", new Frame.WindowUpdate(1, Integer.MAX_VALUE)),
        Named.of("DATA after END_STREAM", new Frame.Data(1, false, ByteBuffer.allocate(1))),
        Named.of("a stream that depends on itself", new Frame.Priority(1, signal)));
  }

  /** MadeYouReset, CVE-2025-8671: handlers whose streams we had to reset count on. */
  @ParameterizedTest
  @MethodSource("provocations")
  void resetsThatAreProvokedStartNoMoreHandlers(Frame provocation) throws Exception {
    UntilAllowed handler = new UntilAllowed();
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      int streams = client.settings().maxConcurrentStreams();
      for (int i = 0; i < streams; i++) {
        int started = i + 1;
        int id = 2 * i + 1;
        client.sendGet(id, "/");
        world.await("it runs", () -> handler.running() == started);
        client.send(on(id, provocation));
        assertEquals(id, client.expectFrame().streamId());
      }
      client.sendGet(2 * streams + 1, "/");
      client.expectRst(2 * streams + 1, ErrorCode.REFUSED_STREAM);
      assertEquals(streams, handler.running());
      handler.end();
      world.await("all have ended", () -> world.server.active() == 0);
    });
  }

  private static Frame on(int id, Frame frame) {
    return switch (frame) {
      case Frame.WindowUpdate update -> new Frame.WindowUpdate(id, update.increment());
      case Frame.Data data -> new Frame.Data(id, false, data.data().duplicate());
      case Frame.Priority unused -> new Frame.Priority(id, new Frame.Priority.Signal(false, id, 1));
      default -> throw new IllegalArgumentException("no provocation: " + frame);
    };
  }

  /** CVE-2026-50560: what no response can satisfy leads to no reset, however often it is asked. */
  @Test
  void aClientThatTakesNoFieldsIsAnswered500WithoutAny() throws Exception {
    Http2World.play(request -> Response.ok("content"), (world, client) -> {
      client.handshake(Settings.MAX_HEADER_LIST_SIZE, 1);
      for (int id = 1; id < 2_600; id += 2) {
        client.sendGet(id, "/");
        assertTrue(client.expectResponse(id, 500).endStream());
      }
      client.expectQuiet();
    });
  }

  /** The same with trailers, which a response can do without. */
  @Test
  void trailersThatTheClientDoesNotTakeAreLeftOut() throws Exception {
    Trailers trailers = Trailers.of(Headers.of("Sum", "7".repeat(1_000)));
    Handler handler = request ->
        Response.builder(Status.OK).body(Body.of("content")).trailers(trailers).build();
    Http2World.play(handler, (world, client) -> {
      client.handshake(Settings.MAX_HEADER_LIST_SIZE, 400);
      for (int id = 1; id < 2_600; id += 2) {
        client.sendGet(id, "/");
        client.expectResponse(id, 200);
        assertEquals("content", new String(client.expectContent(id), ISO_8859_1));
      }
      client.expectQuiet();
    });
  }

  /** CVE-2026-49975: a zero window, opened byte by byte, makes us send a frame for each byte. */
  @Test
  void aWindowThatIsOpenedByteByByteIsCutOff() throws Exception {
    Http2World.play(request -> Response.ok("c".repeat(100_000)), (world, client) -> {
      client.handshake(Settings.INITIAL_WINDOW_SIZE, 0);
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      assertCalmed(client, new Frame.WindowUpdate(1, 1));
    });
  }

  @Test
  void windowUpdatesWithoutContentAreCutOff() throws Exception {
    Http2World.play(EMPTY, (world, client) -> {
      client.handshake();
      assertCalmed(client, new Frame.WindowUpdate(0, 1));
    });
  }

  @Test
  void goAwayFloodsAreCutOff() throws Exception {
    Http2World.play(Http2World.answeringAfter(new CountDownLatch(1), ""), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      world.await("it runs", () -> world.server.active() == 1);
      assertCalmed(client, new Frame.GoAway(0, ErrorCode.NO_ERROR, ""));
    });
  }

  @Test
  void contentInTinyFramesIsCutOff() throws Exception {
    Handler reads = request -> {
      request.body().stream().transferTo(OutputStream.nullOutputStream());
      return Response.of(Status.NO_CONTENT);
    };
    Http2World.play(reads, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      assertCalmed(client, new Frame.Data(1, false, ByteBuffer.allocate(1)));
    });
  }

  /** Messages of twenty bytes at a moderate rate for a while, as of an event stream or of gRPC. */
  @Test
  void smallMessagesAtAModerateRateAreNoFlood() throws Exception {
    AtomicInteger bytes = new AtomicInteger();
    Handler reads = request -> {
      bytes.addAndGet(request.body().bytes().length);
      return Response.of(Status.NO_CONTENT);
    };
    Http2World.play(reads, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      Frame message = Http2Peer.data(1, false, "m".repeat(20));
      Frame[] second = new Frame[500];
      Arrays.setAll(second, i -> message);
      for (int i = 0; i < 60; i++) {
        client.send(second);
        world.network.sleep(Duration.ofMillis(100));
      }
      client.sendData(1, true, "");
      client.expectResponse(1, 204);
      assertEquals(60 * 500 * 20, bytes.get());
    });
  }

  /** Sends a frame over and over: the connection ends before twenty thousand of them. */
  private static void assertCalmed(Http2Peer client, Frame frame) throws IOException {
    Frame[] hundred = new Frame[100];
    Arrays.setAll(hundred, i -> frame);
    try {
      for (int i = 0; i < 200; i++) {
        client.send(hundred);
      }
    } catch (IOException e) {
      // Cut off meanwhile: what it said before is still to be read.
    }
    Frame next = client.nextFrame();
    while (next != null
        && !(next instanceof Frame.GoAway goAway
            && goAway.error() == ErrorCode.ENHANCE_YOUR_CALM)) {
      next = client.nextFrame();
    }
    assertTrue(next != null, "no GOAWAY with ENHANCE_YOUR_CALM");
  }
}
