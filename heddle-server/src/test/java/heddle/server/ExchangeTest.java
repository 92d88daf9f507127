package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.spi.Attribute;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.ForwardingExchange;
import heddle.testkit.RawConnection;
import heddle.testkit.SimNetwork;
import heddle.testwatch.Conditions;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler sees of an exchange over HTTP/1.1, and how it answers by writing. */
@Timeout(60)
class ExchangeTest {
  private static final Response OK = Response.of(Status.OK);

  private static HttpServer serve(ExchangeHandler handler) throws IOException {
    return serve(handler, UnaryOperator.identity());
  }

  private static HttpServer serve(
      ExchangeHandler handler, UnaryOperator<HttpServer.Builder> options) throws IOException {
    return options.apply(HttpServer.builder().exchangeHandler(handler)).start();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aHandlerSeesItsPeerAndItsConnection() throws Exception {
    ExchangeHandler handler = exchange -> {
      assertEquals(HttpVersion.HTTP_1_1, exchange.version());
      assertTrue(exchange.clientCertificates().isEmpty());
      assertTrue(exchange.tlsSession() == null);
      return Response.ok(exchange.connectionId() + " "
          + ((InetSocketAddress) exchange.remoteAddress()).getAddress().isLoopbackAddress() + " "
          + ((InetSocketAddress) exchange.localAddress()).getPort());
    };
    try (HttpServer server = serve(handler);
        RawPeer one = RawPeer.connect(server);
        RawPeer other = RawPeer.connect(server)) {
      String[] first = one.get("/").answer().body().split(" ");
      assertEquals("true", first[1]);
      assertEquals("" + server.port(), first[2]);
      assertEquals(first[0], one.get("/").answer().body().split(" ")[0]);
      assertFalse(first[0].equals(other.get("/").answer().body().split(" ")[0]));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a?b", "http://example.com/a?b", "HTTPS://example.com:99/a?b"})
  void aHandlerSeesTheTargetThatTheClientHasSent(String target) throws Exception {
    Filter passing = (exchange, next) -> next.handle(new ForwardingExchange(exchange) {});
    ExchangeHandler handler = exchange ->
        Response.ok(exchange.receivedTarget() + " " + exchange.request().target());
    try (HttpServer server = serve(passing.before(handler));
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(target + " /a?b", peer.get(target).answer().body());
    }
  }

  @Test
  void filtersAndHandlersShareAttributes() throws Exception {
    Attribute<String> user = Attribute.of("user", String.class);
    Filter login = (exchange, next) -> {
      exchange.set(user, "Ada");
      return next.handle(exchange);
    };
    try (HttpServer server = serve(login.before(exchange -> Response.ok("" + exchange.get(user))));
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("Ada", peer.get("/").answer().body());
    }
  }

  @Test
  void shortContentGetsALength() throws Exception {
    ExchangeHandler handler = exchange -> {
      try (Writer out = exchange.writer(OK)) {
        out.write("Hello, ");
        out.write("W\u00f6rld!");
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.get("/").answer();
      assertTrue(answer.hasLine("Content-Length: 14"), answer.head());
      assertEquals("Hello, W\u00c3\u00b6rld!", answer.body());
      assertEquals(200, peer.get("/").answer().status());
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16_384, 16_385, 100_000})
  void contentOfAnyLengthArrives(int length) throws Exception {
    String content = "0123456789abcdef".repeat(length / 16 + 1).substring(0, length);
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(OK);
      out.write(content.charAt(0));
      out.write(bytes(content), 1, length - 1);
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.get("/").answer();
      assertEquals(content, answer.body());
      assertEquals(length > 16_384, answer.hasLine("Transfer-Encoding: chunked"), answer.head());
      assertEquals(content, peer.get("/").answer().body());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void flushingSendsWhatWasWritten(boolean returned) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    Body.Writer writer = out -> {
      out.write(bytes("first"));
      out.flush();
      try {
        read.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      out.write(bytes("second"));
    };
    ExchangeHandler handler = exchange -> {
      if (returned) {
        return Response.ok(Body.written(writer));
      }
      writer.writeTo(exchange.begin(OK));
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server).get("/")) {
      for (String line = peer.line(); !line.isEmpty(); line = peer.line()) {
        assertFalse(line.startsWith("Content-Length"), line);
      }
      assertEquals("5", peer.line());
      assertEquals("first", peer.line());
      read.countDown();
      assertEquals("6", peer.line());
      assertEquals("second", peer.line());
      assertEquals("0", peer.line());
    }
  }

  @Test
  void theHeadsContentLengthIsSent() throws Exception {
    Response head =
        Response.builder(Status.CREATED).header("Content-Length", "6").build();
    ExchangeHandler handler = exchange -> {
      try (OutputStream out = exchange.begin(head)) {
        out.write(bytes("abc"));
        out.flush();
        out.write(bytes("def"));
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.get("/").answer();
      assertEquals(201, answer.status());
      assertTrue(answer.hasLine("Content-Length: 6"), answer.head());
      assertEquals("abcdef", answer.body());
      assertEquals(201, peer.get("/").answer().status());
    }
  }

  @ParameterizedTest
  @CsvSource({"5,true", "7,true"})
  void contentThatContradictsItsLengthIsCutOnceItHasBegun(int length, boolean flushed)
      throws Exception {
    Response head =
        Response.builder(Status.OK).header("Content-Length", "" + length).build();
    AtomicReference<IOException> failure = new AtomicReference<>();
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(head);
      try {
        out.write(bytes("abc"));
        out.flush();
        out.write(bytes("def"));
        out.close();
      } catch (IOException e) {
        failure.set(e);
        throw e;
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertThrows(EOFException.class, () -> peer.get("/").answer());
      Conditions.await("the handler has the failure", () -> failure.get() != null);
      String message = failure.get().getMessage();
      assertTrue(message.contains("its Content-Length is " + length), message);
    }
  }

  @Test
  void aHandlerThatFailsBeforeAnythingWasSentIsAnswered500() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.begin(OK).write(bytes("not yet sent"));
      throw new IllegalArgumentException("on purpose");
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.get("/").answer().status());
      assertEquals(500, peer.get("/").answer().status());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHandlerThatFailsLaterCutsItsResponse(boolean returned) throws Exception {
    Body.Writer writer = out -> {
      out.write(bytes("sent"));
      out.flush();
      throw new IOException("on purpose");
    };
    ExchangeHandler handler = exchange -> {
      if (returned) {
        return Response.ok(Body.written(writer));
      }
      writer.writeTo(exchange.begin(OK));
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertThrows(EOFException.class, () -> peer.get("/").answer());
    }
  }

  @Test
  void aWrittenBodyThatFailsBeforeAnythingWasSentIsAnswered500() throws Exception {
    try (HttpServer server = serve(exchange -> Response.ok(Body.written(out -> {
          out.write(1);
          throw new IOException("on purpose");
        })));
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.get("/").answer().status());
      assertEquals(500, peer.get("/").answer().status());
    }
  }

  @Test
  void aResponseReturnedAfterOneWasBegunIsAnError() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.begin(OK);
      return Response.ok("another");
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.get("/").answer().status());
    }
  }

