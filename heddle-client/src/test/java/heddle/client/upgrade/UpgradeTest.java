package heddle.client.upgrade;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.ClientWorld.Running;
import heddle.client.HttpCall;
import heddle.client.settings.PoolLimits;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The upgrade from HTTP/1.1 to HTTP/2 in cleartext, RFC 7540 section 3.2. */
@Timeout(120)
class UpgradeTest {
  static final String SWITCHING =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** SETTINGS that say nothing, as text. */
  private static final String SETTINGS = "\0\0\0\4\0\0\0\0\0";

  /** HEADERS of stream 1 with nothing but 200, and its end, as text. */
  private static final String NOTHING_ON_ONE = "\0\0\1\1\5\0\0\0\1\u0088";

  @AutoClose
  private ClientWorld world;

  static ClientWorld upgrading() {
    return new ClientWorld(builder -> builder.upgradeToH2c(true));
  }

  static boolean offers(String head) {
    return head.contains("Upgrade: h2c\r\n")
        && head.contains("Connection: Upgrade, HTTP2-Settings\r\n")
        && head.contains("HTTP2-Settings: ");
  }

  /** What the client says first in HTTP/2. */
  private static void greet(Http2Peer h2) throws IOException {
    h2.connection().expect(PREFACE);
    h2.expectSettings();
    h2.sendSettings();
    h2.sendSettingsAck();
  }

  private static void upgrade(Http2Peer h2) throws IOException {
    assertTrue(offers(h2.connection().expectHead()));
    h2.connection().send(SWITCHING);
    greet(h2);
  }

