package heddle.testkit.mock;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.HttpVersion;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server for users' tests answers as told, records what came, and fails by name. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
final class MockServerTest {
  private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

  /** What a test does with a server of a world of virtual time. */
  @FunctionalInterface
  private interface Visit {
    void to(SimNetwork network, MockServer server) throws Exception;
  }

  private static void inWorld(MockResponse response, Visit visit) throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (MockServer server = MockServer.builder().network(network).start()) {
          server.enqueue(response);
          visit.to(network, server);
        }
      });
    }
  }

  /** What comes over HTTP/1.1 until the connection ends or breaks. */
  private static String http1(MockResponse response) throws Exception {
    StringBuilder came = new StringBuilder();
    inWorld(response, (network, server) -> {
      try (RawConnection c = RawConnection.connect(network, server.address())) {
        c.send(GET);
        while (c.hasMore()) {
          came.append(c.peek());
          c.expectBytes(c.peek().length());
        }
      }
    });
    return came.toString();
  }

  /** What a test does with a connection of HTTP/2 on which one GET was sent. */
  @FunctionalInterface
  private interface Exchange {
    void on(Http2Peer h2) throws Exception;
  }

  private static void http2(MockResponse response, Exchange exchange) throws Exception {
    inWorld(response, (network, server) -> {
      try (Http2Peer h2 = Http2Peer.connect(network, server.address())) {
        h2.handshake();
        h2.sendGet(1, "/x");
        exchange.on(h2);
      }
    });
  }

  // ---- over TCP, with the JDK's client

  private static HttpResponse<String> jdk(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void answersInTheOrderInWhichItWasTold(MockServer server) throws Exception {
    server.answer("/always", MockResponse.ok("always"));
    server.enqueue("/always", MockResponse.of(503).header("Retry-After", "1"));
    server.enqueue(MockResponse.ok("any"));
    assertEquals(
        "1", jdk(server.url("/always")).headers().firstValue("Retry-After").get());
    assertEquals("any", jdk(server.url("/other")).body());
    assertEquals("always", jdk(server.url("/always?again")).body());
    assertEquals(404, jdk(server.url("/other")).statusCode());
    server.handler(request -> MockResponse.ok("handled " + request.target()));
    assertEquals("handled /other", jdk(server.url("/other")).body());
  }

  @Test
  void recordsWhatCame(MockServer server) throws Exception {
    server.enqueue(MockResponse.ok("thanks").chunked());
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(server.url("/in?a=b")))
          .header("X-Name", "value")
          .POST(HttpRequest.BodyPublishers.ofString("content"))
          .build();
      assertEquals(
          "thanks", client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
    RecordedRequest recorded = server.takeRequest();
    assertEquals("POST", recorded.method());
    assertEquals("/in?a=b", recorded.target());
    assertEquals("value", recorded.header("x-name"));
    assertEquals("content", recorded.text());
    assertEquals(1, server.requests().size());
    server.reset();
    assertEquals(0, server.requests().size());
  }

  @Test
  void connectionsBreakOverTcp(MockServer server) {
    server.enqueue(MockResponse.ok("hello").with(MockFault.resetInBody(3)));
    assertThrows(IOException.class, () -> jdk(server.url("/")));
    server.enqueue(MockResponse.ok("hello").with(MockFault.cutInHead(10)));
    assertThrows(IOException.class, () -> jdk(server.url("/")));
  }

  @Test
  void handlersThatFailAreAnAnswerToo(MockServer server) throws Exception {
    server.handler(request -> {
      throw new IOException("on purpose");
    });
    HttpResponse<String> response = jdk(server.url("/"));
    assertEquals(500, response.statusCode());
    assertTrue(response.body().contains("on purpose"), response.body());
  }

  @Test
  void whatAHandlerAssertsIsAnAnswerToo(MockServer server) throws Exception {
    server.handler(request -> {
      throw new AssertionError("not what was expected");
    });
    HttpResponse<String> response = jdk(server.url("/"));
    assertEquals(500, response.statusCode());
    assertTrue(response.body().contains("not what was expected"), response.body());
  }

  @Test
  @SuppressWarnings("NullAway") // what a handler must not do
  void aHandlerWithoutAnAnswerIsAnAnswerTooOverBothVersions() throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (MockServer server =
            MockServer.builder().network(network).handler(request -> null).start()) {
          try (RawConnection c = RawConnection.connect(network, server.address())) {
            c.send(GET);
            assertTrue(c.expectHead().startsWith("HTTP/1.1 500"));
          }
          try (Http2Peer h2 = Http2Peer.connect(network, server.address())) {
            h2.handshake();
            h2.sendRequest(1, "GET", "/x", true);
            h2.expectResponse(1, 500);
          }
        }
      });
    }
  }

  // ---- faults over HTTP/1.1

  @Test
  void responsesAreCutWhereTold() throws Exception {
    assertEquals("HTTP/1.1 2", http1(MockResponse.ok("hello").with(MockFault.cutInHead(10))));
    assertTrue(
        http1(MockResponse.ok("hello").with(MockFault.cutInBody(3))).endsWith("\r\n\r\nhel"));
  }

  @Test
  void lengthsAreWrongWhenTold() throws Exception {
    String came = http1(MockResponse.ok("hello").with(MockFault.wrongContentLength(9)));
    assertTrue(came.contains("Content-Length: 9\r\n"), came);
    assertTrue(came.endsWith("\r\n\r\nhello"), came);
  }

  @Test
  void whatOnlyHttp2CanSayIsACloseWithoutAnAnswer() throws Exception {
    assertEquals("", http1(MockResponse.fault(MockFault.goAway())));
    assertEquals("", http1(MockResponse.fault(MockFault.refusedStream())));
    String last = http1(MockResponse.ok("hello").with(MockFault.goAwayAfterwards()));
    assertTrue(last.contains("Connection: close\r\n") && last.endsWith("hello"), last);
  }

  @Test
  void garbageIsNoHttp() throws Exception {
    assertFalse(http1(MockResponse.fault(MockFault.garbage())).startsWith("HTTP/"));
  }

  @Test
  void answersAreLateOrSlowByTheNetworksTime() throws Exception {
    inWorld(MockResponse.ok("late").after(Duration.ofMinutes(1)), (network, server) -> {
      try (RawConnection c = RawConnection.connect(network, server.address())) {
        c.send(GET);
        assertTrue(c.expectMessage().endsWith("late"));
        assertEquals(Duration.ofMinutes(1).toNanos(), network.clock().nanoTime());
        server.enqueue(MockResponse.ok("slow").with(MockFault.slowBody(1, Duration.ofMinutes(1))));
        c.send(GET);
        assertTrue(c.expectMessage().endsWith("slow"));
        assertEquals(Duration.ofMinutes(5).toNanos(), network.clock().nanoTime());
      }
    });
  }

  @Test
  void blackHolesNeverAnswer() throws Exception {
    inWorld(MockResponse.fault(MockFault.blackHole()), (network, server) -> {
      try (RawConnection c = RawConnection.connect(network, server.address())) {
        c.patience(Duration.ofMinutes(50)).send(GET);
        assertThrows(AssertionError.class, c::expectHead);
        assertEquals("/x", server.takeRequest().target());
      }
    });
  }

  // ---- over HTTP/2

  @Test
  void speaksHttp2ToThoseWhoBeginWithItsPreface() throws Exception {
    byte[] large = new byte[300_000];
    large[299_999] = 1;
    inWorld(MockResponse.ok(large).header("ETag", "\"1\""), (network, server) -> {
      try (Http2Peer h2 = Http2Peer.connect(network, server.address())) {
        h2.handshake();
        h2.sendRequest(1, "POST", "/x", false, "x-name: value");
        h2.sendContent(1, true, new byte[100_000]);
        Http2Head head = h2.expectResponse(1, 200);
        assertEquals("\"1\"", head.value("etag"));
        assertArrayEquals(large, h2.expectContent(1));
        RecordedRequest recorded = server.takeRequest();
        assertEquals(HttpVersion.HTTP_2, recorded.version());
        assertEquals("value", recorded.header("X-Name"));
        assertEquals(100_000, recorded.body().length);
      }
    });
  }

  @Test
  void streamsAreRefusedAndReset() throws Exception {
    http2(
        MockResponse.fault(MockFault.refusedStream()),
        h2 -> h2.expectRst(1, ErrorCode.REFUSED_STREAM));
    http2(MockResponse.ok("hello").with(MockFault.resetStream(2, ErrorCode.INTERNAL_ERROR)), h2 -> {
      h2.expectResponse(1, 200);
      assertEquals(2, h2.expectData(1).data().remaining());
      h2.expectRst(1, ErrorCode.INTERNAL_ERROR);
    });
  }

  @Test
  void goAwaySaysWhatWasProcessed() throws Exception {
    http2(MockResponse.fault(MockFault.goAway()), h2 -> {
      Frame.GoAway goAway = h2.expectGoAway(ErrorCode.NO_ERROR);
      assertEquals(0, goAway.lastStreamId());
      // What comes afterwards is not looked at.
      h2.sendGet(3, "/y");
      h2.expectQuiet();
    });
    http2(MockResponse.ok("hello").with(MockFault.goAwayAfterwards()), h2 -> {
      h2.expectResponse(1, 200);
      h2.expectContent(1);
      assertEquals(1, h2.expectGoAway(ErrorCode.NO_ERROR).lastStreamId());
    });
  }

  @Test
  void settingsChangeInFlight() throws Exception {
    MockFault fault = MockFault.settings(Settings.MAX_CONCURRENT_STREAMS, 1);
    http2(MockResponse.ok("hello").with(fault), h2 -> {
      h2.expectSettings();
      assertEquals(1, h2.settings().maxConcurrentStreams());
      h2.expectResponse(1, 200);
    });
  }

  @Test
  void connectionsEndInTheMiddleOfHttp2() throws Exception {
    http2(MockResponse.ok("hello").with(MockFault.cutInBody(3)), h2 -> {
      h2.expectResponse(1, 200);
      assertEquals(3, h2.expectData(1).data().remaining());
      h2.expectEnd();
    });
    http2(
        MockResponse.fault(MockFault.garbage()),
        h2 -> assertThrows(AssertionError.class, h2::expectFrame));
  }

  @Test
  void bodyThatWaitsIsAskedFor() throws Exception {
    inWorld(MockResponse.ok("fine"), (network, server) -> {
      try (RawConnection c = RawConnection.connect(network, server.address())) {
        c.send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", c.expectHead());
        c.send("hello");
        assertTrue(c.expectMessage().endsWith("fine"));
      }
    });
    inWorld(MockResponse.ok("fine"), (network, server) -> {
      try (Http2Peer h2 = Http2Peer.connect(network, server.address())) {
        h2.handshake();
        h2.sendRequest(1, "PUT", "/", false, "expect: 100-continue");
        h2.expectResponse(1, 100);
        h2.sendData(1, true, "hello");
        h2.expectResponse(1, 200);
        assertEquals("fine", new String(h2.expectContent(1), US_ASCII));
      }
    });
  }
}
