package heddle.adapters.jdk.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.jdk.HeddleHttpClient;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HTTP/2 in cleartext, which callers of the JDK's client get by an upgrade. */
@Timeout(60)
class UpgradeTest {
  private static HttpClient.Builder client() {
    return HeddleHttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY);
  }

  private static HttpRequest.Builder to(ScriptedPeer peer) {
    return HttpRequest.newBuilder(URI.create(peer.url("/")));
  }

  @Test
  void aServerThatSwitchesIsSpokenToInHttp2() throws Exception {
    ScriptedPeer.Script script = Http2Peer.server(h2 -> {
      String head = h2.connection().expectHead();
      assertTrue(head.contains("Upgrade: h2c\r\n"), head);
      h2.connection().expect("hello");
      h2.connection()
          .send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
      h2.handshake();
      h2.sendResponse(1, 200, "first");
      h2.expectHeaders(3);
      h2.sendResponse(3, 200, "second");
      h2.connection().drain();
    });
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = client().build()) {
      HttpRequest post = to(peer).POST(BodyPublishers.ofString("hello")).build();
      HttpResponse<String> first = client.send(post, BodyHandlers.ofString());
      assertEquals("first", first.body());
      assertEquals(Version.HTTP_2, first.version());
      assertEquals(
          "second", client.send(to(peer).build(), BodyHandlers.ofString()).body());
      assertEquals(1, peer.connections());
    }
  }

  @Test
  void nothingIsOfferedIfHttp11IsPreferred() throws Exception {
    ScriptedPeer.Script script = connection -> {
      while (connection.hasMore()) {
        String head = connection.expectHead();
        assertFalse(head.contains("Upgrade"), head);
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
      }
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = client().build();
        HttpClient other = client().version(Version.HTTP_1_1).build()) {
      HttpRequest request = to(peer).version(Version.HTTP_1_1).build();
      assertEquals("hi", client.send(request, BodyHandlers.ofString()).body());
      assertEquals("hi", other.send(to(peer).build(), BodyHandlers.ofString()).body());
    }
  }
}
