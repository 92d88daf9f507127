package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.ServerOverloadedException;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.ExchangeSummary;
import heddle.server.spi.ExchangeWatch;
import heddle.server.spi.Filter;
import heddle.server.spi.Upgraded;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What filters learn of the end of a response. */
@Timeout(60)
class ExchangeWatchTest {
  private static final byte[] CONTENT = new byte[100_000];

  private final BlockingQueue<ExchangeSummary> ends = new LinkedBlockingQueue<>();

  private HttpServer serve(ExchangeHandler handler) throws IOException {
    return serve(handler, ends::add);
  }

  private static HttpServer serve(ExchangeHandler handler, Consumer<ExchangeSummary> listener)
      throws IOException {
    Filter filter = (exchange, next) -> ExchangeWatch.answer(exchange, next, listener);
    return HttpServer.builder().exchangeHandler(filter.before(handler)).start();
  }

  private ExchangeSummary end() throws InterruptedException {
    ExchangeSummary end = ends.poll(20, TimeUnit.SECONDS);
    assertTrue(end != null, "no end was seen");
    assertNull(ends.poll(), "there is one end");
    return end;
  }

  @TempDir
  private Path folder;

  private ExchangeHandler answering(String kind) {
    return exchange -> switch (kind) {
      case "file" -> Response.ok(Body.of(Files.write(folder.resolve("content"), CONTENT)));
      case "short" -> Response.ok(Body.of(new byte[5]));
      case "memory" -> Response.ok(Body.of(CONTENT));
      case "stream" -> Response.ok(Body.of(new ByteArrayInputStream(CONTENT)));
      case "length" -> Response.ok(Body.of(new ByteArrayInputStream(CONTENT), CONTENT.length));
      case "written" ->
        Response.ok(Body.written(MediaType.OCTET_STREAM, out -> out.write(CONTENT)));
      case "empty" -> Response.of(Status.OK);
      case "204" -> Response.of(Status.NO_CONTENT).withBody(Body.of(CONTENT));
      default -> {
        OutputStream out = exchange.begin(Response.of(Status.OK));
        out.write(CONTENT);
        if (kind.equals("closed")) {
          out.close();
        }
        yield null;
      }
    };
  }

  @ParameterizedTest
  @CsvSource({
    "short, 5",
    "memory, 100000",
    "stream, 100000",
    "length, 100000",
    "file, 100000",
    "written, 100000",
    "empty, 0",
    "204, 0",
    "begun, 100000",
    "closed, 100000",
  })
  void theContentOfACompleteResponseIsCounted(String kind, long bytes) throws Exception {
    try (HttpServer server = serve(answering(kind));
        RawPeer peer = RawPeer.connect(server)) {
      int status = kind.equals("204") ? 204 : 200;
      assertEquals(status, peer.get("/").answer().status());
      ExchangeSummary end = end();
      assertEquals(status, end.status().code());
      assertEquals(bytes, end.contentBytes());
      assertTrue(end.complete());
      assertNull(end.failure());
      assertTrue(end.elapsed().isPositive());

      peer.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n").answerToHead();
      ExchangeSummary head = end();
      assertEquals(0, head.contentBytes());
      assertTrue(head.complete());
    }
  }

