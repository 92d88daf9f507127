package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.client.ClientWorld.Running;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.Trailers;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.MessageTooLargeException;
import heddle.testkit.Http2Peer;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Settings: that they are acknowledged in time, and what the server's mean for a request. */
@Timeout(120)
class Http2SettingsTest {
  @AutoClose
  private ClientWorld world;

  private static ClientWorld within(Duration settings, SimNetwork.Builder network) {
    return ClientWorld.http2(
        network, Timeouts.builder().settings(settings).build(), PoolLimits.DEFAULTS);
  }

  /** A handshake in which the client's settings are not acknowledged. */
  private static void greetOnly(Http2Peer h2) throws IOException {
    h2.connection().expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    h2.expectSettings();
    h2.sendSettings();
  }

  @Test
  void aServerThatDoesNotAcknowledgeOurSettingsIsGivenUpAfterTenSeconds() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      greetOnly(h2);
      h2.expectHeaders();
      h2.expectGoAway(ErrorCode.SETTINGS_TIMEOUT);
      h2.expectClosed();
    }));
    world.visit(peer -> {
      ConnectionLostException failure =
          assertInstanceOf(ConnectionLostException.class, world.failureOf(peer.url("/")));
      ClientWorld.assertSays(failure, "SETTINGS_TIMEOUT");
      assertEquals(Sent.UNKNOWN, failure.at().sent());
      assertEquals(10, world.now().toSeconds());
      world.assertNothingIsOpen();
    });
  }

  @Test
  void theTimeIsThatOfTheTimeoutsAndCountsWhenIdleToo() throws Exception {
    world = within(Duration.ofSeconds(3), SimNetwork.builder());
    world.serve(Http2Peer.server(h2 -> {
      greetOnly(h2);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "first");
      h2.expectGoAway(ErrorCode.SETTINGS_TIMEOUT);
      h2.expectClosed();
    }));
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "second");
    }));
    world.visit(peer -> {
      assertEquals("first", world.get(peer).string());
      world.network.sleep(Duration.ofSeconds(4));
      world.assertNothingIsOpen();
      assertEquals("second", world.get(peer).string());
    });
  }

  @Test
  void settingsThatAreAcknowledgedLateAreAcknowledged() throws Exception {
    world = ClientWorld.http2();
    world.visit(peer -> assertEquals("at last", world.get(peer).string()), Http2Peer.server(h2 -> {
      greetOnly(h2);
      int id = h2.expectHeaders().streamId();
      h2.connection().sleep(Duration.ofSeconds(9));
      h2.sendSettingsAck();
      h2.connection().sleep(Duration.ofSeconds(5));
      h2.sendResponse(id, 200, "at last");
    }));
  }

  @Test
  void whatWasNotWrittenWhenSettingsTimeOutIsSaidToBeUnsent() throws Exception {
    world = within(Duration.ofSeconds(10), SimNetwork.builder().sendBuffer(20_000));
    world.serve(Http2Peer.server(h2 -> {
      h2.connection().expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      h2.expectSettings();
      h2.connection().pauseReading();
      // Much may be sent, and nothing of it is read: the client's write waits.
      h2.sendSettings(Settings.INITIAL_WINDOW_SIZE, 2_000_000);
      h2.send(new Frame.WindowUpdate(0, 2_000_000));
      h2.connection().sleep(Duration.ofSeconds(30));
    }));
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake();
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "elsewhere");
    }));
    world.visit(peer -> {
      Running stuck = world.start(Request.post(peer.url("/stuck"), Body.of(new byte[1_000_000])));
      world.network.sleep(Duration.ofSeconds(1));
      Running behind = world.start(Request.post(peer.url("/behind"), Body.of("x")));
      world.untilOver(stuck.outcome());
      world.untilOver(behind.outcome());
      assertEquals(10, world.now().toSeconds());
      ConnectionLostException begun =
          assertInstanceOf(ConnectionLostException.class, stuck.outcome().exceptionNow());
      assertEquals(Sent.UNKNOWN, begun.at().sent());
      // Nothing of it was written, so it was sent again.
      assertEquals("elsewhere", behind.outcome().resultNow().string());
    });
  }

  @Test
  void aHeadLargerThanTheServerTakesFailsItsCallAlone() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.MAX_HEADER_LIST_SIZE, 400);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "one");
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "two");
    }));
    world.visit(peer -> {
      assertEquals("one", world.get(peer).string());
      Request large =
          Request.builder(peer.url("/")).header("X-Large", "y".repeat(500)).build();
      MessageTooLargeException failure =
          assertThrows(MessageTooLargeException.class, () -> world.client.send(large));
      ClientWorld.assertSays(failure, "the peer takes 400");
      assertEquals(Sent.NO, failure.at().sent());
      assertEquals("two", world.get(peer).string());
      assertEquals(1, world.network.connections().size());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void trailersLargerThanTheServerTakesResetTheirStreamAlone() throws Exception {
    world = ClientWorld.http2();
    world.serve(Http2Peer.server(h2 -> {
      h2.handshake(Settings.MAX_HEADER_LIST_SIZE, 400);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "one");
      int cancelled = h2.expectHeaders().streamId();
      h2.expectData(cancelled);
      h2.expectRst(cancelled, ErrorCode.CANCEL);
      h2.sendResponse(h2.expectHeaders().streamId(), 200, "two");
    }));
    world.visit(peer -> {
      assertEquals("one", world.get(peer).string());
      Request large = Request.builder(peer.url("/"))
          .method(Method.POST)
          .body(Body.of("content"))
          .trailers(Trailers.of(Headers.of("X-Large", "y".repeat(500))))
          .build();
      assertThrows(MessageTooLargeException.class, () -> world.client.send(large));
      assertEquals("two", world.get(peer).string());
    });
  }
}