  @Test
  void theResponseComesOnStreamOneAndOtherRequestsFollow() throws Exception {
    world = upgrading();
    world.serve(Http2Peer.server(h2 -> {
      upgrade(h2);
      h2.sendResponse(1, 200, "first");
      assertEquals(3, h2.expectHeaders(3).streamId());
      h2.sendResponse(3, 200, "second");
      h2.expectGoAway(ErrorCode.NO_ERROR);
    }));
    world.visit(peer -> {
      HttpCall call = world.client.newCall(Request.get(peer.url("/")));
      Response first = call.execute();
      assertEquals(HttpVersion.HTTP_2, first.version());
      assertEquals(HttpVersion.HTTP_2, Objects.requireNonNull(call.connection()).version());
      assertEquals("first", first.string());
      assertEquals("second", world.get(peer).string());
      assertEquals(1, world.pool().open());
      assertTrue(world.pool().routes().getFirst().multiplexed());
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 1_000})
  void whatComesBehindThe101IsHttp2HoweverItIsCut(int bytesAtATime) throws Exception {
    world = upgrading();
    world.serve(c -> {
      c.expectHead();
      Duration pause = Duration.ofMillis(1);
      c.sendSlowly(SWITCHING + SETTINGS + NOTHING_ON_ONE, bytesAtATime, pause);
      c.expect(PREFACE);
      c.drain();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      assertEquals(HttpVersion.HTTP_2, response.version());
      assertEquals("", response.string());
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void contentIsSentWholeBeforeHttp2Begins(boolean expects) throws Exception {
    byte[] content = "content ".repeat(30_000).getBytes(StandardCharsets.US_ASCII);
    world = upgrading();
    world.serve(Http2Peer.server(h2 -> {
      RawConnection c = h2.connection();
      assertTrue(offers(c.expectHead()));
      c.send(SWITCHING + SETTINGS); // Although the content is still to come.
      assertArrayEquals(content, c.expectBytes(content.length));
      c.expect(PREFACE);
      h2.expectSettings();
      h2.sendSettingsAck();
      h2.sendResponse(1, 200, "heard");
      c.drain();
    }));
    world.visit(peer -> {
      Body body = Body.of(new ByteArrayInputStream(content), content.length);
      Request.Builder post = Request.builder(peer.url("/")).method(Method.POST).body(body);
      if (expects) {
        post.expectContinue();
      }
      assertEquals("heard", world.client.send(post.build()).string());
    });
  }

  /** Longer than a server that refuses may take, and the server speaks HTTP/2 meanwhile. */
  @Test
  void contentMayTakeItsTimeAfterTheSwitch() throws Exception {
    world = upgrading();
    InputStream slow = new InputStream() {
      private int left = 2;

      @Override
      public int read() throws IOException {
        world.network.sleep(Duration.ofSeconds(5));
        return left-- > 0 ? 'x' : -1;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int read = read();
        target[offset] = (byte) read;
        return read < 0 ? -1 : 1;
      }
    };
    world.visit(
        peer -> assertEquals(
            "heard",
            world.client.send(Request.post(peer.url("/"), Body.of(slow, 2))).string()),
        Http2Peer.server(h2 -> {
          h2.connection().expectHead();
          h2.connection().send(SWITCHING);
          h2.connection().sleep(Duration.ofSeconds(1));
          h2.sendSettings();
          h2.connection().expect("xx" + PREFACE);
          h2.expectSettings();
          h2.sendSettingsAck();
          h2.sendResponse(1, 200, "heard");
          h2.connection().drain();
        }));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: Upgrade\r\nUpgrade: websocket\r\n",
        "Connection: Upgrade\r\n",
        "Upgrade: h2c\r\n",
      })
  void anotherProtocolThanThatOfferedIsAFailure(String fields) throws Exception {
    world = upgrading();
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n");
      c.expectEnd();
    });
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      ClientWorld.assertSays(failure, "switched to another protocol");
      assertEquals(Sent.YES, failure.at().sent());
      world.assertNothingIsOpen();
    });
  }

  @Test
  void switchWithoutAnOfferIsAFailure() throws Exception {
    world = upgrading();
    world.serve(c -> {
      c.expectHead();
      c.send(OK);
      c.expectHead();
      c.send(SWITCHING);
      c.expectEnd();
    });
    world.visit(peer -> {
      assertEquals("hi", world.get(peer).string());
      world.failureOf(peer.url("/"));
      world.assertNothingIsOpen();
    });
  }

  @Test
  void othersShareTheConnectionBeforeTheFirstResponseHasCome() throws Exception {
    world = upgrading();
    world.serve(Http2Peer.server(h2 -> {
      upgrade(h2);
      for (int id = 3; id <= 11; id += 2) {
        h2.expectHeaders(id);
        h2.sendResponse(id, 200, "other");
      }
      h2.expectRst(1, ErrorCode.CANCEL);
      h2.expectGoAway(ErrorCode.NO_ERROR);
    }));
    world.visit(peer -> {
      Running first = world.startUnderWay(Request.get(peer.url("/first")));
      List<Running> others = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        others.add(world.start(Request.get(peer.url("/other"))));
      }
      for (Running other : others) {
        world.assertAnswered(other, "other");
      }
      assertFalse(first.outcome().isDone());
      assertEquals(1, world.pool().open());
      first.thread().interrupt();
      world.untilOver(first.outcome());
    });
  }

  @Test
  void whoWaitsForAConnectionGetsThatWhichWasUpgraded() throws Exception {
    world = new ClientWorld(builder -> builder
        .upgradeToH2c(true)
        .poolLimits(PoolLimits.builder().maxPerRoute(1).build()));
    world.serve(Http2Peer.server(h2 -> {
      assertTrue(offers(h2.connection().expectHead()));
      h2.connection().sleep(Duration.ofSeconds(1));
      h2.connection().send(SWITCHING);
      h2.connection().expect(PREFACE);
      h2.expectSettings();
      h2.expectHeaders(3); // Before the server has sent anything else.
      h2.sendSettings();
      h2.sendSettingsAck();
      h2.sendResponse(3, 200, "other");
      h2.sendResponse(1, 200, "first");
      h2.expectGoAway(ErrorCode.NO_ERROR);
    }));
    world.visit(peer -> {
      Running first = world.startUnderWay(Request.get(peer.url("/first")));
      Running other = world.start(Request.get(peer.url("/other")));
      world.assertAnswered(other, "other");
      world.assertAnswered(first, "first");
    });
  }

  @Test
  void manyWhoComeAtOnceMayUpgradeAConnectionEach() throws Exception {
    world = upgrading();
    ScriptedPeer.Script each = Http2Peer.server(h2 -> {
      upgrade(h2);
      h2.sendResponse(1, 200, "hi");
      // Who comes when a connection was upgraded already shares it.
      for (Frame frame = h2.nextFrame(); frame != null; frame = h2.nextFrame()) {
        if (frame instanceof Frame.Headers head) {
          h2.readHead(head);
          h2.sendResponse(head.streamId(), 200, "hi");
        }
      }
    });
    world.visitMany(
        peer -> {
          List<Running> calls = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            calls.add(world.start(Request.get(peer.url("/"))));
          }
          for (Running call : calls) {
            world.assertAnswered(call, "hi");
          }
        },
        each);
  }

  @Test
  void aRequestThatTheServerLeftOutIsSentAgain() throws Exception {
    world = upgrading();
    world.visit(
        peer -> assertEquals(
            "again",
            world.client.send(Request.post(peer.url("/"), Body.empty())).string()),
        Http2Peer.server(h2 -> {
          upgrade(h2);
          h2.sendGoAway(0, ErrorCode.NO_ERROR);
          h2.connection().drain();
        }),
        Http2Peer.server(h2 -> {
          upgrade(h2);
          h2.sendResponse(1, 200, "again");
          h2.connection().drain();
        }));
  }

  @Test
  void aRequestWhoseConnectionIsLostAfterTheSwitchWasSent() throws Exception {
    world = upgrading();
    world.serve(c -> {
      c.expectHead();
      c.send(SWITCHING);
    });
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      assertEquals(Sent.YES, failure.at().sent());
      world.assertNothingIsOpen();
    });
  }

  @Test
  void settingsThatAreNotAcknowledgedDoNotSendTheRequestAgain() throws Exception {
    world = upgrading();
    world.serve(c -> {
      c.expectHead();
      c.send(SWITCHING + SETTINGS);
      c.drain();
    });
    world.visit(peer -> {
      HttpException failure = world.failureOf(peer.url("/"));
      ClientWorld.assertSays(failure, "SETTINGS_TIMEOUT");
      assertEquals(Sent.UNKNOWN, failure.at().sent());
    });
  }
}
