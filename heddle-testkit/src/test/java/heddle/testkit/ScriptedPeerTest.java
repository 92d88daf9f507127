package heddle.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Network;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ScriptedPeerTest {
  private static final String GET = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  @AutoClose
  private final SimNetwork network =
      SimNetwork.builder().seed(3).maxReadBytes(5).build();

  private RawConnection connect(ScriptedPeer peer) throws IOException {
    return RawConnection.connect(network, peer.address());
  }

  @Test
  void scriptAndClientTalk() throws Exception {
    ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> {
      c.expect(GET);
      c.send(HELLO);
      assertTrue(c.expectHead().startsWith("POST "));
      assertArrayEquals(new byte[] {'x'}, c.expectBytes(1));
      c.expectEnd();
    });
    try (peer;
        RawConnection client = connect(peer)) {
      client.send(GET);
      assertEquals(HELLO, client.expectMessage());
      client.sendSlowly("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", 3, Duration.ofMillis(1));
      client.shutdownOutput();
      client.expectEnd();
      peer.awaitScripts();
    }
  }

  @Test
  void sameScriptRunsOverTcp() throws Exception {
    try (Network tcp = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(tcp, c -> {
          c.expect(GET);
          c.send(HELLO);
          c.expectEnd();
        });
        RawConnection client = RawConnection.connect(tcp, peer.address())) {
      client.send(GET);
      assertEquals(HELLO, client.expectMessage());
      client.shutdownOutput();
      peer.awaitScripts();
    }
  }

  @Test
  void connectionsAreResetOverTcpToo() throws Exception {
    try (Network tcp = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(tcp, c -> {
          c.expect(GET);
          c.reset();
        });
        RawConnection client = RawConnection.connect(tcp, peer.address())) {
      client.send(GET);
      client.expectReset();
      peer.awaitScripts();
    }
  }

  @Test
  void unexpectedTextFailsTheTestAndIsShown() throws Exception {
    ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> c.expect(GET));
    try (RawConnection client = connect(peer)) {
      client.send("GET /other HTTP/1.1\r\n");
      assertFalse(client.hasMore());
      AssertionError failure = assertThrows(AssertionError.class, peer::awaitScripts);
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("GET /hello HTTP/1.1\\r\\n"), message);
      assertTrue(message.contains("but this came\nGET /o"), message);
    }
    assertThrows(AssertionError.class, peer::close);
  }

  @Test
  void endInsteadOfTextFailsTheTest() throws Exception {
    ScriptedPeer peer = ScriptedPeer.inOrder(network, RawConnection::expectHead);
    connect(peer).close();
    AssertionError failure = assertThrows(AssertionError.class, peer::awaitScripts);
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("but nothing came\n(the peer ended the stream)"), message);
  }

  @Test
  void connectionTooManyFailsTheTest() throws Exception {
    ScriptedPeer peer = ScriptedPeer.inOrder(network, RawConnection::expectEnd);
    try (RawConnection first = connect(peer);
        RawConnection second = connect(peer)) {
      second.expectEnd();
      first.shutdownOutput();
    }
    AssertionError failure = assertThrows(AssertionError.class, peer::close);
    assertTrue(String.valueOf(failure.getMessage()).startsWith("connection 2 came"));
  }

  @Test
  void eachConnectionFollowsTheSameScript() throws Exception {
    ScriptedPeer peer = ScriptedPeer.each(network, c -> {
      while (c.hasMore()) {
        c.expect(GET);
        c.send(HELLO);
      }
    });
    try (peer;
        RawConnection first = connect(peer);
        RawConnection second = connect(peer)) {
      for (RawConnection client : new RawConnection[] {first, second, first}) {
        client.send(GET);
        assertEquals(HELLO, client.expectMessage());
      }
      assertEquals(2, peer.connections());
      assertEquals(
          "http://" + peer.address().getHostString() + ":" + peer.port() + "/x", peer.url("/x"));
    }
  }

  @Test
  void resetIsSeenAsAReset() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.inOrder(network, RawConnection::reset);
        RawConnection client = connect(peer)) {
      client.expectReset();
      AssertionError failure = assertThrows(AssertionError.class, client::expectHead);
      assertTrue(String.valueOf(failure.getMessage()).contains("Connection reset"));
    }
  }

  @Test
  void messageIsReadToTheEndOfItsFraming() throws Exception {
    String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5;x=y\r\nab\r\nc\r\n0\r\nA: b\r\n\r\n";
    String noContent = "HTTP/1.1 204 No Content\r\n\r\n";
    String toTheEnd = "HTTP/1.0 200 OK\r\n\r\nuntil the end";
    ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> c.send(chunked + noContent + toTheEnd));
    try (peer;
        RawConnection client = connect(peer)) {
      assertEquals(chunked, client.expectMessage());
      assertEquals(noContent, client.expectMessage());
      assertEquals(toTheEnd, client.expectMessage());
      assertFalse(client.hasMore());
      assertEquals("", client.readToEnd());
    }
  }

  @Test
  void patienceEndsAWaitThatIsInVain() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(network, RawConnection::hasMore);
        RawConnection client = connect(peer).patience(Duration.ofMillis(20))) {
      AssertionError failure = assertThrows(AssertionError.class, client::expectHead);
      assertTrue(String.valueOf(failure.getMessage()).startsWith("waited PT0.02S for a head"));
    }
  }
}
