package heddle.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Trailers;
import heddle.http.failure.ConnectionLostException;
import heddle.testkit.Direction;
import heddle.testkit.ScriptedPeer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests with content: how it is sent, and what becomes of it when the server has enough. */
@Timeout(60)
class UploadTest {
  private static final String SIX = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";
  private static final String TOO_LARGE =
      "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno";
  private static final String CHUNKED = "POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String ANNOUNCED = CHUNKED.replace("1.1\r\n", "1.1\r\nTrailer: Digest\r\n");
  private static final int MUCH = 2_000_000;

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static Body stream(String content, long length) {
    return Body.of(new ByteArrayInputStream(content.getBytes(ISO_8859_1)), length);
  }

  private String host(ScriptedPeer peer) {
    return "Host: localhost:" + peer.port() + "\r\n";
  }

  /** Posts a body and returns the request as it came. */
  private String posted(Body body, Trailers trailers) throws Exception {
    CompletableFuture<String> came = new CompletableFuture<>();
    CompletableFuture<String> host = new CompletableFuture<>();
    world.serve(c -> {
      came.complete(c.expectMessage());
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      Request request =
          Request.post(peer.url("/p"), body).toBuilder().trailers(trailers).build();
      host.complete(host(peer));
      assertEquals("Hello!", world.client.send(request).string());
      assertEquals(1, world.pool().open());
    });
    return came.get().replace(host.get(), "");
  }

  @Test
  void contentInMemoryIsSentWithItsLength() throws Exception {
    assertEquals(
        "POST /p HTTP/1.1\r\nContent-Type: text/plain;charset=utf-8\r\n"
            + "Content-Length: 2\r\n\r\nab",
        posted(Body.of("ab"), Trailers.none()).replace("; charset", ";charset"));
  }

  @Test
  void emptyPostAnnouncesThatThereIsNothing() throws Exception {
    assertEquals(
        "POST /p HTTP/1.1\r\nContent-Length: 0\r\n\r\n", posted(Body.empty(), Trailers.none()));
  }

  @Test
  void streamOfKnownLengthIsSentAsItIs() throws Exception {
    assertEquals(
        "POST /p HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
        posted(stream("abc", 3), Trailers.none()));
  }

  @Test
  void streamOfUnknownLengthIsSentInChunksWithTrailers() throws Exception {
    Trailers trailers = Trailers.of(Headers.builder().add("Digest", "x").build());
    assertEquals(
        ANNOUNCED + "3\r\nabc\r\n0\r\nDigest: x\r\n\r\n",
        posted(stream("abc", Body.UNKNOWN), trailers));
  }

  @Test
  void publisherIsSentInChunks() throws Exception {
    Body body = Body.of(publisher("ab", "c"), Body.UNKNOWN);
    assertEquals(CHUNKED + "3\r\nabc\r\n0\r\n\r\n", posted(body, Trailers.none()));
  }

  /** Publishes what is asked for on the asking thread. */
  private static Flow.Publisher<ByteBuffer> publisher(String... pieces) {
    return subscriber -> {
      AtomicInteger next = new AtomicInteger();
      subscriber.onSubscribe(new Flow.Subscription() {
        @Override
        public void request(long count) {
          for (long i = 0; i < count && next.get() < pieces.length; i++) {
            String piece = pieces[next.getAndIncrement()];
            subscriber.onNext(ByteBuffer.wrap(piece.getBytes(ISO_8859_1)));
            if (next.get() == pieces.length) {
              subscriber.onComplete();
            }
          }
        }

        @Override
        public void cancel() {}
      });
    };
  }

  // ---- bodies that fail

  private HttpException failureOf(Body body) throws Exception {
    CompletableFuture<HttpException> failure = new CompletableFuture<>();
    world.serve(c -> {
      String came = c.readToEnd();
      assertFalse(came.endsWith("0\r\n\r\n"), came);
    });
    world.visit(peer -> {
      Request request = Request.post(peer.url("/"), body);
      failure.complete(
          assertThrows(HttpException.class, () -> world.client.send(request).close()));
      assertEquals(0, world.pool().open());
    });
    HttpException thrown = failure.get();
    assertEquals(Phase.SEND, thrown.at().phase());
    assertEquals(Sent.UNKNOWN, thrown.at().sent());
    return thrown;
  }

