package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld.Running;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.MessageTooLargeException;
import heddle.testkit.Http2Peer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that want a client's memory or its time, and what they get. */
@Timeout(120)
class Http2AttacksTest {
  @AutoClose
  private final ClientWorld world = ClientWorld.http2();

  /** Frames that bring nothing and that a server sends without end. */
  static List<Named<Frame>> floods() {
    return List.of(
        Named.of("WINDOW_UPDATE on the connection", new Frame.WindowUpdate(0, 1)),
        Named.of("WINDOW_UPDATE on the stream", new Frame.WindowUpdate(1, 1)),
        Named.of("GOAWAY", new Frame.GoAway(1, ErrorCode.NO_ERROR, "")),
        Named.of("DATA of one byte", new Frame.Data(1, false, ByteBuffer.allocate(1))),
        Named.of("DATA of padding", new Frame.Data(1, false, ByteBuffer.allocate(0), 200)));
  }

  @ParameterizedTest
  @MethodSource("floods")
  void aFloodEndsTheConnectionAndFailsTheCall(Frame frame) throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.expectHeaders();
      h2.sendHeaders(1, false, ":status: 200");
      assertCalmed(h2, frame);
    }));
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      assertInstanceOf(MessageTooLargeException.class, failure, failure.toString());
      ClientWorld.assertSays(failure, "too many");
      world.assertNothingIsOpen();
      assertTrue(world.now().toMillis() < 1_000, () -> "after " + world.now());
    });
  }

  @Test
  void emptyContinuationsEndTheConnection() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.expectHeaders();
      h2.send(new Frame.Headers(1, false, false, Http2Peer.block(":status: 200")));
      assertCalmed(h2, new Frame.Continuation(1, false, ByteBuffer.allocate(0)));
    }));
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      assertInstanceOf(MessageTooLargeException.class, failure, failure.toString());
      ClientWorld.assertSays(failure, "CONTINUATION");
      world.assertNothingIsOpen();
    });
  }

  /** MadeYouReset (CVE-2025-8671), from the other side: each response makes us reset its stream. */
  @Test
  void serverThatMakesUsResetOverAndOverIsGivenUp() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      Frame next = h2.nextFrame();
      while (next != null && !(next instanceof Frame.GoAway)) {
        if (next instanceof Frame.Headers head) {
          h2.sendWindowUpdate(head.streamId(), 0);
        }
        next = h2.nextFrame();
      }
      assertTrue(next != null, "no GOAWAY");
    }));
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      for (int i = 0; i < 1_100 && !(failure instanceof MessageTooLargeException); i++) {
        failure = world.failureOf(peer.url("/"));
      }
      assertInstanceOf(MessageTooLargeException.class, failure, failure.toString());
      ClientWorld.assertSays(failure, "CVE-2025-8671");
      world.assertNothingIsOpen();
    });
  }

  /** CVE-2026-49975, from the other side: each byte of window is a frame of our content. */
  @Test
  void aWindowThatIsOpenedByteByByteEndsTheConnection() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 0);
      h2.expectHeaders();
      assertCalmed(h2, new Frame.WindowUpdate(1, 1));
    }));
    world.visit(peer -> {
      Request post = Request.post(peer.url("/"), Body.of(new byte[100_000]));
      Running call = world.start(post);
      world.untilOver(call.outcome());
      ClientWorld.assertSays(
          assertInstanceOf(HttpException.class, call.outcome().exceptionNow()),
          "WINDOW_UPDATEs without content");
    });
  }

  @Test
  void anUploadWhoseEveryFrameIsCreditedIsNoFlood() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int id = h2.expectHeaders().streamId();
      int bytes = h2.expectContent(id).length;
      h2.sendResponse(id, 200, Integer.toString(bytes));
    }));
    world.visit(peer -> {
      Request post = Request.post(peer.url("/"), Body.of(new byte[20_000_000]));
      assertEquals("20000000", world.client.send(post).string());
    });
  }

  /** Heads of 52 KB, of which 71 fit into 4 MiB beside what 1,000 streams may hold anyway. */
  @Test
  void headsOfResponsesUnderWayAreBoundedTogether() throws Exception {
    int calls = 80;
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      List<Integer> ids = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        ids.add(h2.expectHeaders().streamId());
      }
      String[] fields = new String[5];
      Arrays.fill(fields, "x: " + "y".repeat(13_000));
      fields[0] = ":status: 200";
      for (int id : ids) {
        sendLargeHead(h2, id, fields);
      }
      h2.expectClosed();
    }));
    world.visit(peer -> {
      List<Running> running = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        running.add(world.start(Request.get(peer.url("/"))));
      }
      for (Running each : running) {
        world.untilOver(each.outcome());
      }
      int failed = 0;
      for (Running each : running) {
        if (each.outcome().isCompletedExceptionally()) {
          ClientWorld.assertSays(
              assertInstanceOf(MessageTooLargeException.class, each.outcome().exceptionNow()),
              "those of all open streams");
          failed++;
        } else {
          each.outcome().get().close();
        }
      }
      assertEquals(9, failed);
    });
  }

  private static void sendLargeHead(Http2Peer h2, int id, String[] fields) throws IOException {
    ByteBuffer block = Http2Peer.block(fields);
    boolean first = true;
    while (block.hasRemaining()) {
      int length = Math.min(16_384, block.remaining());
      ByteBuffer piece = block.slice(block.position(), length);
      block.position(block.position() + length);
      boolean last = !block.hasRemaining();
      h2.send(
          first
              ? new Frame.Headers(id, false, last, piece)
              : new Frame.Continuation(id, last, piece));
      first = false;
    }
  }

  /** CVE-2026-42584: which response is whose does not shift. */
  @Test
  void interimResponsesToHeadAndGetStayWithTheirRequests() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.expectHeaders(1);
      h2.expectHeaders(3);
      for (int i = 0; i < 4; i++) {
        h2.sendHeaders(1, false, ":status: 103", "content-length: 5");
        h2.sendHeaders(3, false, ":status: 103", "content-length: 7");
      }
      h2.sendHeaders(1, true, ":status: 200", "content-length: 5", "x: head");
      h2.sendHeaders(3, false, ":status: 200", "content-length: 5", "x: get");
      h2.sendData(3, true, "hello");
      h2.expectClosed();
    }));
    world.visit(peer -> {
      Running head = world.startUnderWay(Request.head(peer.url("/head")));
      Running get = world.start(Request.get(peer.url("/get")));
      Response answer = world.assertAnswered(head, "");
      assertEquals("head", answer.headers().first("x"));
      assertEquals("get", world.assertAnswered(get, "hello").headers().first("x"));
    });
  }

  /** CVE-2026-50560: nothing of it is sent, and the connection serves the others. */
  @Test
  void aRequestLargerThanTheServerTakesFailsBeforeItIsSent() throws Exception {
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.MAX_HEADER_LIST_SIZE, 500);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "first");
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "second");
    }));
    world.visit(peer -> {
      assertEquals("first", world.get(peer).string());
      Request large = Request.builder(peer.url("/"))
          .headers(Headers.of("x", "y".repeat(1_000)))
          .build();
      for (int i = 0; i < 100; i++) {
        Running call = world.start(large);
        world.untilOver(call.outcome());
        assertInstanceOf(MessageTooLargeException.class, call.outcome().exceptionNow());
      }
      assertEquals("second", world.get(peer).string());
    });
  }

  /** Sends a frame over and over: the connection ends before twenty thousand of them. */
  private static void assertCalmed(Http2Peer server, Frame frame) throws IOException {
    Frame[] hundred = new Frame[100];
    Arrays.fill(hundred, frame);
    try {
      for (int i = 0; i < 200; i++) {
        server.send(hundred);
      }
    } catch (IOException e) {
      // Cut off meanwhile: what it said before is still to be read.
    }
    Frame next = server.nextFrame();
    while (next != null
        && !(next instanceof Frame.GoAway goAway
            && goAway.error() == ErrorCode.ENHANCE_YOUR_CALM)) {
      next = server.nextFrame();
    }
    assertTrue(next != null, "no GOAWAY with ENHANCE_YOUR_CALM");
  }
}
