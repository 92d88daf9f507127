package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Limits;
import heddle.http.Response;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.RefusedRequest;
import heddle.testkit.Http2Peer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a handler learns of requests that it does not get. */
@Timeout(60)
class RefusedRequestsTest {
  private static final Limits LIMITS = new Limits(2000, 20, 500, 500, 8);
  private static final Duration SHORT = Duration.ofMillis(100);

  private final Recorder recorder = new Recorder();

  /** Answers with the length of the content, once it may. */
  private static final class Recorder implements ExchangeHandler {
    private final BlockingQueue<RefusedRequest> refused = new LinkedBlockingQueue<>();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @Override
    public Response handle(Exchange exchange) throws Exception {
      if (exchange.request().path().equals("/wait")) {
        mayAnswer.await();
      }
      return Response.ok("" + exchange.request().body().discard());
    }

    @Override
    public void refused(RefusedRequest request) {
      refused.add(request);
    }

    RefusedRequest next() throws InterruptedException {
      RefusedRequest next = refused.poll(20, TimeUnit.SECONDS);
      assertNotNull(next, "no request was refused");
      return next;
    }

    /** Returns the one request that was refused. */
    RefusedRequest expect(int status, String line) throws InterruptedException {
      RefusedRequest next = next();
      assertEquals(line, next.requestLine());
      assertEquals(status, next.status() == null ? 0 : next.status().code());
      assertNull(refused.poll(), "a request is refused once");
      return next;
    }
  }

  private HttpServer start(UnaryOperator<HttpServer.Builder> options) throws IOException {
    HttpServer.Builder builder =
        HttpServer.builder().headLimits(LIMITS).maxBodyBytes(100).exchangeHandler(recorder);
    return options.apply(builder).start();
  }

  private HttpServer start() throws IOException {
    return start(UnaryOperator.identity());
  }

