package heddle.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import heddle.http.failure.StreamResetException;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Content over HTTP/2, both ways, at the pace that the windows allow. */
@Timeout(60)
class Http2BodiesTest {
  private static final int MIB = 1024 * 1024;

  @AutoClose
  private ClientWorld world;

  private static byte[] random(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  private static ClientWorld worldOfPieces(long seed) {
    return ClientWorld.http2(
        SimNetwork.builder().seed(seed).maxReadBytes(5000).maxWriteBytes(3000),
        Timeouts.DEFAULTS,
        PoolLimits.DEFAULTS);
  }

  @Test
  void contentInMemoryGoesOutAsTheWindowsAllow() throws Exception {
    byte[] content = random(300_000);
    world = worldOfPieces(1);
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 1000);
      Http2Head head = h2.expectHeaders();
      assertEquals("300000", head.value("content-length"));
      assertArrayEquals(content, h2.expectContent(head.streamId()));
      h2.sendResponse(head.streamId(), 200, "thanks");
    }));
    world.visit(peer -> {
      Response response = world.client.send(Request.post(peer.url("/"), Body.of(content)));
      assertEquals("thanks", response.string());
    });
  }

  @Test
  void contentOfAStreamGoesOutInOrderAndIsFollowedByItsTrailers() throws Exception {
    byte[] content = random(MIB + 17);
    world = worldOfPieces(2);
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 40_000);
      Http2Head head = h2.expectHeaders();
      assertEquals(null, head.value("content-length"));
      byte[] came = new byte[content.length];
      int at = 0;
      while (at < came.length) {
        var data = h2.expectData(head.streamId());
        int count = data.data().remaining();
        data.data().duplicate().get(came, at, count);
        at += count;
        h2.sendWindowUpdate(0, count);
        h2.sendWindowUpdate(head.streamId(), count);
      }
      assertArrayEquals(content, came);
      Http2Head trailers = h2.expectHeaders(head.streamId());
      assertEquals("17", trailers.value("x-sum"));
      assertTrue(trailers.endStream());
      h2.sendResponse(head.streamId(), 200, "thanks");
    }));
    world.visit(peer -> {
      Request request =
          Request.post(peer.url("/"), Body.of(new ByteArrayInputStream(content))).toBuilder()
              .trailers(Trailers.of(Headers.of("X-Sum", "17")))
              .build();
      assertEquals("thanks", world.client.send(request).string());
    });
  }

  @Test
  void aBodyThatIsShorterThanItSaysResetsItsStreamAlone() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.expectData(stream);
      h2.expectRst(stream, ErrorCode.CANCEL);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "fine");
    }));
    world.visit(peer -> {
      Body liar = Body.of(new ByteArrayInputStream(new byte[10]), 11);
      HttpException failure = assertThrows(
          HttpException.class, () -> world.client.send(Request.post(peer.url("/"), liar)));
      ClientWorld.assertSays(failure, "10 bytes instead of 11");
      assertEquals("fine", world.get(peer).string());
    });
  }

  @Test
  void aResponseThatIsCompleteBeforeTheRequestEndsItsSending() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int first = h2.expectHeaders().streamId();
      h2.expectData(first);
      h2.sendResponse(first, 413, "too much");
      h2.sendRst(first, ErrorCode.NO_ERROR);
      int second = 0;
      while (second == 0) {
        // What the window of the first allowed was on its way.
        if (h2.expectFrame() instanceof Frame.Headers head) {
          second = head.streamId();
        }
      }
      h2.sendWindowUpdate(0, MIB);
      h2.sendResponse(second, 200, "enough");
      while (!(h2.expectFrame() instanceof Frame.RstStream)) {
        // The client resets the stream, though the server sends no further frame.
      }
    }));
    world.visit(peer -> {
      Response asked = world.client.send(Request.post(peer.url("/"), Body.of(random(MIB))));
      assertEquals(413, asked.status().code());
      assertEquals("too much", asked.string());
      Response again = world.client.send(Request.post(peer.url("/"), Body.of(random(MIB))));
      assertEquals("enough", again.string());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void aServerThatAnswersAsItReadsIsReadFromWhileTheRestIsSent() throws Exception {
    byte[] content = random(100_000);
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.INITIAL_WINDOW_SIZE, 1000);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "");
      int stream = h2.expectHeaders().streamId();
      assertEquals(1000, h2.expectData(stream).data().remaining());
      h2.sendHeaders(stream, false, ":status: 200");
      h2.sendData(stream, false, "a");
      h2.connection().sleep(Duration.ofSeconds(1));
      h2.sendWindowUpdate(stream, 1000);
      assertEquals(content.length - 1000, h2.expectContent(stream).length);
      h2.sendData(stream, true, "ll of it");
    }));
    world.visit(peer -> {
      world.get(peer).close();
      Body upload = Body.of(new ByteArrayInputStream(content), content.length);
      try (Response response = world.client.send(Request.post(peer.url("/"), upload))) {
        InputStream stream = response.body().stream();
        assertEquals('a', stream.read());
        assertEquals("ll of it", new String(stream.readAllBytes(), US_ASCII));
      }
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void aLargeResponseComesThroughSmallWindowsWhole() throws Exception {
    byte[] content = random(5 * MIB);
    world = worldOfPieces(3);
    world.visit(
        peer -> assertArrayEquals(content, world.get(peer).bytes()), Http2Peer.server(h2 -> {
          h2.handshake();
          int stream = h2.expectHeaders().streamId();
          h2.sendHeaders(stream, false, ":status: 200", "content-length: " + content.length);
          h2.sendContent(stream, true, content);
        }));
  }

  @Test
  void aSlowReaderDoesNotHoldUpItsSiblings() throws Exception {
    byte[] content = random(256 * 1024);
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      for (int i = 0; i < 21; i++) {
        int stream = h2.expectHeaders().streamId();
        h2.sendHeaders(stream, false, ":status: 200");
        h2.sendContent(stream, true, content);
      }
    }));
    world.visit(peer -> {
      Response slow = world.get(peer);
      for (int i = 0; i < 20; i++) {
        assertArrayEquals(content, world.get(peer).bytes(), "sibling " + i);
      }
      assertArrayEquals(content, slow.bytes());
    });
  }

  @Test
  void bodiesThatNobodyReadsCostTheConnectionNothing() throws Exception {
    byte[] content = random(200 * 1024);
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      for (int i = 0; i < 60; i++) {
        int stream = h2.expectHeaders().streamId();
        h2.sendHeaders(stream, false, ":status: 200");
        h2.sendContent(stream, false, content);
        h2.expectRst(stream, ErrorCode.CANCEL);
      }
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "still");
    }));
    world.visit(peer -> {
      for (int i = 0; i < 60; i++) {
        world.get(peer).close();
        assertEquals(0, world.inUse());
      }
      assertEquals("still", world.get(peer).string());
    });
  }

  @Test
  void creditForTheStreamComesWithTheReading() throws Exception {
    byte[] window = random(256 * 1024);
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 200");
      h2.sendContent(stream, false, window);
      h2.expectCredit(stream, 1);
      assertTrue(world.now().toSeconds() >= 10, "credit before anybody read");
      h2.sendData(stream, true, "!");
    }));
    world.visit(peer -> {
      Response response = world.get(peer);
      world.network.sleep(Duration.ofSeconds(10));
      assertEquals(window.length + 1, response.bytes().length);
    });
  }

  @Test
  void contentThatIsDiscardedGivesItsCreditBackWhereItArrives() throws Exception {
    int length = 3 * MIB;
    world = worldOfPieces(3);
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      // As much again needs the window of the connection that the first has taken.
      int first = h2.expectHeaders().streamId();
      h2.sendHeaders(first, false, ":status: 200");
      h2.sendContent(first, true, random(length));
      int second = h2.expectHeaders().streamId();
      h2.sendHeaders(second, false, ":status: 200");
      h2.sendContent(second, true, "x".repeat(MIB).getBytes(US_ASCII));
    }));
    world.visit(peer -> {
      Response dropped = world.get(peer);
      assertEquals(length, dropped.body().discard());
      assertEquals("x".repeat(MIB), world.get(peer).string());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void aResetInTheMiddleOfABodyFailsItsReaderAlone() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int broken = h2.expectHeaders().streamId();
      h2.sendHeaders(broken, false, ":status: 200", "content-length: 100");
      h2.sendData(broken, false, "half of");
      int whole = h2.expectHeaders().streamId();
      h2.sendHeaders(whole, false, ":status: 200");
      h2.sendRst(broken, ErrorCode.INTERNAL_ERROR);
      h2.sendData(whole, true, "all of it");
    }));
    world.visit(peer -> {
      Response broken = world.get(peer);
      Response whole = world.get(peer);
      StreamResetException failure = assertThrows(StreamResetException.class, () -> broken.bytes());
      ClientWorld.assertSays(failure, "INTERNAL_ERROR");
      assertEquals("all of it", whole.string());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void theRequestBodyIsClosedAlsoWhenTheCallFails() throws Exception {
    var closed = new AtomicBoolean();
    InputStream endless = new InputStream() {
      @Override
      public int read() {
        return 0;
      }

      @Override
      public void close() {
        closed.set(true);
      }
    };
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.expectData(stream);
      h2.sendRst(stream, ErrorCode.CANCEL);
    }));
    world.visit(peer -> {
      Running call = world.start(Request.post(peer.url("/"), Body.of(endless)));
      world.untilOver(call.outcome());
      assertInstanceOf(StreamResetException.class, call.outcome().exceptionNow());
      assertTrue(closed.get());
    });
  }
}