  @Test
  void streamThatIsTooShortFailsAndClosesTheConnection() throws Exception {
    String message = failureOf(stream("abc", 5)).getMessage();
    assertTrue(message.contains("not as long as it says"), message);
    assertTrue(message.contains("3") && message.contains("5"), message);
  }

  @Test
  void streamThatIsTooLongFailsAndClosesTheConnection() throws Exception {
    String message = failureOf(stream("abcdef", 5)).getMessage();
    assertTrue(message.contains("not as long as it says"), message);
    assertTrue(message.contains("6") && message.contains("5"), message);
  }

  @Test
  void streamThatThrowsFailsWithItsReason() throws Exception {
    IOException broken = new IOException("disk on fire");
    AtomicBoolean closed = new AtomicBoolean();
    HttpException failure = failureOf(Body.of(new InputStream() {
      @Override
      public int read() throws IOException {
        throw broken;
      }

      @Override
      public int read(byte[] target, int offset, int count) throws IOException {
        throw broken;
      }

      @Override
      public void close() {
        closed.set(true);
      }
    }));
    assertTrue(failure.getMessage().contains("disk on fire"), failure.getMessage());
    assertEquals(broken, failure.getCause());
    assertTrue(closed.get());
  }

  @Test
  void publisherThatFailsFailsTheCallWithItsReason() throws Exception {
    Flow.Publisher<ByteBuffer> failing = subscriber -> {
      subscriber.onSubscribe(new Flow.Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
      });
      subscriber.onError(new IllegalStateException("no more ink"));
    };
    HttpException failure = failureOf(Body.of(failing, Body.UNKNOWN));
    assertTrue(failure.getMessage().contains("no more ink"), failure.getMessage());
  }

  @Test
  void streamThatThrowsUncheckedGivesItsPlaceBack() throws Exception {
    world.serve(c -> c.readToEnd());
    world.visit(peer -> {
      Body body = Body.replayable(Body.UNKNOWN, () -> {
        throw new IllegalStateException("not now");
      });
      Request request = Request.post(peer.url("/"), body);
      assertThrows(IllegalStateException.class, () -> world.client.send(request));
      assertEquals(0, world.pool().open());
    });
  }

  @Test
  void headThatContradictsTheContentIsRefusedAndGivesItsPlaceBack() throws Exception {
    world.serve(c -> c.expectEnd());
    world.visit(peer -> {
      Request request = Request.post(peer.url("/"), Body.of("ab")).toBuilder()
          .header("Content-Length", "7")
          .build();
      assertThrows(IllegalArgumentException.class, () -> world.client.send(request));
      assertEquals(0, world.pool().open());
    });
  }

  // ---- answers that do not wait for the end of the request

  private void earlyAnswer(Body body, ScriptedPeer.Script script) throws Exception {
    world.serve(script);
    world.visit(peer -> {
      Duration start = world.now();
      Request request = Request.post(peer.url("/"), body);
      try (Response response = world.client.send(request)) {
        assertEquals(413, response.status().code());
        assertEquals("no", response.string());
      }
      Duration took = world.now().minus(start);
      assertTrue(took.toSeconds() < 5, "the answer was handed over after " + took);
      // The thread that was still sending gives up the connection.
      world.until(() -> world.pool().open() == 0);
    });
  }

  @Test
  void answerBeforeTheEndOfAStreamIsReturned() throws Exception {
    earlyAnswer(Body.of(new Endless()), c -> {
      c.expectHead();
      c.send(TOO_LARGE);
      c.readToEnd();
    });
  }

  @Test
  void answerIsReturnedThoughTheServerReadsNoMoreOfAStream() throws Exception {
    world.letServersStopReading(null);
    earlyAnswer(Body.of(new Endless()), c -> {
      c.expectHead();
      c.sleep(Duration.ofSeconds(1));
      c.send(TOO_LARGE);
      c.sleep(Duration.ofMinutes(2));
    });
  }

  @Test
  void answerIsReturnedThoughTheServerReadsNoMoreOfContentInMemory() throws Exception {
    world.letServersStopReading(null);
    earlyAnswer(Body.of(noise(MUCH)), c -> {
      c.expectHead();
      c.sleep(Duration.ofSeconds(1));
      c.send(TOO_LARGE);
      c.sleep(Duration.ofMinutes(2));
    });
  }

  @Test
  void answerBeforeTheEndOfContentInMemoryStopsTheRequest() throws Exception {
    world.letServersStopReading(Duration.ofMillis(20));
    earlyAnswer(Body.of(noise(MUCH)), c -> {
      c.expectHead();
      c.send(TOO_LARGE);
      c.readToEnd();
    });
    long sent = world.network.connections().getFirst().delivered(Direction.TO_SERVER);
    assertTrue(sent < MUCH, "sent " + sent + " bytes of " + MUCH);
  }

  @Test
  void answerIsReturnedThoughTheServerResetsAfterIt() throws Exception {
    world.letServersStopReading(null);
    earlyAnswer(Body.of(noise(MUCH)), c -> {
      c.expectHead();
      c.send(TOO_LARGE);
      c.sleep(Duration.ofMillis(10));
      c.reset();
    });
  }

  @Test
  void answerIsReturnedThoughTheServerClosesAfterIt() throws Exception {
    earlyAnswer(Body.of(noise(MUCH)), c -> {
      c.expectHead();
      c.send(TOO_LARGE);
      c.channel().shutdownOutput();
      c.sleep(Duration.ofMillis(10));
    });
  }

  @Test
  void quickAnswersToWholeRequestsKeepTheConnection() throws Exception {
    byte[] content = noise(600_000);
    world.serve(c -> {
      for (int i = 0; i < 20; i++) {
        c.expectHead();
        assertArrayEquals(content, c.expectBytes(content.length));
        c.send(SIX);
      }
      c.expectEnd();
    });
    world.visit(peer -> {
      for (int i = 0; i < 20; i++) {
        Body body = i % 2 == 0
            ? Body.of(content)
            : Body.of(new ByteArrayInputStream(content), content.length);
        Request request = Request.post(peer.url("/"), body);
        assertEquals("Hello!", world.client.send(request).string());
      }
    });
  }

  @Test
  void silenceCountsFromTheEndOfTheRequest() throws Exception {
    world.close();
    world = new ClientWorld(Timeouts.builder().silence(Duration.ofSeconds(10)).build());
    world.letServersStopReading(Duration.ofSeconds(19));
    world.serve(c -> {
      c.expectHead();
      c.expectBytes(MUCH);
      c.sleep(Duration.ofSeconds(9));
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      Request request = Request.post(peer.url("/"), Body.of(noise(MUCH)));
      assertEquals("Hello!", world.client.send(request).string());
    });
  }

  @Test
  void resetInTheMiddleOfARequestIsNamed() throws Exception {
    // Much less than is to be sent gets through.
    world.network.onConnection(c -> c.stallAfterBytes(Direction.TO_SERVER, 1_000, null));
    world.serve(c -> {
      c.expectHead();
      c.sleep(Duration.ofMillis(10));
      c.reset();
    });
    world.visit(peer -> {
      Request request = Request.post(peer.url("/"), Body.of(noise(MUCH)));
      HttpException failure =
          assertThrows(HttpException.class, () -> world.client.send(request).close());
      assertInstanceOf(ConnectionLostException.class, failure);
      assertEquals(Phase.SEND, failure.at().phase());
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertTrue(world.network.connections().getFirst().delivered(Direction.TO_SERVER) < MUCH);
    });
  }

  /** Gives bytes for ever. */
  private static final class Endless extends InputStream {
    @Override
    public int read() {
      return 'x';
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      Arrays.fill(target, offset, offset + count, (byte) 'x');
      return count;
    }
  }
}