  // ---- HTTP/1.1

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "400 | nonsense~~ | nonsense",
        "400 | ~GET  / HTTP/1.1~~ | GET  / HTTP/1.1",
        "400 | GET /a b HTTP/1.1~Host: a~~ | GET /a b HTTP/1.1",
        "400 | GET nopath HTTP/1.1~Host: a~~ | GET nopath HTTP/1.1",
        "400 | GET /a?b HTTP/1.1~Host: a~Host: b~~ | GET /a?b HTTP/1.1",
        "400 | GET /a HTTP/1.1~~ | GET /a HTTP/1.1",
        "400 | POST /a HTTP/1.0~Content-Length: 1~Content-Length: 2~~ | POST /a HTTP/1.0",
        "400 | GET ftp://a/b HTTP/1.1~Host: a~~ | GET ftp://a/b HTTP/1.1",
        "431 | GET /a HTTP/1.1~Host: a~a:~a:~a:~a:~a:~a:~a:~a:~a:~a:~"
            + "a:~a:~a:~a:~a:~a:~a:~a:~a:~a:~~"
            + " | GET /a HTTP/1.1",
        "413 | POST /a HTTP/1.1~Host: a~Content-Length: 101~~ | POST /a HTTP/1.1",
        "501 | CONNECT a:1 HTTP/1.1~Host: a:1~~ | CONNECT a:1 HTTP/1.1",
        "505 | GET /a HTTP/2.0~Host: a~~ | GET /a HTTP/2.0",
        "0 | INVALID CONNECTION PREFACE~~ | INVALID CONNECTION PREFACE"
      })
  void aMalformedOrTooLargeRequestIsReportedWhetherItComesWholeOrInBytes(
      int status, String request, String line) throws Exception {
    String text = request.replace("~", "\r\n");
    try (HttpServer server = start()) {
      try (RawPeer peer = RawPeer.connect(server)) {
        peer.send(text);
        if (status == 0) {
          assertEquals("", peer.rest());
        } else {
          assertEquals(status, peer.answer().status());
        }
        assertAddress(recorder.expect(status, line));
      }
      try (RawPeer peer = RawPeer.connect(server)) {
        assertEquals(200, peer.get("/").answer().status());
        sendBytes(peer, text);
        recorder.expect(status, line);
      }
    }
  }

  private static void assertAddress(RefusedRequest request) {
    InetSocketAddress address = (InetSocketAddress) request.remoteAddress();
    assertTrue(address.getAddress().isLoopbackAddress(), address::toString);
  }

  /** The server may close before it has all of them. */
  private static void sendBytes(RawPeer peer, String text) {
    try {
      for (char c : text.toCharArray()) {
        peer.send("" + c);
      }
    } catch (IOException e) {
      assertNotNull(e.getMessage());
    }
  }

  @Test
  void bytesOfAnotherProtocolAreReportedAsTheyCame() throws Exception {
    try (HttpServer server = start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("\u0016\u0003\u0001\u00ff\r\n");
      assertEquals(400, peer.answer().status());
      recorder.expect(400, "\u0016\u0003\u0001\u00ff");
    }
  }

  @Test
  void aTooLongRequestLineIsReportedCut() throws Exception {
    try (HttpServer server = start(options -> options.headLimits(Limits.SERVER_DEFAULTS));
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("GET /" + "a".repeat(9000) + " HTTP/1.1\r\n");
      assertEquals(414, peer.answer().status());
      recorder.expect(414, "GET /" + "a".repeat(2043));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "GET /slo | GET /slo",
        "GET /slow HTTP/1.1~Ho | GET /slow HTTP/1.1",
        "POST /slow HTTP/1.1~Host: a~Content-Length: 2~~a | POST /slow HTTP/1.1"
      })
  void aRequestThatDoesNotComeInTimeIsReported(String request, String line) throws Exception {
    try (HttpServer server = start(options -> options.headTimeout(SHORT).bodyTimeout(SHORT));
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(request.replace("~", "\r\n"));
      assertEquals(408, peer.answer().status());
      recorder.expect(408, line);
    }
  }

  @Test
  void aConnectionOrRequestTooManyIsReported() throws Exception {
    try (HttpServer server = start(options -> options.maxConnections(2).maxRequests(1));
        RawPeer first = RawPeer.connect(server);
        RawPeer second = RawPeer.connect(server)) {
      second.get("/");
      assertEquals(200, second.answer().status());
      first.get("/wait");
      while (server.active() == 0) {
        Thread.onSpinWait();
      }
      second.send("GET /more HTTP/1.1\r\nHost: a\r\nUser-Agent: test\r\n\r\n");
      assertEquals(503, second.answer().status());
      RefusedRequest refused = recorder.expect(503, "GET /more HTTP/1.1");
      assertEquals("test", refused.headers().first(HeaderName.USER_AGENT));
      try (RawPeer third = RawPeer.connect(server)) {
        assertEquals(503, third.get("/").answer().status());
        recorder.expect(503, "");
      }
      recorder.mayAnswer.countDown();
    }
  }

  @Test
  void aRequestThatTheExecutorRejectsIsReported() throws Exception {
    try (HttpServer server = start(options -> options.executor(task -> {
          throw new RejectedExecutionException("full");
        }));
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(503, peer.get("/a").answer().status());
      recorder.expect(503, "GET /a HTTP/1.1");
    }
  }

  @Test
  void answeredRequestsAreNotReported() throws Exception {
    try (HttpServer server = start();
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(200, peer.get("/a").answer().status());
      peer.send("POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n");
      assertEquals(400, peer.answer().status(), "the handler has read the content");
    }
    assertTrue(recorder.refused.isEmpty());
  }

  // ---- the handler

  @Test
  void allAreReportedBeforeTheServerIsClosed() throws Exception {
    CountDownLatch closes = new CountDownLatch(1);
    List<String> seen = new ArrayList<>();
    ExchangeHandler slow = new ExchangeHandler() {
      @Override
      public Response handle(Exchange exchange) {
        return Response.ok(Body.empty());
      }

      @Override
      public void refused(RefusedRequest request) {
        try {
          closes.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        seen.add(request.requestLine());
        throw new IllegalStateException("on purpose");
      }
    };
    HttpServer server = HttpServer.builder().exchangeHandler(slow).start();
    for (String line : List.of("a", "b", "c")) {
      try (RawPeer peer = RawPeer.connect(server)) {
        assertEquals(400, peer.send(line + "\r\n\r\n").answer().status());
      }
    }
    Thread closing = Thread.ofVirtual().start(server::close);
    assertFalse(closing.join(SHORT), "closed before its handler was told");
    closes.countDown();
    closing.join();
    assertEquals(List.of("a", "b", "c"), seen);
  }

  // ---- HTTP/2

  private void play(UnaryOperator<HttpServer.Builder> options, Http2World.Script script)
      throws Exception {
    Http2World.play(
        request -> Response.ok(""),
        builder ->
            options.apply(builder.headLimits(LIMITS).maxBodyBytes(100).exchangeHandler(recorder)),
        (world, client) -> {
          client.handshake();
          script.run(world, client);
        });
  }

  @Test
  void requestsOfHttp2ThatAreAnsweredByTheServerAreReported() throws Exception {
    play(UnaryOperator.identity(), (world, client) -> {
      client.sendRequest(1, "GET", "/" + "a".repeat(600), true, "user-agent: test");
      client.expectResponse(1, 414);
      RefusedRequest refused = recorder.expect(414, "GET /" + "a".repeat(600) + " HTTP/2");
      assertEquals("test", refused.headers().first(HeaderName.USER_AGENT));
      client.sendRequest(3, "POST", "/a", false, "content-length: 101");
      client.expectResponse(3, 413);
      recorder.expect(413, "POST /a HTTP/2");
      client.expectRst(3, ErrorCode.NO_ERROR);
      client.send(Http2Peer.headers(5, true, ":method: CONNECT", ":authority: a:1"));
      client.expectResponse(5, 501);
      recorder.expect(501, "CONNECT a:1 HTTP/2");
      client.sendRequest(7, "GET", "/b", true, "x: " + "y".repeat(3000));
      client.expectResponse(7, 431);
      recorder.expect(431, "GET /b HTTP/2");
      client.sendGet(9, "/");
      client.expectResponse(9, 200);
    });
    assertTrue(recorder.refused.isEmpty());
  }

  @Test
  void malformedRequestsOfHttp2AreReportedWithoutStatus() throws Exception {
    play(UnaryOperator.identity(), (world, client) -> {
      client.sendRequest(1, "GET", "/a", true, "Upper: case");
      client.expectRst(1, ErrorCode.PROTOCOL_ERROR);
      recorder.expect(0, "GET /a HTTP/2");
      client.send(Http2Peer.headers(3, true, ":scheme: http", ":path: /b"));
      client.expectRst(3, ErrorCode.PROTOCOL_ERROR);
      recorder.expect(0, "- /b HTTP/2");
      client.send(
          Http2Peer.headers(
              5,
              false,
              ":method: POST",
              ":scheme: http",
              ":authority: a",
              ":path: /c",
              "content-length: 2"),
          Http2Peer.data(5, true, "a"));
      client.expectRst(5, ErrorCode.PROTOCOL_ERROR);
      recorder.expect(0, "POST /c HTTP/2");
    });
  }

  @Test
  void streamsTooManyAreReportedWithoutStatus() throws Exception {
    play(options -> options.http2MaxStreams(1), (world, client) -> {
      client.sendGet(1, "/wait");
      client.sendGet(3, "/open");
      client.expectRst(3, ErrorCode.REFUSED_STREAM);
      recorder.expect(0, "GET /open HTTP/2");
      client.sendRst(1, ErrorCode.CANCEL);
      recorder.mayAnswer.countDown();
    });
  }

  @Test
  void requestsOfHttp2AboveTheLimitOfAllAreReported() throws Exception {
    play(options -> options.maxRequests(1), (world, client) -> {
      client.sendGet(1, "/wait");
      client.sendGet(3, "/more");
      client.expectResponse(3, 503);
      recorder.expect(503, "GET /more HTTP/2");
      recorder.mayAnswer.countDown();
      client.expectResponse(1, 200);
    });
  }

  @Test
  void whatTheMemoryBudgetRefusesIsReported() throws Exception {
    UnaryOperator<HttpServer.Builder> small =
        options -> options.memoryBudget(1 << 16).maxBodyBytes(1 << 20).maxRequests(99);
    play(small, (world, client) -> {
      RawPeer early = RawPeer.connect(world.server, world.network);
      assertEquals(200, early.get("/").answer().status());
      try (Http2Peer holder = world.connect()) {
        holder.handshake();
        holder.sendRequest(1, "POST", "/wait", false);
        holder.sendContent(1, false, new byte[60_000]);
        world.await(
            "the budget is used up",
            () -> world.server.memoryHeld() >= world.server.memoryBudget());

        client.sendGet(1, "/stream");
        client.expectRst(1, ErrorCode.REFUSED_STREAM);
        recorder.expect(0, "GET /stream HTTP/2");
        assertEquals(503, early.get("/a").answer().status());
        recorder.expect(503, "GET /a HTTP/1.1");
        early.send("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n");
        assertEquals(503, early.answer().status());
        recorder.expect(503, "POST /b HTTP/1.1");
        try (RawPeer late = RawPeer.connect(world.server, world.network)) {
          assertEquals(503, late.get("/").answer().status());
          recorder.expect(503, "");
        }
      }
      recorder.mayAnswer.countDown();
      early.close();
    });
  }

  @Test
  void aHeadOfHttp2ThatDoesNotComeInTimeIsReported() throws Exception {
    play(UnaryOperator.identity(), (world, client) -> {
      client.send(new Frame.Headers(
          1, true, false, Http2Peer.block(":method: GET", ":scheme: http", ":path: /")));
      client.expectGoAway(ErrorCode.ENHANCE_YOUR_CALM);
      recorder.expect(0, "");
    });
  }
}
