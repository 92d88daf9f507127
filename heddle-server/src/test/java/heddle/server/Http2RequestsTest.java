package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Http2RequestsTest {
  private static final Handler ECHO = request -> Response.ok(request.body());

  private static String text(byte[] content) {
    return new String(content, ISO_8859_1);
  }

  @Test
  void connectionsOfBothVersionsShareTheOriginThatTheyName() throws Exception {
    List<Origin> origins = new CopyOnWriteArrayList<>();
    Handler handler = request -> {
      origins.add(request.origin());
      return Response.ok("");
    };
    Http2World.play(handler, (world, client) -> {
      try (Http2Peer second = world.connect();
          RawPeer third = RawPeer.connect(world.server, world.network)) {
        for (Http2Peer peer : List.of(client, second)) {
          peer.handshake();
          peer.sendGet(1, "/");
          peer.expectResponse(1, 200);
        }
        third.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals(200, third.answer().status());
      }
    });
    assertEquals(3, origins.size());
    for (Origin each : origins) {
      assertSame(origins.getFirst(), each);
    }
  }

  @Test
  void aGetIsAnsweredWithDateAndContentLength() throws Exception {
    AtomicReference<Request> seen = new AtomicReference<>();
    Handler handler = request -> {
      seen.set(request);
      return Response.ok("Hello!");
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendHeaders(
          1,
          true,
          ":method: GET",
          ":scheme: http",
          ":authority: Example.com:8080",
          ":path: /a?b",
          "accept: text/plain");
      Http2Head head = client.expectResponse(1, 200);
      assertEquals("6", head.value("content-length"));
      assertNotNull(head.value("date"));
      assertFalse(head.endStream());
      assertEquals("Hello!", text(client.expectContent(1)));
      assertEquals("http://example.com:8080", seen.get().origin().toString());
      assertEquals("/a?b", seen.get().target());
      assertEquals("text/plain", seen.get().headers().first("Accept"));
      assertEquals("example.com:8080", seen.get().headers().first("Host"));
    });
  }

  @Test
  void answersComeInTheOrderInWhichTheyAreReady() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    Handler handler = request -> {
      if (request.path().equals("/1")) {
        second.await();
      }
      return Response.ok(request.path());
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/1");
      client.sendGet(3, "/3");
      client.expectResponse(3, 200);
      assertEquals("/3", text(client.expectContent(3)));
      second.countDown();
      client.expectResponse(1, 200);
      assertEquals("/1", text(client.expectContent(1)));
    });
  }

  @Test
  void aHundredRequestsInOneWriteAreAllAnswered() throws Exception {
    Http2World.play(request -> Response.ok(""), (world, client) -> {
      client.handshake();
      List<Frame> all = new ArrayList<>();
      Set<Integer> open = new HashSet<>();
      for (int id = 1; id < 200; id += 2) {
        all.add(Http2Peer.headers(
            id, true, ":method: GET", ":scheme: http", ":authority: a", ":path: /" + id));
        open.add(id);
      }
      client.send(all.toArray(Frame[]::new));
      while (!open.isEmpty()) {
        Http2Head head = client.expectHeaders();
        assertEquals("200", head.value(":status"));
        assertTrue(head.endStream());
        assertTrue(open.remove(head.streamId()), () -> "twice: " + head);
      }
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 20_000, 300_000, 2_000_000})
  void contentOfAnyLengthIsEchoed(int length) throws Exception {
    long seed = System.nanoTime();
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    Handler handler = request -> Response.ok(Body.of(request.body().bytes()));
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.sendContent(1, true, content);
      Http2Head head = client.expectResponse(1, 200);
      assertEquals(Integer.toString(length), head.value("content-length"));
      byte[] echoed = head.endStream() ? new byte[0] : client.expectContent(1);
      assertArrayEquals(content, echoed, () -> "seed " + seed);
    });
  }

  @Test
  void contentThatComesWithItsHeadIsHandedOverWhole() throws Exception {
    AtomicReference<Boolean> whole = new AtomicReference<>();
    Handler handler = request -> {
      whole.set(request.body().inMemory() != null);
      return Response.ok(request.body());
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.send(
          Http2Peer.headers(
              1,
              false,
              ":method: POST",
              ":scheme: http",
              ":authority: a",
              ":path: /",
              "content-length: 5"),
          Http2Peer.data(1, false, "hel"),
          Http2Peer.data(1, true, "lo"));
      client.expectResponse(1, 200);
      assertEquals("hello", text(client.expectContent(1)));
      assertTrue(whole.get());
    });
  }

  @Test
  void aRequestAndAWholeConversationMayBeCutAtAnyByte() throws Exception {
    SimNetwork.Builder shape = SimNetwork.builder().seed(5).maxReadBytes(1).maxWriteBytes(3);
    Http2World.play(shape, ECHO, b -> b, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false, "content-length: 5", "trailer: x");
      client.sendData(1, false, "he");
      client.sendData(1, true, "llo");
      client.expectResponse(1, 200);
      assertEquals("hello", text(client.expectContent(1)));
    });
  }

  @Test
  void trailersGoBothWays() throws Exception {
    Handler handler = request -> {
      byte[] content = request.body().bytes();
      String checksum = request.trailers().get().first("Checksum");
      return Response.builder(Status.OK)
          .body(Body.of(content))
          .trailers(Trailers.of(Headers.of("Checksum", "again " + checksum)))
          .build();
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false, "te: trailers");
      client.sendData(1, false, "abc");
      client.sendHeaders(1, true, "checksum: 17");
      client.expectResponse(1, 200);
      assertEquals("abc", text(bytes(client.expectData(1).data())));
      Http2Head trailers = client.expectHeaders(1);
      assertTrue(trailers.endStream());
      assertEquals("again 17", trailers.value("checksum"));
    });
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void headNoContentAndNotModifiedEndWithTheirHead() throws Exception {
    Handler handler = request -> switch (request.path()) {
      case "/204" -> Response.of(Status.NO_CONTENT);
      case "/304" ->
        Response.builder(Status.NOT_MODIFIED)
            .headers(Headers.of("Content-Length", "77"))
            .build();
      default -> Response.ok("Hello!");
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "HEAD", "/", true);
      Http2Head head = client.expectResponse(1, 200);
      assertTrue(head.endStream());
      assertEquals("6", head.value("content-length"));
      client.sendGet(3, "/204");
      Http2Head none = client.expectResponse(3, 204);
      assertTrue(none.endStream());
      assertNull(none.value("content-length"));
      client.sendGet(5, "/304");
      Http2Head same = client.expectResponse(5, 304);
      assertTrue(same.endStream());
      assertEquals("77", same.value("content-length"));
    });
  }

  @Test
  void aStreamIsWrittenAsItComes() throws Exception {
    byte[] content = new byte[100_000];
    new Random(3).nextBytes(content);
    Handler handler = request -> Response.ok(Body.of(new ByteArrayInputStream(content)));
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      Http2Head head = client.expectResponse(1, 200);
      assertNull(head.value("content-length"));
      assertArrayEquals(content, client.expectContent(1));
    });
  }

  @Test
  void aStreamingAnswerMayReadTheRequestAsItGoes() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false);
      client.expectResponse(1, 200);
      client.sendData(1, false, "first ");
      assertEquals("first ", text(bytes(client.expectData(1).data())));
      client.sendData(1, true, "second");
      assertEquals("second", text(client.expectContent(1)));
    });
  }

  @Test
  void theClientIsToldToContinueWhenTheHandlerReads() throws Exception {
    Http2World.play(request -> Response.ok(request.body().string()), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false, "expect: 100-continue");
      client.expectResponse(1, 100);
      client.sendData(1, true, "now");
      client.expectResponse(1, 200);
      assertEquals("now", text(client.expectContent(1)));
    });
  }

  @Test
  void anAnswerWithoutReadingTellsTheClientNotToSend() throws Exception {
    Http2World.play(request -> Response.ok("no need"), (world, client) -> {
      client.handshake();
      client.sendRequest(1, "POST", "/", false, "expect: 100-continue");
      client.expectResponse(1, 200);
      assertEquals("no need", text(client.expectContent(1)));
      client.expectRst(1, ErrorCode.NO_ERROR);
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
    });
  }

  @Test
  void whatAHandlerThrowsIsAnswered500() throws Exception {
    Handler handler = request -> {
      throw new IllegalStateException("secret detail");
    };
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/");
      assertTrue(client.expectResponse(1, 500).endStream());
    });
  }

  @Test
  void aBodyThatFailsHalfWayResetsItsStreamOnly() throws Exception {
    Handler handler = request -> request.path().equals("/short")
        ? Response.ok(Body.of(new ByteArrayInputStream(new byte[4]), 10))
        : Response.ok("fine");
    Http2World.play(handler, (world, client) -> {
      client.handshake();
      client.sendGet(1, "/short");
      client.expectResponse(1, 200);
      client.expectData(1);
      client.expectRst(1, ErrorCode.INTERNAL_ERROR);
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
      assertEquals("fine", text(client.expectContent(3)));
    });
  }

  @Test
  void connectIsNotImplemented() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      client.sendHeaders(1, false, ":method: CONNECT", ":authority: a:1");
      assertTrue(client.expectResponse(1, 501).endStream());
      client.expectRst(1, ErrorCode.NO_ERROR);
    });
  }

  @Test
  void extendedConnectIsNotOfferedBecauseNoHandlerCanTakeIt() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      assertFalse(client.settings().enableConnectProtocol());
      client.sendHeaders(
          1,
          false,
          ":method: CONNECT",
          ":protocol: websocket",
          ":scheme: http",
          ":authority: server",
          ":path: /");
      client.expectRst(1, ErrorCode.PROTOCOL_ERROR);
    });
  }

  @Test
  void anOriginThatIsNoneIsAnswered400() throws Exception {
    Http2World.play(ECHO, (world, client) -> {
      client.handshake();
      client.sendHeaders(1, true, ":method: GET", ":scheme: ftp", ":authority: a", ":path: /");
      client.expectResponse(1, 400);
    });
  }
}
