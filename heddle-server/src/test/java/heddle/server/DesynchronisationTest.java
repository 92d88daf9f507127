package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.SimNetwork;
import heddle.testwatch.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing that a client sends is taken for a request that another recipient would not see. */
@Timeout(60)
class DesynchronisationTest {
  private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: t\r\n\r\n";

  private final List<String> handled = new CopyOnWriteArrayList<>();

  private final Handler ignoring = request -> {
    handled.add(request.target());
    return Response.ok("ignored");
  };

  private final Handler reading = request -> {
    handled.add(request.target());
    return Response.ok("read " + request.body().bytes().length);
  };

  private static HttpServer serve(Handler handler) throws IOException {
    return HttpServer.builder().handler(handler).start();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "400|^@GET / HTTP/1.1~Host: a~~",
        "400|^K GET / HTTP/1.1~Host: a~~",
        "400|^LGET / HTTP/1.1~Host: a~~",
        "400| GET / HTTP/1.1~Host: a~~",
        "400|^IGET / HTTP/1.1~Host: a~~",
        "400|~~GET / HTTP/1.1~Host: a~~",
        "400|^MGET / HTTP/1.1~Host: a~~",
        "400|^JGET / HTTP/1.1~Host: a~~",
        "400|GET^I/^IHTTP/1.1~Host: a~~",
        "400|GET  /  HTTP/1.1~Host: a~~",
        "400|GET / HTTP/1.1 ~Host: a~~",
        "400|GET / HTTP/1.1^M~Host: a~~",
        "400|GET / HTTP/1.1^JHost: a^J^J",
        "400|GET /^@ HTTP/1.1~Host: a~~",
        "400|GET /~",
        "400|GET /^J",
        "505|GET / HTTP/0.9~Host: a~~",
        "400|POST / HTTP/1.0~Host: a~Content-Length: 5~Transfer-Encoding: chunked~~0~~",
        "400|POST / HTTP/1.0~Host: a~Transfer-Encoding: chunked~~0~~"
      })
  void oddOctetsAroundTheRequestLineAreRefusedAndWhatFollowsIsNotRead(int status, String request)
      throws IOException {
    try (HttpServer server = serve(ignoring);
        RawPeer peer = RawPeer.connect(server)) {
      String octets = request
          .replace("~", "\r\n")
          .replace("^@", "\0")
          .replace("^K", "\u000b")
          .replace("^L", "\f")
          .replace("^I", "\t")
          .replace("^M", "\r")
          .replace("^J", "\n");
      RawPeer.Answer answer = peer.send(octets + SMUGGLED).answer();
      assertEquals(status, answer.status());
      assertTrue(answer.hasLine("Connection: close"), answer.head());
      assertEquals("", peer.rest());
      assertEquals(List.of(), handled);
    }
  }

  @Test
  void oneEmptyLineBeforeEachRequestIsSkipped() throws IOException {
    try (HttpServer server = serve(ignoring);
        RawPeer peer = RawPeer.connect(server)) {
      for (int i = 0; i < 3; i++) {
        assertEquals(200, peer.send("\r\n").get("/").answer().status());
      }
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5;a=\"~hello~0~~",
    "5_0~hello~0~~",
    "0x5~hello~0~~",
    "+5~hello~0~~",
    "5 ~hello~0~~",
    "5;a^Jhello~0~~",
    "5~helloXX0~~",
    "5~hello0~~",
    "8000000000000000~hello~0~~",
    "0^J~"
  })
  void aChunkThatRecipientsReadDifferentlyEndsTheConnection(String chunks) throws IOException {
    try (HttpServer server = serve(reading);
        RawPeer peer = RawPeer.connect(server)) {
      String octets = chunks.replace("~", "\r\n").replace("^J", "\n");
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
      assertEquals(400, peer.send(octets + SMUGGLED).answer().status());
      assertEquals("", peer.rest());
      assertEquals(List.of("/"), handled);
    }
  }

  @Test
  void oneByteChunksWithoutEndAreAnswered400() throws IOException {
    try (HttpServer server = serve(reading);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
      peer.send("1\r\nx\r\n".repeat(30_000));
      assertEquals(400, peer.answer().status());
      assertEquals("", peer.rest());
    }
  }

  @ParameterizedTest
  @CsvSource({"POST", "GET", "PUT"})
  void aClientThatWasNeverToldToContinueCannotSmuggleItsContent(String method) throws IOException {
    try (HttpServer server = serve(ignoring);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(method + " / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: "
          + SMUGGLED.length() + "\r\n\r\n");
      RawPeer.Answer answer = peer.answer();
      assertEquals("ignored", answer.body());
      assertTrue(answer.hasLine("Connection: close"), answer.head());
      // Content or the next request: who is to tell?
      peer.send(SMUGGLED);
      assertEquals("", peer.rest());
      assertEquals(List.of("/"), handled);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,Content-Length: 4000", "1000,Content-Length: 4000"})
  void contentSentWithoutWaitingForContinueIsContent(int known, String length) throws IOException {
    String content = SMUGGLED.repeat(200).substring(0, 4000);
    try (HttpServer server = serve(reading);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\n" + length + "\r\n\r\n"
          + content.substring(0, known));
      RawPeer.Answer first = peer.send(content.substring(known)).answer();
      if (first.status() == 100) {
        first = peer.answer();
      }
      assertEquals("read 4000", first.body());
      assertEquals("read 0", peer.get("/next").answer().body());
      assertEquals(List.of("/", "/next"), handled);
    }
  }

  @Test
  void aRefusedExpectationEndsTheConnection() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    Handler waiting = request -> {
      handled.add(request.target());
      mayAnswer.await();
      return Response.ok("late");
    };
    try (HttpServer server =
            HttpServer.builder().handler(waiting).maxRequests(1).start();
        RawPeer first = RawPeer.connect(server);
        RawPeer second = RawPeer.connect(server)) {
      first.get("/first");
      Conditions.await("the first runs", () -> server.active() == 1);
      second.send("POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: "
          + SMUGGLED.length() + "\r\n\r\n");
      RawPeer.Answer refused = second.answer();
      assertEquals(503, refused.status());
      assertTrue(refused.hasLine("Connection: close"), refused.head());
      second.send(SMUGGLED);
      assertEquals("", second.rest());
      mayAnswer.countDown();
      assertEquals("late", first.answer().body());
      assertEquals(List.of("/first"), handled);
    }
  }

  @Test
  void aTooLargeExpectedContentEndsTheConnection() throws IOException {
    try (HttpServer server =
            HttpServer.builder().handler(reading).maxBodyBytes(10).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send(
          "POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n");
      assertEquals(413, peer.answer().status());
      peer.send(SMUGGLED);
      assertEquals("", peer.rest());
      assertEquals(List.of(), handled);
    }
  }

  @Test
  void anExpectationWithoutContentChangesNothing() throws IOException {
    try (HttpServer server = serve(reading);
        RawPeer peer = RawPeer.connect(server)) {
      String get = "GET /%d HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\n\r\n";
      peer.send(get.formatted(1) + get.formatted(2));
      assertEquals("read 0", peer.answer().body());
      assertEquals("read 0", peer.answer().body());
      assertEquals(List.of("/1", "/2"), handled);
    }
  }

  /** The content that an early response leaves unread is skipped as content, or not at all. */
  @ParameterizedTest
  @CsvSource({
    "Content-Length: 20000,20000,true",
    "Content-Length: 40000,40000,true",
    "Content-Length: 200000,39000,false"
  })
  void contentLeftUnreadByAnEarlyResponseIsNeverParsed(String length, int sent, boolean lasts)
      throws IOException {
    String content = SMUGGLED.repeat(sent / SMUGGLED.length() + 1).substring(0, sent);
    try (HttpServer server = serve(ignoring);
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: t\r\n" + length + "\r\n\r\n");
      RawPeer.Answer early = peer.answer();
      assertEquals("ignored", early.body());
      assertEquals(lasts, !early.hasLine("Connection: close"), early.head());
      peer.send(content);
      if (lasts) {
        assertEquals("ignored", peer.get("/next").answer().body());
        assertEquals(List.of("/", "/next"), handled);
      } else {
        assertEquals("", peer.rest());
        assertEquals(List.of("/"), handled);
      }
    }
  }

  @Test
  void requestsPipelinedBehindOneThatIsAnsweredAreReadUpToABoundOnly() throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> pipelineBehindASlowAnswer(network));
    }
  }

  /** The world's time moves only when no one can go on: by then the sender is stuck, or done. */
  private void pipelineBehindASlowAnswer(SimNetwork network) throws Exception {
    Handler slowAtFirst = request -> {
      if (request.target().equals("/slow")) {
        network.sleep(Duration.ofSeconds(10));
      }
      return Response.ok("done");
    };
    AtomicInteger sent = new AtomicInteger();
    int requests = 4_000;
    try (HttpServer server = HttpServer.builder()
            .handler(slowAtFirst)
            .network(network)
            .executor(network.executor())
            .start();
        RawPeer peer = RawPeer.connect(server, network)) {
      peer.get("/slow");
      network.executor().execute(() -> {
        try {
          for (int i = 0; i < requests; i++) {
            peer.send("GET / HTTP/1.1\r\nHost: t\r\nX: " + "x".repeat(1_000) + "\r\n\r\n");
            sent.incrementAndGet();
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      network.sleep(Duration.ofSeconds(5));
      assertTrue(sent.get() > 0, "nothing was taken");
      // 64 KiB are held; what else was taken is in the network's own buffers.
      assertTrue(sent.get() < 1_000, sent + " were taken though none can be answered");
      for (int i = 0; i < requests + 1; i++) {
        assertEquals("done", peer.answer().body());
      }
    }
  }
}
