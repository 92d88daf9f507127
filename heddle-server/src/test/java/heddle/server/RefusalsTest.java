package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Limits;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testwatch.Conditions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalsTest {
  private static final Duration SHORT = Duration.ofMillis(100);

  private static final Handler HELLO = request -> Response.ok("Hello!");

  private static void assertServes(HttpServer server) throws IOException {
    try (RawPeer peer = RawPeer.connect(server)) {
      assertEquals("Hello!", peer.get("/").answer().body());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "400 | nonsense~~",
        "400 | GET / HTTP/1.1~~",
        "400 | GET / HTTP/1.1~Host: a~Host: b~~",
        "400 | GET / HTTP/1.1~Host : a~~",
        "400 | GET nopath HTTP/1.1~Host: a~~",
        "400 | POST / HTTP/1.1~Host: a~Content-Length: 1~Content-Length: 2~~",
        "400 | POST / HTTP/1.1~Host: a~Content-Length: 1~Transfer-Encoding: chunked~~",
        "501 | POST / HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked~~",
        "501 | CONNECT a:1 HTTP/1.1~Host: a:1~~",
        "505 | GET / HTTP/2.0~Host: a~~"
      })
  void aRequestThatIsNoneIsRefusedAndTheConnectionClosed(int status, String request)
      throws IOException {
    try (HttpServer server = HttpServer.builder().handler(HELLO).start()) {
      try (RawPeer peer = RawPeer.connect(server)) {
        RawPeer.Answer answer = peer.send(request.replace("~", "\r\n")).answer();
        assertEquals(status, answer.status());
        assertTrue(answer.hasLine("Connection: close"), answer.head());
        assertTrue(answer.hasField("Date"), answer.head());
        assertEquals("", peer.rest());
      }
      assertServes(server);
    }
  }

  @Test
  void tooLongATargetIsAnswered414AndTooLargeAHead431() throws IOException {
    try (HttpServer server = HttpServer.builder()
        .handler(HELLO)
        .headLimits(new Limits(2000, 20, 500, 500, 8))
        .start()) {
      try (RawPeer peer = RawPeer.connect(server)) {
        assertEquals(414, peer.get("/" + "a".repeat(600)).answer().status());
      }
      try (RawPeer peer = RawPeer.connect(server)) {
        peer.send("GET / HTTP/1.1\r\nHost: t\r\nA: " + "a".repeat(3000) + "\r\n\r\n");
        assertEquals(431, peer.answer().status());
      }
      try (RawPeer peer = RawPeer.connect(server)) {
        peer.send("GET / HTTP/1.1\r\nHost: t\r\n" + "A: a\r\n".repeat(30) + "\r\n");
        assertEquals(431, peer.answer().status());
      }
      assertServes(server);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "200,8100,0",
    "414,8200,0",
    "414,20000,0",
    "200,1,16000",
    "431,1,16400",
    "431,8100,8300"
  })
  void aServerTakesHeadsOf16KiBAndRequestLinesOf8KiBByDefault(int status, int target, int field)
      throws IOException {
    try (HttpServer server = HttpServer.builder().handler(HELLO).start()) {
      try (RawPeer peer = RawPeer.connect(server)) {
        peer.send("GET /" + "a".repeat(target - 1) + " HTTP/1.1\r\nHost: t\r\nA: "
            + "a".repeat(field) + "\r\n\r\n");
        assertEquals(status, peer.answer().status());
      }
      assertServes(server);
    }
  }

  /** RFC 9113 §3.4: an answer in HTTP/1.1 would mean nothing to whoever tried to begin HTTP/2. */
  @Test
  void aPeerThatSpeaksAnotherProtocolIsNotAnswered() throws IOException {
    try (HttpServer server = HttpServer.builder().handler(HELLO).start()) {
      try (RawPeer peer = RawPeer.connect(server)) {
        peer.send("INVALID CONNECTION PREFACE\r\n\r\n");
        assertEquals("", peer.rest());
      }
      assertServes(server);
    }
  }

  @Test
  void theRefusalFollowsTheAnswersToWhatWasPipelinedBeforeIt() throws IOException {
    try (HttpServer server = HttpServer.builder().handler(HELLO).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("GET / HTTP/1.1\r\nHost: t\r\n\r\nnonsense\r\n\r\n");
      assertEquals(200, peer.answer().status());
      assertEquals(400, peer.answer().status());
      assertEquals("", peer.rest());
    }
  }

  @Test
  void aPeerThatDoesNotReadIsCut() throws IOException {
    String large = "x".repeat(64 << 20);
    try (HttpServer server = HttpServer.builder()
            .handler(request -> Response.ok(large))
            .writeTimeout(SHORT)
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      Conditions.await("the request runs", () -> server.peakActive() == 1);
      Conditions.await("the peer is given up", () -> server.active() + server.connections() == 0);
    }
  }

  @Test
  void oneConnectionTooManyIsAnswered503AndClosed() throws IOException {
    try (HttpServer server =
        HttpServer.builder().handler(HELLO).maxConnections(1).start()) {
      try (RawPeer first = RawPeer.connect(server)) {
        assertEquals("Hello!", first.get("/").answer().body());
        try (RawPeer second = RawPeer.connect(server)) {
          RawPeer.Answer answer = second.get("/").answer();
          assertEquals(503, answer.status());
          assertTrue(answer.hasField("Retry-After"), answer.head());
          assertEquals("", second.rest());
        }
        assertEquals("Hello!", first.get("/").answer().body());
      }
      Conditions.await("there is room again", () -> server.connections() == 0);
      assertServes(server);
    }
  }

  @Test
  void oneRequestTooManyIsAnswered503AndTheConnectionPersists() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    Handler handler = request -> {
      mayAnswer.await();
      return Response.ok("Hello!");
    };
    try (HttpServer server =
            HttpServer.builder().handler(handler).maxRequests(1).start();
        RawPeer first = RawPeer.connect(server);
        RawPeer second = RawPeer.connect(server)) {
      first.get("/");
      Conditions.await("the first runs", () -> server.active() == 1);
      RawPeer.Answer refused = second.get("/").answer();
      assertEquals(503, refused.status());
      assertTrue(refused.hasField("Retry-After"), refused.head());
      assertFalse(refused.hasField("Connection"), refused.head());
      mayAnswer.countDown();
      assertEquals("Hello!", first.answer().body());
      assertEquals("Hello!", second.get("/").answer().body());
    }
  }

  @Test
  void anExecutorThatRejectsIsAnswered503() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    try (HttpServer server = HttpServer.builder()
            .handler(HELLO)
            .executor(task -> {
              if (calls.incrementAndGet() == 1) {
                throw new RejectedExecutionException("full");
              }
              Thread.startVirtualThread(task);
            })
            .start();
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(503, peer.get("/").answer().status());
      assertEquals(0, server.active());
      assertEquals("Hello!", peer.get("/").answer().body());
    }
  }

  @Test
  void anExecutorThatRunsOnTheLoopIsAnswered503() throws IOException {
    try (HttpServer server =
            HttpServer.builder().handler(HELLO).executor(Runnable::run).start();
        RawPeer peer = RawPeer.connect(server)) {
      assertEquals(503, peer.get("/").answer().status());
    }
  }
}
