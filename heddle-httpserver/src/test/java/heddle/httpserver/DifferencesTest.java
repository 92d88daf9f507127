package heddle.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The differences from the JDK's server that the README lists. */
@Timeout(60)
class DifferencesTest {
  private final HttpServer server = create();

  private static HttpServer create() {
    try {
      return Providers.OURS.createHttpServer(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Peer serve(HttpHandler handler) throws IOException {
    server.createContext("/", handler);
    server.start();
    return new Peer(server.getAddress());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "/\u00e4", "/a#b", "a", ""})
  void targetsThatNoRfcAllowsAreAnswered400(String target) throws Exception {
    try (Peer peer = serve(exchange -> Stage.reply(exchange, ""))) {
      assertEquals(400, peer.get(target).answer().status());
    }
  }

  @Test
  void eachRequestHasAVirtualThreadByDefault() throws Exception {
    var both = new CountDownLatch(2);
    HttpHandler handler = exchange -> {
      assertTrue(Thread.currentThread().isVirtual());
      both.countDown();
      Stage.await(both);
      Stage.reply(exchange, "both");
    };
    try (Peer one = serve(handler);
        Peer other = new Peer(server.getAddress())) {
      one.get("/");
      other.get("/");
      assertEquals("both", one.answer().body());
      assertEquals("both", other.answer().body());
    }
  }

  @Test
  void completeContentNeedsNoClose() throws Exception {
    HttpHandler handler = exchange -> {
      exchange.sendResponseHeaders(200, 2);
      exchange.getResponseBody().write(new byte[] {'o', 'k'});
    };
    try (Peer peer = serve(handler)) {
      assertEquals("ok", peer.get("/").answer().body());
      assertEquals("ok", peer.get("/").answer().body());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 5})
  void resetContentHasNoContent(int length) throws Exception {
    HttpHandler handler = exchange -> {
      exchange.sendResponseHeaders(205, length);
      assertThrows(IOException.class, () -> exchange.getResponseBody().write(1));
    };
    try (Peer peer = serve(handler)) {
      for (int i = 0; i < 2; i++) { // The second shows that the first was framed right.
        Peer.Answer answer = peer.get("/").answer();
        assertEquals(205, answer.status());
        assertTrue(answer.has("content-length: 0"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 99, 1000})
  void codesThatAreNoStatusAreRefused(int code) throws Exception {
    HttpHandler handler = exchange -> {
      assertThrows(IllegalArgumentException.class, () -> exchange.sendResponseHeaders(code, -1));
      Stage.reply(exchange, "refused");
    };
    try (Peer peer = serve(handler)) {
      assertEquals("refused", peer.get("/").answer().body());
    }
  }

  @ParameterizedTest
  @CsvSource({"2, content-length: 2", "0, transfer-encoding: chunked"})
  void onlyTheLengthOfTheCallFramesContent(int length, String framing) throws Exception {
    HttpHandler handler = exchange -> {
      exchange.getResponseHeaders().set("Content-Length", "99");
      exchange.getResponseHeaders().set("Transfer-Encoding", "chunked");
      exchange.sendResponseHeaders(200, length);
      exchange.getResponseBody().write(new byte[] {'o', 'k'});
      exchange.close();
    };
    try (Peer peer = serve(handler)) {
      for (int i = 0; i < 2; i++) {
        Peer.Answer answer = peer.get("/").answer();
        assertEquals("ok", answer.body());
        assertEquals(
            List.of(framing),
            answer.fields().stream().filter(each -> !each.startsWith("date: ")).toList());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: a\r\nHost: b",
        "Host:",
        "Host: a b",
        "Content-Length: +1",
      })
  void fieldsThatNoRfcAllowsAreAnswered400(String fields) throws Exception {
    try (Peer peer = serve(exchange -> Stage.reply(exchange, ""))) {
      peer.send("POST / HTTP/1.1\r\n" + fields + "\r\n\r\n");
      assertEquals(400, peer.answer().status());
    }
  }

  @ParameterizedTest
  @CsvSource({"1.2, 200, HTTP/1.1", "2.0, 505,", "3.0, 505,", "0.9, 505,"})
  void onlyVersionsOfHttp1AreServed(String version, int status, String protocol) throws Exception {
    HttpHandler handler = exchange -> Stage.reply(exchange, exchange.getProtocol());
    try (Peer peer = serve(handler)) {
      peer.send("GET / HTTP/" + version + "\r\nHost: test\r\n\r\n");
      Peer.Answer answer = peer.answer();
      assertEquals(status, answer.status());
      if (status == 200) {
        assertEquals(protocol, answer.body());
      }
    }
  }

  @Test
  void contentThatIsTooShortClosesTheConnectionEvenIfTheHandlerGoesOn() throws Exception {
    HttpHandler handler = exchange -> {
      exchange.sendResponseHeaders(200, 2);
      assertThrows(IOException.class, exchange.getResponseBody()::close);
    };
    try (Peer peer = serve(handler)) {
      assertTrue(peer.get("/").isEnded());
    }
  }

  @ParameterizedTest
  @CsvSource({"100", "103"})
  void theFinalResponseFollowsAnInterimOne(int status) throws Exception {
    HttpHandler handler = exchange -> {
      exchange.getResponseHeaders().set("Link", "</a>");
      exchange.sendResponseHeaders(status, -1);
      exchange.getResponseHeaders().remove("Link");
      Stage.reply(exchange, "final");
    };
    try (Peer peer = serve(handler)) {
      Peer.Answer first = peer.get("/").answer();
      if (status != 100) { // No client has asked for that.
        assertEquals(status, first.status());
        assertTrue(first.has("link: </a>"));
        first = peer.answer();
      }
      assertEquals("final", first.body());
      assertFalse(first.has("link: </a>"));
    }
  }

  @ParameterizedTest
  @CsvSource({"207, Multi-Status", "429, Too Many Requests", "299, ''"})
  void statusesHaveTheRegisteredReasons(int status, String reason) throws Exception {
    try (Peer peer = serve(exchange -> exchange.sendResponseHeaders(status, -1))) {
      assertEquals("HTTP/1.1 " + status + " " + reason, peer.get("/").line());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void streamsAreThoseOfTheProtocolThatTheClientOffers(boolean ownThreads) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    if (ownThreads) {
      server.setExecutor(threads);
    }
    HttpHandler handler = exchange -> {
      exchange.getResponseHeaders().set("Upgrade", "echo");
      exchange.sendResponseHeaders(101, 0);
      assertEquals(101, exchange.getResponseCode());
      InputStream in = exchange.getRequestBody();
      OutputStream out = exchange.getResponseBody();
      for (int octet = in.read(); octet != '.'; octet = in.read()) {
        out.write(octet);
      }
      out.close();
    };
    try (Peer peer = serve(handler)) {
      peer.send("GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\na\n");
      Peer.Answer answer = peer.answer();
      assertEquals(101, answer.status());
      assertTrue(answer.has("Upgrade: echo"));
      assertEquals("a", peer.line());
      peer.send("bc\n.");
      assertEquals("bc", peer.line());
      assertTrue(peer.isEnded());
    } finally {
      threads.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Connection: Upgrade\r\nUpgrade: another\r\n"})
  void aProtocolThatTheClientDoesNotOfferIsRefused(String fields) throws Exception {
    HttpHandler handler = exchange -> {
      exchange.getResponseHeaders().set("Upgrade", "echo");
      assertThrows(IOException.class, () -> exchange.sendResponseHeaders(101, 0));
    };
    try (Peer peer = serve(handler)) {
      peer.send("GET / HTTP/1.1\r\nHost: test\r\n" + fields + "\r\n");
      assertTrue(peer.isEnded());
    }
  }

  @Test
  void anExchangeThatNoThreadAnswersEndsWhenItsClientResetsTheConnection() throws Exception {
    var exchanges = new SynchronousQueue<HttpExchange>();
    HttpHandler handler = exchange -> {
      try {
        exchanges.put(exchange);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    };
    Socket socket = new Socket();
    try (Peer peer = serve(handler)) {
      socket.connect(server.getAddress());
      socket.setSoLinger(true, 0);
      new Peer(socket).get("/");
      HttpExchange waiting = exchanges.take();
      socket.close();
      while (!hasEnded(waiting)) {
        Thread.onSpinWait();
      }
      assertThrows(IOException.class, () -> waiting.sendResponseHeaders(200, -1));
      peer.get("/");
      Stage.reply(exchanges.take(), "others go on");
      assertEquals("others go on", peer.answer().body());
    }
  }

  private static boolean hasEnded(HttpExchange exchange) {
    try {
      return exchange.getRequestBody().read() >= 0;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void aHandlerMayStopItsServer() throws Exception {
    HttpHandler handler = exchange -> {
      Stage.reply(exchange, "the last");
      server.stop(5);
    };
    try (Peer peer = serve(handler)) {
      assertEquals("the last", peer.get("/").answer().body());
      assertTrue(peer.isEnded());
    }
  }
}
