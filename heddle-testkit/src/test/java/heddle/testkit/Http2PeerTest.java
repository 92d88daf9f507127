package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Settings;
import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scripted client and a scripted server, each against the other. */
@Timeout(60)
final class Http2PeerTest {
  @AutoClose
  private final SimNetwork network =
      SimNetwork.builder().seed(3).maxReadBytes(50).build();

  /** Runs both scripts to their ends. */
  private void talk(Http2Peer.Script client, Http2Peer.Script server) throws Exception {
    talk(network, client, server);
  }

  private static void talk(Network over, Http2Peer.Script client, Http2Peer.Script server)
      throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.inOrder(over, Http2Peer.server(server));
        Http2Peer h2 = Http2Peer.connect(over, peer.address())) {
      client.run(h2);
      h2.connection().shutdownOutput();
      peer.awaitScripts();
    }
  }

  /** Runs the client's script, which is to fail, and returns the failure's message. */
  private String failure(Http2Peer.Script client, Http2Peer.Script server) throws Exception {
    Http2Peer.Script untilGone = h2 -> {
      try {
        server.run(h2);
      } catch (IOException e) {
        // The client's script has failed, as it is to do, while this one still had to send.
        h2.connection().close();
      }
    };
    try (ScriptedPeer peer = ScriptedPeer.each(network, Http2Peer.server(untilGone));
        Http2Peer h2 = Http2Peer.connect(network, peer.address())) {
      AssertionError failure = assertThrows(AssertionError.class, () -> client.run(h2));
      return String.valueOf(failure.getMessage());
    }
  }

  private static void clientScript(Http2Peer h2) throws IOException {
    h2.handshake(Settings.MAX_CONCURRENT_STREAMS, 7);
    h2.sendRequest(1, "POST", "/x", false, "te: trailers");
    h2.sendContent(1, true, new byte[100_000]);
    Http2Head head = h2.expectResponse(1, 200);
    assertEquals("yes", head.value("x-seen"));
    assertArrayEquals("hello".getBytes(ISO_8859_1), h2.expectContent(1));
    h2.expectGoAway(ErrorCode.NO_ERROR);
    h2.expectQuiet();
  }

  private static void serverScript(Http2Peer h2) throws IOException {
    h2.handshake(Settings.INITIAL_WINDOW_SIZE, 20_000);
    assertEquals(7, h2.settings().maxConcurrentStreams());
    Http2Head head = h2.expectHeaders(1);
    assertEquals(
        List.of(":method: POST", ":scheme: http", ":authority: a", ":path: /x", "te: trailers"),
        head.fields());
    assertNull(head.value("cookie"));
    assertEquals(100_000, h2.expectContent(1).length);
    h2.sendHeaders(1, false, ":status: 200", "x-seen: yes");
    h2.sendData(1, true, "hello");
    h2.sendGoAway(1, ErrorCode.NO_ERROR);
    h2.expectEnd();
  }

  @Test
  void clientAndServerTalkInMemory() throws Exception {
    talk(Http2PeerTest::clientScript, Http2PeerTest::serverScript);
  }

  @Test
  void sameScriptsTalkOverTcp() throws Exception {
    try (Network tcp = TcpNetwork.create()) {
      talk(tcp, Http2PeerTest::clientScript, Http2PeerTest::serverScript);
    }
  }

  @Test
  void fieldBlockMayComeInSeveralFrames() throws Exception {
    ByteBuffer block = Http2Peer.block(":status: 200", "a: " + "b".repeat(300));
    talk(
        h2 -> {
          h2.handshake();
          assertEquals("b".repeat(300), h2.expectResponse(1, 200).value("a"));
        },
        h2 -> {
          h2.handshake();
          h2.send(
              new Frame.Headers(1, false, false, block.slice(0, 7)),
              new Frame.Continuation(1, false, block.slice(7, 200)),
              new Frame.Continuation(1, true, block.slice(207, block.remaining() - 207)));
          h2.expectEnd();
        });
  }

  @Test
  void whatMayComeAtAnyTimeIsPassedOverAndFound() throws Exception {
    talk(
        h2 -> {
          h2.handshake();
          h2.sendPing(5);
          h2.sendWindowUpdate(0, 10);
          h2.sendWindowUpdate(3, 20);
          h2.sendWindowUpdate(0, 30);
          h2.sendFrame(2, 0, 3, new byte[] {0, 0, 0, 0, 16});
          h2.sendGet(1, "/");
          h2.expectPingAck(5);
          h2.expectRst(1, ErrorCode.CANCEL);
        },
        h2 -> {
          h2.handshake();
          assertTrue(h2.expectHeaders().endStream());
          h2.expectSettingsAck();
          assertEquals(20, h2.expectWindowUpdate(3));
          assertEquals(40, h2.expectCredit(0, 31));
          assertEquals(5, h2.expectPing().data());
          h2.sendRst(1, ErrorCode.CANCEL);
          h2.expectEnd();
        });
  }

  @Test
  void pingIsLeftWithoutAnAnswerWhereAsked() throws Exception {
    talk(
        h2 -> {
          h2.handshake();
          h2.sendPing(1);
          h2.sendGet(1, "/");
          h2.expectRst(1, ErrorCode.REFUSED_STREAM);
        },
        h2 -> {
          h2.answersPings(false).handshake();
          h2.expectHeaders();
          h2.sendRst(1, ErrorCode.REFUSED_STREAM);
          h2.expectEnd();
        });
  }

  @Test
  void contentKeepsToTheWindowsAndComesWhole() throws Exception {
    byte[] content = new byte[300_000];
    new Random(1).nextBytes(content);
    talk(
        h2 -> {
          h2.handshake(Settings.INITIAL_WINDOW_SIZE, 10_000, Settings.MAX_FRAME_SIZE, 20_000);
          assertEquals(10_000, h2.expectData(1).flowControlled());
          h2.sendWindowUpdate(1, 100_000);
          assertEquals(20_000, h2.expectData(1).flowControlled());
          assertEquals(20_000, h2.expectData(1).flowControlled());
          // What is left of the connection's 65,535.
          assertEquals(15_535, h2.expectData(1).flowControlled());
          h2.sendWindowUpdate(0, 1_000_000);
          h2.sendWindowUpdate(1, 1_000_000);
          assertEquals(300_000 - 65_535, h2.expectContent(1).length);
        },
        h2 -> {
          h2.handshake();
          h2.sendContent(1, true, content);
          h2.expectEnd();
        });
  }

  @Test
  void anotherFrameThanExpectedFailsAndAllAreShown() throws Exception {
    String message = failure(
        h2 -> {
          h2.handshake();
          h2.sendGet(1, "/");
          h2.expectHeaders();
        },
        h2 -> {
          h2.handshake();
          h2.expectHeaders();
          h2.sendData(1, true, "what?");
          h2.expectEnd();
        });
    assertTrue(
        message.startsWith("expected HEADERS but DATA on 1 5 bytes, the last came\n"), message);
    assertTrue(message.contains("-> HEADERS on 1, the last\n"), message);
    assertTrue(message.contains("<- SETTINGS ACK\n"), message);
  }

  @Test
  void wrongCodeStreamOrStatusFails() throws Exception {
    Http2Peer.Script server = h2 -> {
      h2.handshake();
      h2.sendRst(1, ErrorCode.CANCEL);
      h2.sendGoAway(0, ErrorCode.PROTOCOL_ERROR);
      h2.sendResponse(3, 404, "");
      h2.expectClosed();
    };
    assertTrue(failure(
            h2 -> {
              h2.handshake();
              h2.expectRst(1, ErrorCode.REFUSED_STREAM);
            },
            server)
        .startsWith("expected RST_STREAM on 1 REFUSED_STREAM but RST_STREAM on 1 CANCEL came"));
    assertTrue(failure(
            h2 -> {
              h2.handshake();
              h2.expectRst(3, ErrorCode.CANCEL);
            },
            server)
        .startsWith("expected RST_STREAM on 3 CANCEL but"));
    assertTrue(failure(
            h2 -> {
              h2.handshake();
              h2.expectRst(1, ErrorCode.CANCEL);
              h2.expectGoAway(ErrorCode.NO_ERROR);
            },
            server)
        .startsWith("expected GOAWAY NO_ERROR but GOAWAY PROTOCOL_ERROR"));
    assertTrue(failure(
            h2 -> {
              h2.handshake();
              h2.expectRst(1, ErrorCode.CANCEL);
              h2.expectGoAway(ErrorCode.PROTOCOL_ERROR);
              h2.expectResponse(3, 200);
            },
            server)
        .startsWith("expected the status 200 but Http2Head"));
  }

  @Test
  void frameThatBreaksTheProtocolFails() throws Exception {
    String message = failure(
        h2 -> {
          h2.handshake();
          h2.expectHeaders();
        },
        h2 -> {
          h2.handshake();
          h2.sendFrame(6, 0, 0, (byte) 1);
          h2.expectClosed();
        });
    assertTrue(message.contains("PING of 1 bytes, must be 8 (RFC 9113 §6.7)"), message);
  }

  @Test
  void endInsteadOfAFrameFails() throws Exception {
    String message = failure(
        h2 -> {
          h2.handshake();
          h2.expectHeaders();
        },
        Http2Peer::handshake);
    assertTrue(message.startsWith("expected HEADERS but the connection ended\n"), message);
  }

  @Test
  void frameInsteadOfTheEndFails() throws Exception {
    String message = failure(
        h2 -> {
          h2.handshake();
          h2.expectEnd();
        },
        h2 -> {
          h2.handshake();
          h2.sendData(1, false, "");
        });
    assertTrue(message.startsWith("expected the end of the connection but DATA on 1"), message);
  }

  @Test
  void patienceEndsAWaitThatIsInVain() throws Exception {
    String message = failure(
        h2 -> {
          h2.handshake();
          h2.patience(Duration.ofMillis(20)).expectHeaders();
        },
        h2 -> {
          h2.handshake();
          h2.expectEnd();
        });
    assertTrue(message.startsWith("expected HEADERS: waited PT0.02S"), message);
  }

  @Test
  void anythingCanBeSent() throws Exception {
    talk(
        h2 -> {
          h2.handshake();
          h2.sendFrame(0x0b, 0xff, 77, (byte) 1, (byte) 2);
          h2.send(new Frame.Data(1, true, ByteBuffer.allocate(1), 10));
        },
        h2 -> {
          h2.handshake();
          assertEquals(77, h2.expectFrame().streamId());
          assertEquals(10, h2.expectData(1).flowControlled());
          h2.expectEnd();
        });
  }
}
