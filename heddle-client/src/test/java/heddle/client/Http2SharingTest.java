package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld.Running;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.testkit.Http2Head;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that share HTTP/2 connections, and what becomes of them when the server will not. */
@Timeout(60)
class Http2SharingTest {
  private static final PoolLimits ONE = PoolLimits.builder().maxHttp2PerRoute(1).build();

  @AutoClose
  private ClientWorld world;

  private static ClientWorld world(PoolLimits limits) {
    return ClientWorld.http2(SimNetwork.builder(), Timeouts.DEFAULTS, limits);
  }

  private static List<Running> startGets(ClientWorld world, ScriptedPeer peer, int count)
      throws IOException {
    List<Running> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(world.start(Request.get(peer.url("/" + i))));
    }
    return calls;
  }

  private static void assertAnswered(ClientWorld world, Running call, String content)
      throws Exception {
    assertEquals(HttpVersion.HTTP_2, world.assertAnswered(call, content).version());
  }

  @Test
  void aHundredCallsShareOneConnection() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      List<Integer> streams = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        streams.add(h2.expectHeaders().streamId());
      }
      for (int stream : streams) {
        h2.sendResponse(stream, 200, "hello");
      }
      h2.expectGoAway(ErrorCode.NO_ERROR);
      h2.expectEnd();
    }));
    world.visit(peer -> {
      for (Running call : startGets(world, peer, 100)) {
        assertAnswered(world, call, "hello");
      }
      assertEquals(0, world.inUse());
      assertEquals(1, world.pool().open());
    });
  }

  @Test
  void aServerThatAllowsOneStreamGetsOneRequestAtATime() throws Exception {
    world = world(ONE);
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.MAX_CONCURRENT_STREAMS, 1);
      for (int i = 0; i < 6; i++) {
        Http2Head head = h2.expectHeaders();
        h2.expectQuiet();
        h2.sendResponse(head.streamId(), 200, "one");
      }
    }));
    world.visit(peer -> {
      world.get(peer).close();
      for (Running call : startGets(world, peer, 5)) {
        assertAnswered(world, call, "one");
      }
    });
  }

  @Test
  void whatAServerAllowsBeyondOneConnectionGoesToTheNext() throws Exception {
    world = world(PoolLimits.builder().maxHttp2PerRoute(2).build());
    ScriptedPeer.Script script = Http2Peer.server(h2 -> {
      h2.handshake(Settings.MAX_CONCURRENT_STREAMS, 1);
      while (h2.expectFrame() instanceof Frame.Headers head) {
        h2.connection().sleep(Duration.ofSeconds(1));
        h2.sendResponse(head.streamId(), 200, "one");
      }
    });
    world.visitMany(
        peer -> {
          world.get(peer).close();
          List<Running> calls = startGets(world, peer, 3);
          world.until(() -> world.pool().open() == 2);
          for (Running call : calls) {
            assertAnswered(world, call, "one");
          }
          assertEquals(2, peer.connections());
        },
        script);
  }

  @Test
  void aLimitRaisedInFlightLetsTheNextRequestGo() throws Exception {
    world = world(ONE);
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.MAX_CONCURRENT_STREAMS, 1);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "");
      int first = h2.expectHeaders().streamId();
      h2.expectQuiet();
      h2.sendSettings(Settings.MAX_CONCURRENT_STREAMS, 2);
      int second = h2.expectHeaders().streamId();
      h2.sendResponse(second, 200, "both");
      h2.sendResponse(first, 200, "both");
    }));
    world.visit(peer -> {
      world.get(peer).close();
      for (Running call : startGets(world, peer, 2)) {
        assertAnswered(world, call, "both");
      }
    });
  }

  @Test
  void aLimitLoweredInFlightHoldsTheNextRequestBack() throws Exception {
    world = world(ONE);
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int first = h2.expectHeaders().streamId();
      int second = h2.expectHeaders().streamId();
      h2.sendSettings(Settings.MAX_CONCURRENT_STREAMS, 1);
      h2.connection().sleep(Duration.ofSeconds(2));
      h2.sendResponse(first, 200, "early");
      h2.expectQuiet();
      h2.sendResponse(second, 200, "early");
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "late");
    }));
    world.visit(peer -> {
      List<Running> first = startGets(world, peer, 2);
      world.until(() -> world.pending() == 0 && world.pool().open() == 1);
      world.network.sleep(Duration.ofSeconds(1));
      List<Running> later = startGets(world, peer, 1);
      for (Running call : first) {
        assertAnswered(world, call, "early");
      }
      assertAnswered(world, later.getFirst(), "late");
    });
  }

  @Test
  void aCallThatItsConnectionNoLongerTakesGetsAnotherWhateverTheRetryPolicySays() throws Exception {
    ExchangeListener whileTheLimitFalls = new ExchangeListener() {
      @Override
      public void acquired(
          AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
        if (reused) {
          try {
            world.network.sleep(Duration.ofSeconds(2));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
    };
    world = new ClientWorld(described -> described
        .version(HttpVersion.HTTP_2)
        .retries(RetryPolicy.never())
        .listener(whileTheLimitFalls));
    ScriptedPeer.Script falling = Http2Peer.server(h2 -> {
      h2.handshake();
      int first = h2.expectHeaders().streamId();
      h2.connection().sleep(Duration.ofSeconds(1));
      h2.sendSettings(Settings.MAX_CONCURRENT_STREAMS, 1);
      h2.expectQuiet();
      h2.connection().sleep(Duration.ofSeconds(3));
      h2.sendResponse(first, 200, "first");
    });
    ScriptedPeer.Script other = Http2Peer.server(h2 -> {
      h2.handshake();
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "other");
    });
    world.visit(
        peer -> {
          Running first = world.startUnderWay(Request.get(peer.url("/first")));
          assertAnswered(world, world.start(Request.get(peer.url("/second"))), "other");
          assertAnswered(world, first, "first");
        },
        falling,
        other);
  }

  @Test
  void goAwayLetsEarlierRequestsEndAndSendsLaterOnesElsewhere() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int first = h2.expectHeaders().streamId();
      int second = h2.expectHeaders().streamId();
      h2.expectData(second);
      h2.sendGoAway(first, ErrorCode.NO_ERROR);
      h2.connection().sleep(Duration.ofSeconds(1));
      h2.sendResponse(first, 200, "from the old one");
      h2.expectClosed();
    }));
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      Http2Head head = h2.expectHeaders();
      assertEquals("POST", head.value(":method"));
      h2.expectContent(head.streamId());
      h2.sendResponse(head.streamId(), 200, "from the new one");
      h2.expectClosed();
    }));
    world.visit(peer -> {
      Running first = world.startUnderWay(Request.get(peer.url("/first")));
      Running second = world.start(Request.post(peer.url("/second"), Body.of("again")));
      assertAnswered(world, second, "from the new one");
      assertFalse(first.outcome().isDone());
      assertAnswered(world, first, "from the old one");
      world.until(() -> world.pool().open() == 1);
    });
  }

  @Test
  void noRequestGoesToAConnectionThatSaidGoAwayWhileIdle() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendResponse(stream, 200, "first");
      h2.sendGoAway(stream, ErrorCode.NO_ERROR);
      h2.expectClosed();
    }));
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "second");
    }));
    world.visit(peer -> {
      world.get(peer).close();
      world.until(() -> world.pool().open() == 0);
      assertEquals("second", world.get(peer).string());
    });
  }

  @Test
  void aRefusedRequestIsSentAgainWhateverItsMethod() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      for (int i = 0; i < 2; i++) {
        int stream = h2.expectHeaders().streamId();
        h2.expectContent(stream);
        h2.sendRst(stream, ErrorCode.REFUSED_STREAM);
      }
      int stream = h2.expectHeaders().streamId();
      h2.expectContent(stream);
      h2.sendResponse(stream, 200, "ok");
    }));
    world.visit(peer -> {
      Response response = world.client.send(Request.post(peer.url("/"), Body.of("again")));
      assertEquals("ok", response.string());
    });
  }

  @Test
  void aRequestThatIsAlwaysRefusedFailsAfterAFewTimes() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      for (int i = 0; i < 6; i++) {
        h2.sendRst(h2.expectHeaders().streamId(), ErrorCode.REFUSED_STREAM);
      }
      // No seventh: the next that is said is that the client closes.
      h2.expectGoAway(ErrorCode.NO_ERROR);
      h2.expectEnd();
    }));
    world.visit(peer -> {
      RequestNotProcessedException failure =
          assertInstanceOf(RequestNotProcessedException.class, world.failureOf(peer.url("/")));
      assertEquals(Sent.NO, failure.at().sent());
      ClientWorld.assertSays(failure, "REFUSED_STREAM");
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void aResetRequestFailsAloneAndIsNotSentAgain() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int other = h2.expectHeaders().streamId();
      h2.sendRst(h2.expectHeaders().streamId(), ErrorCode.INTERNAL_ERROR);
      h2.expectQuiet();
      h2.sendResponse(other, 200, "unharmed");
    }));
    world.visit(peer -> {
      Running other = world.startUnderWay(Request.get(peer.url("/other")));
      StreamResetException failure =
          assertInstanceOf(StreamResetException.class, world.failureOf(peer.url("/reset")));
      assertEquals(ErrorCode.INTERNAL_ERROR.code(), failure.code());
      assertEquals(Sent.YES, failure.at().sent());
      assertAnswered(world, other, "unharmed");
    });
  }

  @Test
  void streamsThatWereRefusedBeforeSettingsWaitForTheirTurn() throws Exception {
    world = world(ONE);
    world.serve(Http2Peer.server(h2 -> {
      h2.connection().expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      h2.expectSettings();
      List<Integer> streams = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        streams.add(h2.expectHeaders().streamId());
      }
      h2.sendSettings(Settings.MAX_CONCURRENT_STREAMS, 1);
      for (int stream : streams.subList(1, 10)) {
        h2.sendRst(stream, ErrorCode.REFUSED_STREAM);
      }
      h2.expectQuiet();
      h2.sendResponse(streams.getFirst(), 200, "in turn");
      for (int i = 0; i < 9; i++) {
        int stream = h2.expectHeaders().streamId();
        h2.expectQuiet();
        h2.sendResponse(stream, 200, "in turn");
      }
    }));
    world.visit(peer -> {
      for (Running call : startGets(world, peer, 10)) {
        assertAnswered(world, call, "in turn");
      }
    });
  }

  @Test
  void aRequestSaysInItsFieldsWhatItIs() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      Http2Head head = h2.expectHeaders();
      assertEquals("GET", head.value(":method"));
      assertEquals("http", head.value(":scheme"));
      assertEquals("/a?b=c", head.value(":path"));
      assertEquals("1", head.value("x-trace"));
      assertTrue(head.endStream());
      assertFalse(head.toString().contains("connection"), head::toString);
      assertFalse(head.toString().contains("elsewhere"), head::toString);
      h2.sendResponse(head.streamId(), 200, "x");
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, true, ":status: 200", "content-length: 5");
    }));
    world.visit(peer -> {
      Request request = Request.builder(peer.url("/a?b=c"))
          .header("X-Trace", "1")
          .header("Connection", "close")
          .header("Host", "elsewhere")
          .build();
      world.client.send(request).close();
      Response head = world.client.send(Request.head(peer.url("/")));
      assertEquals("5", head.headers().first("content-length"));
      assertEquals(0, head.bytes().length);
    });
  }

  @Test
  void interimResponsesArePassedOverAndTrailersDelivered() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      int stream = h2.expectHeaders().streamId();
      h2.sendHeaders(stream, false, ":status: 103", "link: </style.css>");
      h2.sendHeaders(stream, false, ":status: 200");
      h2.sendData(stream, false, "text");
      h2.sendHeaders(stream, true, "x-sum: 42");
    }));
    world.visit(peer -> {
      Response response = world.get(peer);
      assertEquals(200, response.status().code());
      assertEquals("text", response.string());
      assertEquals("42", response.trailers().get().first("x-sum"));
    });
  }
}
