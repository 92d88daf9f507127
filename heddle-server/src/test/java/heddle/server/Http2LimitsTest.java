package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a client may not do, and how long it may take. */
class Http2LimitsTest {
  private static final Handler ECHO = request -> Response.ok(request.body().string());

  @Test
  void aResetInterruptsTheHandler() throws Exception {
    UntilInterrupted handler = new UntilInterrupted();
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      handler.awaitRunning();
      assertEquals(1, world.server.active());
      client.sendRst(1, ErrorCode.CANCEL);
      handler.awaitInterrupt();
      world.await("it has ended", () -> world.server.active() == 0);
    });
  }

  @Test
  void resetsStartNoMoreHandlersThanThereMayBeStreams() throws Exception {
    UntilAllowed handler = new UntilAllowed();
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      int streams = client.settings().maxConcurrentStreams();
      for (int i = 0; i < streams; i++) {
        client.sendGet(2 * i + 1, "/");
        int started = i + 1;
        world.await("it runs", () -> handler.running() == started);
        client.sendRst(2 * i + 1, ErrorCode.CANCEL);
      }
      int last = 2 * streams + 1;
      for (; last < 2 * streams + 40; last += 2) {
        client.sendGet(last, "/");
        client.expectRst(last, ErrorCode.REFUSED_STREAM);
      }
      assertEquals(streams, handler.peak());
      handler.end();
      world.await("all have ended", () -> world.server.active() == 0);
      client.sendGet(last, "/");
      client.expectResponse(last, 200);
    });
  }

  @Test
  void aStreamTooManyIsRefusedAndMayBeSentAgain() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = Http2World.answeringAfter(mayEnd, "");
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      int streams = client.settings().maxConcurrentStreams();
      for (int i = 0; i < streams; i++) {
        client.sendGet(2 * i + 1, "/");
      }
      client.sendGet(2 * streams + 1, "/");
      client.expectRst(2 * streams + 1, ErrorCode.REFUSED_STREAM);
      assertEquals(streams, world.server.active());
      mayEnd.countDown();
      for (int i = 0; i < streams; i++) {
        assertEquals("200", client.expectHeaders().value(":status"));
      }
    });
  }

  @Test
  void oneRequestTooManyIsAnswered503() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = Http2World.answeringAfter(mayEnd, "");
    Http2World.play(handler, b -> b.maxRequests(1), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      client.sendGet(3, "/");
      assertNotNull(client.expectResponse(3, 503).value("retry-after"));
      mayEnd.countDown();
      client.expectResponse(1, 200);
      client.sendGet(5, "/");
      client.expectResponse(5, 200);
    });
  }

  @Test
  void oneConnectionTooManyIsToldThatNothingWasProcessed() throws Exception {
    Http2World.play(ECHO, b -> b.maxConnections(1), (world, client) -> {
      client.handshake();
      try (Http2Peer second = world.connect()) {
        second.sendPreface();
        second.sendSettings();
        second.sendGet(1, "/");
        second.expectSettings();
        assertEquals(0, second.expectGoAway(ErrorCode.NO_ERROR).lastStreamId());
        second.expectEnd();
      }
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
    });
  }

  @Test
  void tooLongABodyIsAnswered413SaidBeforehandOrNot() throws Exception {
    Http2World.play(ECHO, b -> b.maxBodyBytes(10), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false, "content-length: 11");
      assertTrue(client.expectResponse(1, 413).endStream());
      client.expectRst(1, ErrorCode.NO_ERROR);
      client.sendRequest(3, "POST", "/", false);
      client.sendData(3, false, "12345678901");
      assertTrue(client.expectResponse(3, 413).endStream());
      client.expectRst(3, ErrorCode.NO_ERROR);
      client.sendRequest(5, "POST", "/", false);
      client.sendData(5, true, "1234567890");
      client.expectResponse(5, 200);
      assertEquals("1234567890", new String(client.expectContent(5), ISO_8859_1));
    });
  }

  @Test
  void tooLongATargetIsAnswered414AndTooManyFields431() throws Exception {
    Limits limits = new Limits(2000, 20, 500, 500, 8);
    Http2World.play(ECHO, b -> b.headLimits(limits), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/" + "a".repeat(600));
      client.expectResponse(1, 414);
      String[] fields = new String[30];
      for (int i = 0; i < fields.length; i++) {
        fields[i] = "x-" + i + ": y";
      }
      client.sendRequest(3, "GET", "/", true, fields);
      client.expectResponse(3, 431);
      client.sendGet(5, "/");
      client.expectResponse(5, 200);
    });
  }

  @Test
  void aClientThatGoesOnAfterAnErrorIsCutOff() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      client.expectResponse(1, 200);
      client.sendFrame(0x0, 0, 0, (byte) 1); // DATA on stream 0, RFC 9113 §6.1
      client.expectGoAway(ErrorCode.PROTOCOL_ERROR);
      client.expectEnd();
    });
  }

  @Test
  void aConnectionErrorInterruptsItsHandlers() throws Exception {
    UntilInterrupted handler = new UntilInterrupted();
    Http2World.play(handler.thenAnswering(Response.ok("late")), (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      handler.awaitRunning();
      assertEquals(1, world.server.active());
      client.sendFrame(0x0, 0, 0, (byte) 1);
      client.expectGoAway(ErrorCode.PROTOCOL_ERROR);
      client.expectEnd();
      handler.awaitInterrupt();
      world.await("it has ended", () -> world.server.active() == 0);
    });
  }

  // Time.

  @Test
  void aClientThatSaysNothingIsCutAfterTheTimeOfAHead() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      long start = world.now();
      client.expectEnd();
      world.assertPassed(start, 10);
    });
  }

  @Test
  void aPrefaceWithoutSettingsIsGivenUp() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      long start = world.now();
      client.sendPreface();
      client.expectSettings();
      client.expectGoAway(ErrorCode.SETTINGS_TIMEOUT);
      world.assertPassed(start, 10);
      client.expectEnd();
    });
  }

  @Test
  void aResponseHeadLargerThanTheClientTakesIsAnswered500() throws Exception {
    Handler handler = request -> request.path().equals("/large")
        ? Response.builder(Status.OK)
            .headers(Headers.of("X-Large", "y".repeat(500)))
            .build()
        : Response.ok("fine");
    Http2World.play(handler, (world, client) -> {
      client.handshake(Settings.MAX_HEADER_LIST_SIZE, 400);
      client.sendGet(1, "/large");
      assertEquals(1, client.expectResponse(1, 500).fields().size());
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
    });
  }

  @Test
  void aHeadThatDoesNotEndIsGivenUp() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      long start = world.now();
      client.send(new Frame.Headers(
          1, true, false, Http2Peer.block(":method: GET", ":scheme: http", ":path: /")));
      client.expectGoAway(ErrorCode.ENHANCE_YOUR_CALM);
      world.assertPassed(start, 10);
      client.expectEnd();
    });
  }

  @Test
  void aBodyThatDoesNotGoOnIsAnswered408() throws Exception {
    Http2World.play(ECHO, options -> options.minRate(0, Duration.ZERO), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendData(1, false, "abc");
      long start = world.now();
      client.expectResponse(1, 408);
      world.assertPassed(start, 30);
      client.expectRst(1, ErrorCode.NO_ERROR);
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
    });
  }

  @Test
  void aSlowReaderIsNoSilentClient() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    Handler handler = request -> {
      read.await();
      return Response.ok(Integer.toString(request.body().bytes().length));
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendContent(1, false, new byte[200_000]);
      Http2LivenessTest.showLife(world, client, 5);
      read.countDown();
      client.sendData(1, true, "end");
      client.expectResponse(1, 200);
      assertEquals("200003", new String(client.expectContent(1), ISO_8859_1));
    });
  }

  @Test
  void anIdleConnectionIsClosedAndABusyOneNot() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Handler handler = request -> {
      if (request.path().equals("/long")) {
        mayEnd.await();
      }
      return Response.ok("");
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/long");
      Http2LivenessTest.showLife(world, client, 10);
      mayEnd.countDown();
      client.expectResponse(1, 200);
      long start = world.now();
      client.expectGoAway(ErrorCode.NO_ERROR);
      world.assertPassed(start, 60);
      Frame.GoAway last = client.expectGoAway(ErrorCode.NO_ERROR);
      assertEquals(1, last.lastStreamId());
      client.expectEnd();
    });
  }

  @Test
  void anIdleClientThatDoesNotAnswerIsLeft() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.answersPings(false).handshake();
      long start = world.now();
      client.expectGoAway(ErrorCode.NO_ERROR);
      Frame.Ping ping = client.expectPing();
      assertTrue(!ping.ack());
      client.expectGoAway(ErrorCode.NO_ERROR);
      world.assertPassed(start, 62);
      client.expectEnd();
    });
  }
}
