package heddle.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.spi.Handler;
import heddle.testkit.SimNetwork;
import heddle.testwatch.Conditions;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResponsesTest {
  private static HttpServer serve(Handler handler) throws IOException {
    return HttpServer.builder().handler(handler).start();
  }

  private static InputStream streamOf(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aTextIsSentWithItsLengthTypeAndDate() throws IOException {
    try (HttpServer server = serve(request -> Response.ok("Hello!"));
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.get("/").answer();
      assertEquals(200, answer.status());
      assertEquals("Hello!", answer.body());
      assertTrue(answer.hasLine("Content-Length: 6"), answer.head());
      assertTrue(answer.hasLine("Content-Type: text/plain; charset=utf-8"), answer.head());
      assertTrue(answer.hasField("Date"), answer.head());
      assertFalse(answer.hasField("Connection"), answer.head());
    }
  }

  @Test
  void aConnectionCarriesManyRequests() throws IOException {
    AtomicInteger count = new AtomicInteger();
    try (HttpServer server = serve(request -> Response.ok("" + count.incrementAndGet()));
        RawPeer peer = RawPeer.connect(server)) {
      for (int i = 1; i <= 100; i++) {
        assertEquals("" + i, peer.get("/").answer().body());
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrderOneAtATime() throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> pipeline(network));
    }
  }

  /** Time moves only when nobody can go on: requests that may run together do, and are seen. */
  private static void pipeline(SimNetwork network) throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Handler handler = request -> {
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
      network.sleep(Duration.ofMillis(2));
      running.decrementAndGet();
      return Response.ok(request.path() + request.body().string());
    };
    try (HttpServer server = HttpServer.builder()
            .handler(handler)
            .network(network)
            .executor(network.executor())
            .start();
        RawPeer peer = RawPeer.connect(server, network)) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 50; i++) {
        all.append("GET /" + i + " HTTP/1.1\r\nHost: t\r\n\r\n");
        all.append("POST /" + i + " HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\n:p");
      }
      peer.send(all.toString());
      for (int i = 0; i < 50; i++) {
        assertEquals("/" + i, peer.answer().body());
        assertEquals("/" + i + ":p", peer.answer().body());
      }
      assertEquals(1, most.get());
    }
  }

  @Test
  void moreThanTheBoundOfPipelinedInputIsAnsweredWhole() throws Exception {
    try (HttpServer server = serve(request -> Response.ok(request.path()));
        RawPeer peer = RawPeer.connect(server)) {
      int count = 5_000;
      Thread sender = Thread.ofVirtual().start(() -> {
        try {
          for (int i = 0; i < count; i++) {
            peer.get("/" + i);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      for (int i = 0; i < count; i++) {
        assertEquals("/" + i, peer.answer().body());
      }
      sender.join();
    }
  }

  @Test
  void aRequestThatComesByteByByteIsAnswered() throws IOException {
    try (HttpServer server = serve(request -> Response.ok(request.body().string()));
        RawPeer peer = RawPeer.connect(server)) {
      String head = "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n";
      String request = head.concat("5\r\nhello\r\n0\r\n\r\n");
      for (int i = 0; i < request.length(); i++) {
        peer.send(request.substring(i, i + 1));
      }
      assertEquals("hello", peer.answer().body());
    }
  }

  @Test
  void headIsAnsweredWithTheLengthAndWithoutTheBody() throws IOException {
    try (HttpServer server = serve(request -> Response.ok("Hello!"));
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.send("HEAD / HTTP/1.1\r\nHost: t\r\n\r\n").answerToHead();
      assertEquals(200, answer.status());
      assertTrue(answer.hasLine("Content-Length: 6"), answer.head());
      assertEquals("Hello!", peer.get("/").answer().body());
    }
  }

  @Test
  void aStreamOfUnknownLengthIsChunkedAndTheConnectionPersists() throws IOException {
    try (HttpServer server = serve(request -> Response.ok(Body.of(streamOf("streamed"))));
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.get("/").answer();
      assertTrue(answer.hasLine("Transfer-Encoding: chunked"), answer.head());
      assertEquals("streamed", answer.body());
      assertEquals("streamed", peer.get("/").answer().body());
    }
  }

  @Test
  void trailersFollowAChunkedBody() throws IOException {
    Handler handler = request -> Response.builder(Status.OK)
        .body(Body.of("text"))
        .trailers(Trailers.of(Headers.of("Digest", "abc")))
        .build();
    String withTrailers = "GET / HTTP/1.1\r\nHost: t\r\nTE: trailers\r\n\r\n";
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("text[Digest: abc]", peer.send(withTrailers).answer().body());
      assertEquals("text[Digest: abc]", peer.send(withTrailers).answer().body());
    }
  }

  @Test
  void http10GetsAStreamUntilTheConnectionCloses() throws IOException {
    try (HttpServer server = serve(request -> Response.ok(Body.of(streamOf("streamed"))));
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer =
          peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answer();
      assertFalse(answer.hasField("Transfer-Encoding"), answer.head());
      assertEquals("streamed", answer.body());
    }
  }

  @Test
  void http10IsClosedAfterTheAnswerUnlessItAsksToBeKept() throws IOException {
    try (HttpServer server = serve(request -> Response.ok("x"));
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer kept =
          peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answer();
      assertTrue(kept.hasLine("Connection: keep-alive"), kept.head());
      assertEquals("x", peer.send("GET / HTTP/1.0\r\n\r\n").answer().body());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void theConnectionIsClosedWhenTheClientAsksForIt() throws IOException {
    try (HttpServer server = serve(request -> Response.ok("x"));
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer =
          peer.send("GET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n").answer();
      assertTrue(answer.hasLine("Connection: close"), answer.head());
      assertEquals("", peer.rest());
      peer.hangUp();
      Conditions.await("the connection is given up", () -> server.connections() == 0);
    }
  }

  @Test
  void aClientThatEndsItsOutputIsStillAnswered() throws IOException {
    try (HttpServer server = serve(request -> Response.ok(request.path()));
        RawPeer peer = RawPeer.connect(server)) {
      peer.get("/a").get("/b").finish();
      assertEquals("/a", peer.answer().body());
      assertEquals("/b", peer.answer().body());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void noContentAndNotModifiedHaveNoBody() throws IOException {
    Handler handler = request ->
        Response.of(request.path().equals("/204") ? Status.NO_CONTENT : Status.NOT_MODIFIED);
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer noContent = peer.get("/204").answer();
      assertEquals(204, noContent.status());
      assertFalse(noContent.hasField("Content-Length"), noContent.head());
      assertEquals(304, peer.get("/304").answer().status());
      assertEquals(204, peer.get("/204").answer().status());
    }
  }

  @Test
  void aHandlerThatThrowsIsAnswered500WithoutDetailsAndTheConnectionPersists() throws IOException {
    Handler handler = request -> {
      throw new IllegalStateException("secret detail");
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.get("/").answer();
      assertEquals(500, answer.status());
      assertFalse((answer.head() + answer.body()).contains("secret"), answer.body());
      assertEquals(500, peer.get("/").answer().status());
    }
  }

  @Test
  void aResponseThatCannotBeSentIsAnswered500() throws IOException {
    Handler handler = request -> switch (request.path()) {
      case "/interim" -> Response.of(Status.CONTINUE);
      default ->
        Response.builder(Status.OK)
            .headers(Headers.of("Content-Length", "9"))
            .body(Body.of("four"))
            .build();
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.get("/interim").answer().status());
      assertEquals(500, peer.get("/contradicting").answer().status());
    }
  }

  @Test
  void aBodyShorterThanDeclaredCutsTheConnection() throws IOException {
    Handler handler = request -> Response.ok(new DeclaredBody(10, "four"));
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      assertThrows(EOFException.class, peer::answer);
    }
  }

  @Test
  void aBodyLongerThanDeclaredCutsTheConnection() throws IOException {
    Handler handler = request -> Response.ok(new DeclaredBody(3, "four"));
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      assertThrows(IOException.class, () -> {
        RawPeer.Answer answer = peer.answer();
        assertEquals(500, answer.status());
        throw new IOException("nothing of the lie was sent");
      });
    }
  }

  @Test
  void streamsAreClosedOnceWhateverBecomesOfThem() throws Exception {
    Semaphore closed = new Semaphore(0);
    Handler handler = request -> {
      byte[] content = new byte[request.path().equals("/short") ? 99_999 : 100_000];
      return Response.ok(Body.of(new ClosedStream(content, closed), 100_000));
    };
    try (HttpServer server = serve(handler)) {
      try (RawPeer peer = RawPeer.connect(server)) {
        assertEquals(100_000, peer.get("/").answer().body().length());
        assertTrue(closed.tryAcquire(20, SECONDS), "closed after its last byte");
        peer.send("HEAD / HTTP/1.1\r\nHost: t\r\n\r\n").answerToHead();
        assertTrue(closed.tryAcquire(20, SECONDS), "closed without being read");
        peer.get("/short");
        assertThrows(EOFException.class, peer::answer);
        assertTrue(closed.tryAcquire(20, SECONDS), "closed after its failure");
      }
    }
    assertEquals(0, closed.availablePermits(), "closed more than once");
  }

  @Test
  void aResponseIsClosedOnceWhateverBecomesOfIt() throws Exception {
    Semaphore closed = new Semaphore(0);
    Handler handler = request -> Response.ok(new DeclaredBody(4, "four") {
      @Override
      public void close() {
        closed.release();
      }

      @Override
      public InputStream stream() throws IOException {
        if (request.path().equals("/broken")) {
          throw new IOException("broken");
        }
        return super.stream();
      }
    });
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("four", peer.get("/").answer().body());
      assertTrue(closed.tryAcquire(20, SECONDS), "closed after its last byte");
      assertEquals(500, peer.get("/broken").answer().status());
      assertTrue(closed.tryAcquire(20, SECONDS), "closed after its failure");
    }
    assertEquals(0, closed.availablePermits(), "closed more than once");
  }

  @Test
  void theRequestNamesItsOriginFromHostOrFromTheTarget() throws IOException {
    Handler handler = request -> Response.ok(request.origin() + " " + request.target());
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("http://test:80 /a?b", peer.get("/a?b").answer().body());
      peer.send("GET / HTTP/1.1\r\nHost: Example.org:81\r\n\r\n");
      assertEquals("http://example.org:81 /", peer.answer().body());
      peer.send("GET http://other:82/x?y HTTP/1.1\r\nHost: ignored\r\n\r\n");
      assertEquals("http://other:82 /x?y", peer.answer().body());
      peer.send("GET / HTTP/1.1\r\nHost: [::1]:83\r\n\r\n");
      assertEquals("http://[::1]:83 /", peer.answer().body());
    }
  }

  @Test
  void aLargeBodyInMemoryArrivesWhole() throws IOException {
    String large = "0123456789abcdef".repeat(200_000);
    try (HttpServer server = serve(request -> Response.ok(large));
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(large, peer.get("/").answer().body());
      assertEquals(large, peer.get("/").answer().body());
    }
  }

  @Test
  void theHandlerRunsOnAVirtualThreadOfItsOwn() throws IOException {
    Handler handler = request -> Response.ok("" + Thread.currentThread().isVirtual());
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("true", peer.get("/").answer().body());
      assertNotNull(server.address());
      assertEquals(0, server.active());
      assertEquals(1, server.peakActive());
    }
  }

  /** A body that says one length and gives what it likes. */
  private static class DeclaredBody extends Body {
    private final long declared;
    private final String content;

    DeclaredBody(long declared, String content) {
      this.declared = declared;
      this.content = content;
    }

    @Override
    public long length() {
      return declared;
    }

    @Override
    public boolean isReplayable() {
      return false;
    }

    @Override
    public InputStream stream() throws IOException {
      return streamOf(content);
    }
  }
}
