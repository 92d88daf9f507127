package heddle.adapters.jdk.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.jdk.HeddleHttpClient;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Heads of responses as large, and in as many frames, as the JDK's client accepts. */
@Timeout(60)
class HeadsTest {
  private static final int FRAME = 16_000;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  private static List<String> fields(int count, int size) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add("x-" + i + ": " + "v".repeat(size));
    }
    return fields;
  }

  private static HttpResponse<String> get(List<String> fields) throws Exception {
    String head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + String.join("\r\n", fields);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      try {
        connection.send(head + "\r\n\r\nhi");
      } catch (IOException e) {
        return; // The client accepts no more of it.
      }
      connection.drain();
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client =
            HeddleHttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url("/")))
          .version(Version.HTTP_1_1)
          .build();
      return client.send(request, BodyHandlers.ofString());
    }
  }

  @Test
  void aHeadMayHaveSome384Kibibytes() throws Exception {
    assertEquals(371, get(fields(370, 1_000)).headers().map().size());
    assertEquals(2_001, get(fields(2_000, 1)).headers().map().size());
    ProtocolException refused =
        assertThrows(ProtocolException.class, () -> get(fields(400, 1_000)));
    assertTrue(refused.getMessage().startsWith("the server's response is not valid HTTP: "));
  }

  /** Sends the head in a frame of this number of bytes, and others. */
  private static void send(Http2Peer h2, int stream, int first, int others, List<String> fields)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(":status: 200"));
    all.addAll(fields);
    ByteBuffer block = Http2Peer.block(all.toArray(String[]::new));
    h2.sendFrame(1, block.remaining() > first ? 0 : END_HEADERS, stream, next(block, first));
    while (block.hasRemaining()) {
      byte[] part = next(block, others);
      h2.sendFrame(CONTINUATION, block.hasRemaining() ? 0 : END_HEADERS, stream, part);
    }
    h2.sendData(stream, true, "hi");
  }

  private static byte[] next(ByteBuffer block, int bytes) {
    byte[] part = new byte[Math.min(bytes, block.remaining())];
    block.get(part);
    return part;
  }

  @Test
  void aHeadOfHttp2MayHaveSome384Kibibytes() throws Exception {
    try (Http2Server server =
        new Http2Server((h2, stream) -> send(h2, stream, FRAME, FRAME, fields(360, 1_000)))) {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> response = server.get();
        assertEquals("hi", response.body());
        assertEquals(1_000, response.headers().firstValue("x-359").orElseThrow().length());
      }
    }
  }

  @Test
  void aHeadOfHttp2MayComeByteByByte() throws Exception {
    try (Http2Server server =
        new Http2Server((h2, stream) -> send(h2, stream, 1, 1, fields(10, 10)))) {
      assertEquals("v".repeat(10), server.get().headers().firstValue("x-9").orElseThrow());
    }
  }
}