  @Test
  void nullWithoutAResponseIsAnswered500() throws Exception {
    try (HttpServer server = serve(exchange -> null);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(500, peer.get("/").answer().status());
    }
  }

  @Test
  void misuseIsRefusedWithoutHarm() throws Exception {
    ExchangeHandler handler = exchange -> {
      Response interim = Response.of(Status.EARLY_HINTS);
      Response full = Response.ok("body");
      assertThrows(IllegalArgumentException.class, () -> exchange.begin(interim));
      assertThrows(IllegalArgumentException.class, () -> exchange.begin(full));
      assertThrows(
          IllegalArgumentException.class, () -> exchange.interim(Status.OK, Headers.empty()));
      assertThrows(
          IllegalArgumentException.class,
          () -> exchange.interim(Status.SWITCHING_PROTOCOLS, Headers.empty()));
      OutputStream out = exchange.begin(OK);
      assertThrows(IllegalStateException.class, () -> exchange.begin(OK));
      assertThrows(
          IllegalStateException.class, () -> exchange.interim(Status.EARLY_HINTS, Headers.empty()));
      out.write(bytes("fine"));
      out.close();
      out.close();
      assertThrows(IOException.class, () -> out.write(1));
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals("fine", peer.get("/").answer().body());
    }
  }

  @Test
  void headAnswersWithTheLengthOfGetAndNoContent() throws Exception {
    ExchangeHandler handler = exchange -> {
      try (OutputStream out = exchange.begin(OK)) {
        out.write(bytes("Hello!"));
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer head = peer.send("HEAD / HTTP/1.1\r\nHost: t\r\n\r\n").answerToHead();
      assertTrue(head.hasLine("Content-Length: 6"), head.head());
      assertEquals("Hello!", peer.get("/").answer().body());
    }
  }

  @Test
  void aResponseWithoutContentByItsStatusDropsWhatIsWrittenOrReturned() throws Exception {
    ExchangeHandler handler = exchange -> {
      Response head = Response.of(Status.NO_CONTENT);
      if (exchange.request().path().equals("/returned")) {
        return head.withBody(Body.of("dropped"));
      }
      OutputStream out = exchange.begin(head);
      out.write(bytes("dropped"));
      if (exchange.request().path().equals("/flushed")) {
        out.flush();
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      for (String path : new String[] {"/returned", "/written", "/flushed", "/written"}) {
        assertEquals(204, peer.get(path).answer().status(), path);
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void earlyHintsComeBeforeTheResponse() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.interim(Status.EARLY_HINTS, Headers.of("Link", "</style.css>; rel=preload"));
      exchange.interim(Status.CONTINUE, Headers.empty()); // which no one waits for
      return Response.ok("page");
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer hints = peer.get("/").answer();
      assertEquals(103, hints.status());
      assertTrue(hints.hasLine("Link: </style.css>; rel=preload"), hints.head());
      assertEquals("page", peer.answer().body());
      assertEquals(200, peer.send("GET / HTTP/1.0\r\n\r\n").answer().status());
    }
  }

  @Test
  void continueIsSentOnceToAClientThatWaits() throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.interim(Status.CONTINUE, Headers.empty());
      exchange.interim(Status.CONTINUE, Headers.empty());
      return Response.ok(exchange.request().body().string());
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(
          "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n" + "Expect: 100-continue\r\n\r\n");
      assertEquals(100, peer.answer().status());
      peer.send("ok");
      assertEquals("ok", peer.answer().body());
    }
  }

  @Test
  void trailersFollowWrittenContent() throws Exception {
    int[] sum = new int[1];
    Response head = Response.builder(Status.OK)
        .trailers(Trailers.of(() -> Headers.of("Sum", "" + sum[0])))
        .build();
    ExchangeHandler handler = exchange -> {
      try (OutputStream out = exchange.begin(head)) {
        out.write(bytes("abc"));
        sum[0] += 3;
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("GET / HTTP/1.1\r\nHost: t\r\nTE: trailers\r\n\r\n");
      assertEquals("abc[Sum: 3]", peer.answer().body());
    }
  }

  @Test
  void aResponseIsWrittenWhileTheRequestIsRead() throws Exception {
    ExchangeHandler handler = exchange -> {
      try (OutputStream out = exchange.begin(OK)) {
        exchange.request().body().transferTo(out);
      }
      return null;
    };
    try (HttpServer server = serve(handler);
        RawPeer peer = RawPeer.connect(server)) {
      String content = "x".repeat(50_000);
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 50000\r\n\r\n" + content);
      assertEquals(content, peer.answer().body());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET https://a.example/x HTTP/1.1,http://a.example:80 /x",
    "GET http://a.example:81 HTTP/1.1,http://a.example:81 /",
    "OPTIONS http://a.example HTTP/1.1,http://a.example:80 *",
    "OPTIONS * HTTP/1.1,http://t:80 *",
  })
  void theSchemeIsTheConnectionsWhateverTheClientClaims(String line, String seen) throws Exception {
    try (HttpServer server = serve(exchange ->
            Response.ok(exchange.request().origin() + " " + exchange.request().target()));
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(seen, peer.send(line + "\r\nHost: t\r\n\r\n").answer().body());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aClientThatHasGoneInterruptsItsHandlerAndAHalfCloseDoesNot(boolean gone) throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicReference<String> outcome = new AtomicReference<>("none");
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (HttpServer server = serve(
                exchange -> {
                  running.countDown();
                  try {
                    mayEnd.await();
                    outcome.set("ended");
                  } catch (InterruptedException e) {
                    outcome.set("interrupted");
                  }
                  return Response.ok("done");
                },
                builder -> builder.network(network).executor(network.executor()));
            RawConnection client = RawConnection.connect(network, server.address())) {
          client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n");
          running.await();
          if (gone) {
            client.reset();
            while (server.active() > 0) {
              network.sleep(Duration.ofMillis(1));
            }
          } else {
            client.shutdownOutput();
            network.sleep(Duration.ofSeconds(3));
            mayEnd.countDown();
            assertTrue(client.expectHead().startsWith("HTTP/1.1 200 "));
          }
          assertEquals(gone ? "interrupted" : "ended", outcome.get());
        }
      });
    }
  }

  @Test
  void aHandlerThatTakesTooLongIsInterruptedAndAnswered503() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    ExchangeHandler handler = exchange -> {
      if (exchange.request().path().equals("/slow")) {
        never.await();
      }
      return Response.ok("interrupted: " + Thread.currentThread().isInterrupted());
    };
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (HttpServer server = serve(handler, builder -> builder
                .network(network)
                .executor(network.executor())
                .handlerTimeout(Duration.ofSeconds(2)));
            RawPeer peer = RawPeer.connect(server, network)) {
          long begun = network.clock().nanoTime();
          RawPeer.Answer answer = peer.get("/slow").answer();
          assertEquals(503, answer.status());
          assertTrue(answer.hasField("Retry-After"), answer.head());
          assertEquals(2, Duration.ofNanos(network.clock().nanoTime() - begun).toSeconds());
          assertEquals("interrupted: false", peer.get("/fast").answer().body());
        }
      });
    }
  }
}