  @Test
  void contentThatAFilterReadsIsCountedOnce() throws Exception {
    Filter outer = (exchange, next) -> {
      Body body = next.handle(exchange).body();
      assertTrue(body.inMemory() != null);
      return Response.ok(Body.of(body.bytes()));
    };
    Filter watch = (exchange, next) -> ExchangeWatch.answer(exchange, next, ends::add);
    ExchangeHandler handler = outer.before(watch.before(answering("short")));
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start();
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(200, peer.get("/").answer().status());
      ExchangeSummary end = end();
      assertEquals(5, end.contentBytes());
      assertTrue(end.complete());
    }
  }

  @ParameterizedTest
  @CsvSource({"IO, 500", "OVERLOAD, 503", "BEGUN, 500"})
  void aHandlerThatFailsHasTheStatusOfItsFailure(String kind, int status) throws Exception {
    IOException failure = kind.equals("OVERLOAD")
        ? new ServerOverloadedException("full", null, null)
        : new IOException("on purpose");
    ExchangeHandler handler = exchange -> {
      if (kind.equals("BEGUN")) {
        exchange.begin(Response.of(Status.OK)).write(1);
      }
      throw failure;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(status, peer.get("/").answer().status());
      ExchangeSummary end = end();
      assertEquals(status, end.status().code());
      assertEquals(failure, end.failure());
      assertEquals(0, end.contentBytes());
      assertTrue(end.complete());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHandlerThatTakesTooLongHasTheStatusOfItsAnswer(boolean hides) throws Exception {
    Filter filter = (exchange, next) -> ExchangeWatch.answer(exchange, next, ends::add);
    ExchangeHandler slow = exchange -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw hides ? new IllegalStateException(e) : e;
      }
      return Response.of(Status.OK);
    };
    try (HttpServer server = HttpServer.builder()
            .exchangeHandler(filter.before(slow))
            .handlerTimeout(Duration.ofMillis(50))
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(503, peer.get("/").answer().status());
      assertEquals(503, end().status().code());
    }
  }

  @Test
  void aFaultOfThePeerHasItsStatus() throws Exception {
    Filter filter = (exchange, next) -> ExchangeWatch.answer(exchange, next, ends::add);
    ExchangeHandler reading =
        exchange -> Response.ok(Body.of(exchange.request().body().bytes()));
    try (HttpServer server = HttpServer.builder()
            .exchangeHandler(filter.before(reading))
            .maxBodyBytes(3)
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
      peer.send("2\r\nab\r\n2\r\nab\r\n0\r\n\r\n");
      assertEquals(413, peer.answer().status());
      assertEquals(413, end().status().code());
    }
  }

  @Test
  void aResponseThatIsCutIsNotComplete() throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(Response.of(Status.OK));
      out.write(1);
      out.flush();
      while (true) {
        out.write(CONTENT);
        out.flush();
      }
    };
    try (HttpServer server = serve(handler)) {
      RawPeer peer = RawPeer.connect(server);
      peer.get("/");
      peer.line();
      peer.close();
      ExchangeSummary end = end();
      assertEquals(200, end.status().code());
      assertFalse(end.complete());
      assertTrue(end.failure() != null);
      assertTrue(end.contentBytes() > 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"NOTHING, 500, 0", "BEGUN, 200, 1", "SENT, 200, 1", "THROWN, 500, 0"})
  void anExchangeThatIsAbortedIsNotComplete(String kind, int status, long bytes) throws Exception {
    IOException failure = new IOException("on purpose");
    ExchangeHandler handler = exchange -> {
      if (kind.equals("BEGUN") || kind.equals("SENT")) {
        OutputStream out = exchange.begin(Response.of(Status.OK));
        out.write(1);
        if (kind.equals("SENT")) {
          out.flush();
        }
      }
      exchange.abort();
      if (kind.equals("THROWN")) {
        throw failure;
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      ExchangeSummary end = end();
      assertEquals(status, end.status().code());
      assertEquals(bytes, end.contentBytes());
      assertFalse(end.complete());
      assertEquals(kind.equals("THROWN") ? failure : null, end.failure());
    }
  }

  @Test
  void aSwitchToAnotherProtocolEndsWithItsHandler() throws Exception {
    ExchangeHandler handler = exchange -> {
      try (Upgraded echo = exchange.switchProtocols("echo", Headers.empty())) {
        echo.output().write(echo.input().read());
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("GET / HTTP/1.1\r\nHost: t\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
      assertEquals(101, peer.answer().status());
      assertNull(ends.poll(), "not before its end");
      peer.send("x");
      ExchangeSummary end = end();
      assertEquals(101, end.status().code());
      assertTrue(end.complete());
    }
  }

  @Test
  void contentThatFailsIsNotComplete() throws Exception {
    IOException failure = new IOException("on purpose");
    InputStream stream = new InputStream() {
      private int count;

      @Override
      public int read() throws IOException {
        if (count++ >= 10) {
          throw failure;
        }
        return 'x';
      }
    };
    try (HttpServer server = serve(exchange -> Response.ok(Body.of(stream)));
        RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      ExchangeSummary end = end();
      assertFalse(end.complete());
    }
    try (HttpServer server = serve(exchange -> Response.ok(Body.written(out -> {
          out.write(CONTENT);
          throw failure;
        })));
        RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      ExchangeSummary end = end();
      assertFalse(end.complete());
      assertEquals(failure, end.failure());
      assertEquals(CONTENT.length, end.contentBytes());
    }
  }

  @Test
  void aListenerThatFailsHarmsNothing() throws Exception {
    Consumer<ExchangeSummary> failing = end -> {
      throw new IllegalStateException("on purpose");
    };
    try (HttpServer server = serve(answering("short"), failing);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(200, peer.get("/").answer().status());
      assertEquals(200, peer.get("/").answer().status());
    }
  }
}
