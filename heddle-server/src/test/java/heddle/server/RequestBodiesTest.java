package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpException;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.MalformedMessageException;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.ForwardingExchange;
import heddle.server.spi.Handler;
import heddle.testkit.SimNetwork;
import heddle.testwatch.Conditions;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RequestBodiesTest {
  private static final String LARGE = "0123456789abcdef".repeat(64 * 1024);

  private static final Handler ECHO = request -> Response.ok(request.body());

  private static final Handler IGNORE = request -> Response.ok("ignored");

  private static HttpServer serve(Handler handler) throws IOException {
    return HttpServer.builder().handler(handler).start();
  }

  private static String post(String body) {
    return "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String chunked(String... chunks) {
    StringBuilder all =
        new StringBuilder("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (String chunk : chunks) {
      all.append(Integer.toHexString(chunk.length()))
          .append("\r\n")
          .append(chunk)
          .append("\r\n");
    }
    return all + "0\r\n\r\n";
  }

  @Test
  void smallLargeAndChunkedBodiesComeBack() throws IOException {
    try (HttpServer server = serve(ECHO);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("small", peer.send(post("small")).answer().body());
      assertEquals("", peer.send(post("")).answer().body());
      assertEquals("onetwo", peer.send(chunked("one", "two")).answer().body());
      Thread sender = Thread.ofVirtual().start(() -> sendQuietly(peer, post(LARGE)));
      assertEquals(LARGE, peer.answer().body());
      sender.interrupt();
      assertEquals("again", peer.send(post("again")).answer().body());
    }
  }

  private static void sendQuietly(RawPeer peer, String text) {
    try {
      peer.send(text);
    } catch (IOException e) {
      // The test sees it in the answer.
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theContentTypeDecidesTheCharset() throws IOException {
    Handler handler = request -> Response.ok("" + request.body().string().codePointAt(0));
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n"
          + "Content-Type: text/plain; charset=iso-8859-1\r\n\r\n\u00e4");
      assertEquals("228", peer.answer().body());
    }
  }

  @Test
  void trailersAreKnownAfterTheBody() throws IOException {
    Handler handler = request -> {
      String body = request.body().string();
      return Response.ok(body + request.trailers().get().first("Digest"));
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
      peer.send("1\r\na\r\n0\r\nDigest: xyz\r\n\r\n");
      assertEquals("axyz", peer.answer().body());
    }
  }

  @Test
  void anUnreadBodyIsDiscardedAndTheConnectionUsedAgain() throws IOException {
    try (HttpServer server = serve(IGNORE);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(post("x".repeat(40_000)));
      assertEquals("ignored", peer.answer().body());
      peer.send(chunked("x".repeat(20_000), "y".repeat(20_000)));
      assertEquals("ignored", peer.answer().body());
      assertEquals("ignored", peer.get("/").answer().body());
      assertEquals(1, server.connections());
    }
  }

  @Test
  void anUnreadBodyBeyondTheBoundClosesTheConnectionAfterTheAnswer() throws IOException {
    try (HttpServer server = serve(IGNORE);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 10000000\r\n\r\nbeginning");
      RawPeer.Answer answer = peer.answer();
      assertEquals("ignored", answer.body());
      assertTrue(answer.hasLine("Connection: close"), answer.head());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void anEndlessUnreadChunkedBodyIsNotReadForEver() throws IOException {
    try (HttpServer server = serve(IGNORE);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
      assertEquals("ignored", peer.answer().body());
      // Up to 64 KiB that come before the server has noted the end of its answer still belong to a
      // request under way; of the rest it discards as much again.
      String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
      for (int i = 0; i < 16; i++) {
        peer.send(chunk);
      }
      assertEquals("", peer.rest());
    }
  }

  @Test
  void aDeclaredBodyBeyondTheLimitIsAnswered413BeforeTheHandlerRuns() throws IOException {
    AtomicInteger handled = new AtomicInteger();
    Handler handler = request -> Response.ok("" + handled.incrementAndGet());
    try (HttpServer server =
            HttpServer.builder().handler(handler).maxBodyBytes(1000).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1001\r\n\r\n");
      assertEquals(413, peer.answer().status());
      assertEquals("", peer.rest());
      assertEquals(0, handled.get());
    }
  }

  @Test
  void aHandlerCanTellThePeersFaultFromOtherFailures() throws IOException {
    AtomicReference<Status> ofFault = new AtomicReference<>();
    AtomicReference<Status> ofAnother = new AtomicReference<>(Status.OK);
    ExchangeHandler handler = exchange -> {
      try {
        exchange.request().body().bytes();
      } catch (IOException e) {
        Exchange same = new ForwardingExchange(exchange) {};
        ofFault.set(same.statusOfFault(new IOException("cannot read", e)));
        ofAnother.set(exchange.statusOfFault(new IOException("another")));
      }
      return Response.ok("read");
    };
    try (HttpServer server =
            HttpServer.builder().exchangeHandler(handler).maxBodyBytes(1000).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(chunked("x".repeat(1001))).answer();
      assertEquals(Status.CONTENT_TOO_LARGE, ofFault.get());
      assertNull(ofAnother.get());
    }
  }

  @Test
  void aChunkedBodyBeyondTheLimitIsAnswered413() throws IOException {
    Handler handler = request -> Response.ok("" + request.body().bytes().length);
    try (HttpServer server =
            HttpServer.builder().handler(handler).maxBodyBytes(1000).start();
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("1000", peer.send(chunked("x".repeat(1000))).answer().body());
      assertEquals(413, peer.send(chunked("x".repeat(1001))).answer().status());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void aMalformedChunkFailsTheReaderAndIsAnswered400() throws IOException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Handler handler = request -> {
      try {
        return Response.ok(request.body().string());
      } catch (IOException e) {
        failure.set(e);
        throw e;
      }
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
      assertEquals(400, peer.answer().status());
      assertInstanceOf(MalformedMessageException.class, failure.get());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void aFailureOfTheHandlersOwnIsNotBlamedOnThePeer() throws IOException {
    Handler handler = request -> {
      throw new MalformedMessageException(
          MalformedMessageException.Kind.OTHER, "what an upstream server sent", null, null);
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.get("/").answer().status());
    }
  }

  @Test
  void aClientThatGoesInTheMiddleOfABodyFailsTheReader() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CountDownLatch reading = new CountDownLatch(1);
    Handler handler = request -> {
      reading.countDown();
      try {
        return Response.ok(request.body().string());
      } catch (HttpException e) {
        failure.set(e);
        throw e;
      }
    };
    try (HttpServer server = serve(handler)) {
      try (RawPeer peer = RawPeer.connect(server)) {
        peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\nbeginning");
        reading.await();
      }
      Conditions.await("the reader fails", () -> failure.get() != null);
      assertTrue(
          failure.get() instanceof ConnectionLostException
              || failure.get() instanceof MalformedMessageException,
          () -> "" + failure.get());
      Conditions.await("nothing is left", () -> server.active() + server.connections() == 0);
    }
  }

  @Test
  void aSlowReaderSlowsTheClientDown() throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> sendToAReaderWhoWaits(network));
    }
  }

  /** The world's time moves only when nobody can go on: by then the sender is stuck, or done. */
  private static void sendToAReaderWhoWaits(SimNetwork network) throws Exception {
    Handler handler = request -> {
      network.sleep(Duration.ofSeconds(10));
      return Response.ok("" + request.body().bytes(1L << 30).length);
    };
    AtomicLong sent = new AtomicLong();
    int chunks = 500;
    try (HttpServer server = HttpServer.builder()
            .handler(handler)
            .network(network)
            .executor(network.executor())
            .start();
        RawPeer peer = RawPeer.connect(server, network)) {
      String piece = "x".repeat(16 * 1024);
      peer.send(
          "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: " + chunks * piece.length() + "\r\n\r\n");
      network.executor().execute(() -> {
        for (int i = 0; i < chunks; i++) {
          sendQuietly(peer, piece);
          sent.incrementAndGet();
        }
      });
      network.sleep(Duration.ofSeconds(5));
      assertTrue(sent.get() > 0, "nothing was taken");
      assertTrue(sent.get() < chunks, "all was taken though nobody read");
      assertEquals("" + chunks * piece.length(), peer.answer().body());
      assertEquals(chunks, sent.get());
    }
  }

  private static String expecting(int length) {
    return "POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: " + length
        + "\r\n\r\n";
  }

  @Test
  void continueIsSentWhenTheHandlerReads() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    Handler handler = request -> {
      mayRead.await();
      return Response.ok(request.body().string());
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(expecting(4));
      Conditions.await("the handler runs", () -> server.active() == 1);
      assertFalse(peer.hasInput());
      mayRead.countDown();
      assertEquals(100, peer.answer().status());
      assertEquals("body", peer.send("body").answer().body());
      assertEquals("", peer.send(post("")).answer().body());
    }
  }

  @Test
  void continueIsSentBeforeAResponseThatStreamsTheRequest() throws IOException {
    try (HttpServer server = serve(ECHO);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(expecting(4));
      assertEquals(100, peer.answer().status());
      assertEquals("body", peer.send("body").answer().body());
    }
  }

  @Test
  void continueIsNeverSentToABodyThatIsNotRead() throws IOException {
    try (HttpServer server = serve(IGNORE);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.send(expecting(4)).answer();
      assertEquals(200, answer.status());
      assertTrue(answer.hasLine("Connection: close"), answer.head());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void aBodyIsReadOnlyOnce() throws IOException {
    Handler handler = request -> {
      try (InputStream first = request.body().stream()) {
        first.read();
      }
      return Response.ok(request.body());
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.send(chunked("abc")).answer().status());
    }
  }
}
