package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld.Running;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.testkit.Cut;
import heddle.testkit.Direction;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time limits, cancelling, cuts and broken peers on connections that calls share. */
@Timeout(120)
class Http2FailureTest {
  private static Request within(String url, Duration deadline) throws IOException {
    return Request.builder(url).deadline(deadline).build();
  }

  private static void assertInterrupted(ClientWorld world, Running call) throws Exception {
    call.thread().interrupt();
    world.untilOver(call.outcome());
    assertInstanceOf(InterruptedIOException.class, call.outcome().exceptionNow());
    assertTrue(call.interrupted().get(), "the flag is lost");
  }

  @Test
  void aDeadlineResetsItsStreamInTimeAndLeavesTheOthers() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        int other = h2.expectHeaders().streamId();
        int late = h2.expectHeaders().streamId();
        h2.expectRst(late, ErrorCode.CANCEL);
        h2.sendResponse(other, 200, "unharmed");
      }));
      world.visit(peer -> {
        Running other = world.startUnderWay(Request.get(peer.url("/other")));
        Duration before = world.now();
        DeadlineExceededException failure = assertThrows(
            DeadlineExceededException.class,
            () -> world.client.send(within(peer.url("/"), Duration.ofMillis(300))));
        Duration took = world.now().minus(before);
        assertTrue(took.toMillis() >= 300 && took.toMillis() < 305, took::toString);
        ClientWorld.assertSays(failure, "AWAIT_HEAD");
        world.assertAnswered(other, "unharmed");
      });
    }
  }

  @Test
  void silenceOnOneStreamFailsItAlthoughAnotherIsServed() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        int busy = h2.expectHeaders().streamId();
        h2.sendHeaders(busy, false, ":status: 200");
        int silent = h2.expectHeaders().streamId();
        for (int i = 0; i < 39; i++) {
          h2.connection().sleep(Duration.ofSeconds(1));
          h2.sendData(busy, false, "x");
        }
        h2.expectRst(silent, ErrorCode.CANCEL);
        h2.sendData(busy, true, "x");
      }));
      world.visit(peer -> {
        Running busy = world.start(Request.get(peer.url("/busy")));
        world.untilOver(busy.outcome());
        DeadlineExceededException failure =
            assertInstanceOf(DeadlineExceededException.class, world.failureOf(peer.url("/silent")));
        ClientWorld.assertSays(failure, "sent nothing for 30000 ms");
        assertEquals(40, busy.outcome().get().bytes().length);
      });
    }
  }

  @Test
  void aResponseMayTakeLongerToBeginThanItMayPauseAndPausesNoLonger() throws Exception {
    Timeouts timeouts = Timeouts.builder()
        .firstByte(Duration.ofSeconds(50))
        .silence(Duration.ofSeconds(4))
        .build();
    try (ClientWorld world =
        ClientWorld.http2(SimNetwork.builder(), timeouts, PoolLimits.DEFAULTS)) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        int stream = h2.expectHeaders().streamId();
        answerPings(h2, 2);
        h2.connection().sleep(Duration.ofSeconds(40).minus(world.now()));
        h2.sendHeaders(stream, false, ":status: 200");
        h2.expectRst(stream, ErrorCode.CANCEL);
      }));
      world.visit(peer -> {
        HttpException failure = world.failureOf(peer.url("/"));
        ClientWorld.assertSays(failure, "Timeouts.silence");
        assertEquals(44, failure.at().elapsed().toSeconds());
      });
    }
  }

  @Test
  void aReaderWhoTakesHisTimeIsNoSilenceOfTheServer() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        int stream = h2.expectHeaders().streamId();
        h2.sendHeaders(stream, false, ":status: 200");
        h2.sendData(stream, false, "first");
        answerPings(h2, 8);
        h2.sendData(stream, true, " and last");
      }));
      world.visit(peer -> {
        Response response = world.client.send(within(peer.url("/"), Duration.ofMinutes(10)));
        world.network.sleep(Duration.ofSeconds(100));
        assertEquals("first and last", response.string());
      });
    }
  }

  @Test
  void interruptsCancelTheirStreamInEveryPhase() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake(Settings.INITIAL_WINDOW_SIZE, 1000);
        h2.expectRst(h2.expectHeaders().streamId(), ErrorCode.CANCEL);
        int sending = h2.expectHeaders().streamId();
        h2.expectData(sending);
        h2.expectRst(sending, ErrorCode.CANCEL);
        int reading = h2.expectHeaders().streamId();
        h2.sendHeaders(reading, false, ":status: 200");
        h2.expectRst(reading, ErrorCode.CANCEL);
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "still here");
      }));
      world.visit(peer -> {
        Running awaiting = world.startUnderWay(Request.get(peer.url("/awaiting")));
        assertInterrupted(world, awaiting);
        Running sending =
            world.startUnderWay(Request.post(peer.url("/sending"), Body.of(new byte[100_000])));
        assertInterrupted(world, sending);
        Response body = world.get(peer);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, body::bytes);
        assertTrue(Thread.interrupted());
        assertEquals("still here", world.get(peer).string());
        assertEquals(0, world.inUse());
      });
    }
  }

  private static void answerPings(Http2Peer h2, int count) throws IOException {
    h2.answersPings(false);
    for (int i = 0; i < count; i++) {
      h2.sendPingAck(h2.expectPing().data());
    }
  }

  @Test
  void aPeerThatAnswersPingsIsWaitedFor() throws Exception {
    Timeouts patient = Timeouts.builder().silence(Duration.ofMinutes(2)).build();
    try (ClientWorld world =
        ClientWorld.http2(SimNetwork.builder(), patient, PoolLimits.DEFAULTS)) {
      world.visit(
          peer -> assertEquals("at last", world.get(peer).string()), Http2Peer.server(h2 -> {
            h2.handshake();
            int stream = h2.expectHeaders().streamId();
            answerPings(h2, 1);
            assertEquals(15, world.now().toSeconds());
            answerPings(h2, 2);
            h2.sendResponse(stream, 200, "at last");
          }));
    }
  }

  @Test
  void aPeerThatAnswersNoPingIsGivenUp() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.answersPings(false);
        h2.handshake();
        h2.expectContent(h2.expectHeaders().streamId());
        h2.expectPing();
        h2.expectClosed();
      }));
      world.visit(peer -> {
        Request post = Request.post(peer.url("/"), Body.of("x"));
        ConnectionLostException failure =
            assertThrows(ConnectionLostException.class, () -> world.client.send(post));
        ClientWorld.assertSays(failure, "PING");
        assertEquals(Sent.UNKNOWN, failure.at().sent());
        assertEquals(20, world.now().toSeconds());
        world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void whoWritesToAPeerThatDoesNotReadHoldsUpNobodysDeadline() throws Exception {
    SimNetwork.Builder narrow = SimNetwork.builder().sendBuffer(20_000);
    Timeouts patient = Timeouts.builder().silence(Duration.ofMinutes(2)).build();
    try (ClientWorld world = ClientWorld.http2(narrow, patient, PoolLimits.DEFAULTS)) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "");
        h2.connection().pauseReading();
        h2.connection().sleep(Duration.ofSeconds(4));
        h2.connection().resumeReading();
        int last = 0;
        while (last < 9) {
          // The stream of the last call is behind what was handed over in the middle of a
          // frame.
          if (h2.expectFrame() instanceof Frame.Headers head) {
            last = head.streamId();
          }
        }
        while (last < 11) {
          if (h2.expectFrame() instanceof Frame.Headers head) {
            last = head.streamId();
          }
        }
        h2.sendResponse(last, 200, "whole again");
      }));
      world.visit(peer -> {
        world.get(peer).close();
        Running stuck = world.startUnderWay(Request.builder(peer.url("/stuck"))
            .method(Method.POST)
            .body(Body.of(new byte[60_000]))
            .deadline(Duration.ofSeconds(3))
            .build());
        for (int i = 0; i < 3; i++) {
          Duration before = world.now();
          assertThrows(
              DeadlineExceededException.class,
              () -> world.client.send(within(peer.url("/"), Duration.ofMillis(100))));
          assertTrue(world.now().minus(before).toMillis() < 105, "too late");
        }
        world.untilOver(stuck.outcome());
        assertInstanceOf(DeadlineExceededException.class, stuck.outcome().exceptionNow());
        assertEquals(3, world.now().toSeconds());
        world.network.sleep(Duration.ofSeconds(2));
        assertEquals("whole again", world.get(peer).string());
      });
    }
  }

  @Test
  void aMalformedResponseIsTheFailureOfItsStreamAlone() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        int bad = h2.expectHeaders().streamId();
        h2.sendHeaders(bad, true, ":status: 200", "Upper-Case: no");
        h2.expectRst(bad, ErrorCode.PROTOCOL_ERROR);
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "fine");
      }));
      world.visit(peer -> {
        MalformedMessageException failure =
            assertInstanceOf(MalformedMessageException.class, world.failureOf(peer.url("/")));
        ClientWorld.assertSays(failure, "not valid HTTP/2");
        assertEquals("fine", world.get(peer).string());
      });
    }
  }

  @Test
  void brokenConnectionGetsAReasonAndIsClosed() throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.serve(Http2Peer.server(h2 -> {
        h2.handshake();
        h2.sendWindowUpdate(h2.expectHeaders().streamId(), 1);
        h2.sendFrame(0x6, 0, 0, (byte) 1);
        h2.expectGoAway(ErrorCode.FRAME_SIZE_ERROR);
        h2.expectClosed();
      }));
      world.visit(peer -> {
        assertInstanceOf(MalformedMessageException.class, world.failureOf(peer.url("/")));
        world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void whereverTheConnectionIsCutEveryCallEndsAndNothingIsLeft() throws Exception {
    for (int at = 0; at < 400; at += 7) {
      for (Cut how : Cut.values()) {
        cutAfter(at, how);
      }
    }
  }

  private static void cutAfter(int bytes, Cut how) throws Exception {
    try (ClientWorld world = ClientWorld.http2()) {
      world.network.onConnection(c -> {
        if (world.network.connections().size() <= 1) {
          c.cutAfterBytes(Direction.TO_CLIENT, bytes, how);
        }
      });
      world.visitMany(
          peer -> {
            List<Running> calls = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
              calls.add(world.start(
                  i % 2 == 0
                      ? Request.get(peer.url("/"))
                      : Request.post(peer.url("/"), Body.of("some"))));
            }
            for (Running call : calls) {
              world.untilOver(call.outcome());
              finish(call);
            }
            String where = "cut after " + bytes + " " + how;
            assertEquals(0, world.inUse(), where);
            assertEquals(0, world.pending(), where);
            int open = (int) world.network.connections().stream()
                .filter(c -> c.isClientOpen())
                .count();
            assertEquals(world.pool().open(), open, where);
          },
          echo());
    }
  }

  private static void finish(Running call) {
    if (call.outcome().isCompletedExceptionally()) {
      assertInstanceOf(HttpException.class, call.outcome().exceptionNow());
      return;
    }
    try {
      assertEquals("hello", call.outcome().resultNow().string());
    } catch (HttpException e) {
      assertFalse(e.getMessage().isEmpty());
    } catch (IOException e) {
      throw new AssertionError("not an exception that says where", e);
    }
  }

  private static ScriptedPeer.Script echo() {
    ScriptedPeer.Script answers = Http2Peer.server(h2 -> {
      h2.handshake();
      while (h2.connection().hasMore()) {
        var head = h2.expectHeaders();
        if (!head.endStream()) {
          h2.expectContent(head.streamId());
        }
        h2.sendHeaders(head.streamId(), false, ":status: 200", "content-length: 5");
        h2.sendData(head.streamId(), false, "he");
        h2.sendData(head.streamId(), true, "llo");
      }
    });
    return connection -> {
      try {
        answers.run(connection);
      } catch (IOException | AssertionError cutShort) {
        // What the server sees of a cut is not the matter here.
        connection.close();
      }
    };
  }
}
