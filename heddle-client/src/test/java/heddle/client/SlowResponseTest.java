package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.SlowResponseException;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that asks for a minimum rate of responses: 240 bytes/s after 5 s, in virtual time. */
@Timeout(60)
class SlowResponseTest {
  private static final int LENGTH = 54_000;

  private static ClientWorld world(HttpVersion version) {
    return new ClientWorld(client -> {
      client.minResponseRate(240, Duration.ofSeconds(5));
      return version == HttpVersion.HTTP_2 ? client.version(version) : client;
    });
  }

  /** A server that sends this many bytes at a time, with a pause before each piece. */
  private static ScriptedPeer.Script sending(HttpVersion version, int bytes, Duration pause) {
    if (version == HttpVersion.HTTP_2) {
      return Http2Peer.server(h2 -> {
        h2.handshake();
        int stream = h2.expectHeaders().streamId();
        h2.sendHeaders(stream, false, ":status: 200");
        for (int sent = 0; sent < LENGTH; sent += bytes) {
          h2.connection().sleep(pause);
          h2.sendContent(stream, sent + bytes >= LENGTH, new byte[bytes]);
        }
        h2.expectEnd();
      });
    }
    return c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: " + LENGTH + "\r\n\r\n");
      for (int sent = 0; sent < LENGTH; sent += bytes) {
        c.sleep(pause);
        c.send(new byte[bytes]);
      }
      c.expectEnd();
    };
  }

  /** The same, until the client has gone. */
  private static ScriptedPeer.Script untilItGoes(ScriptedPeer.Script script) {
    return c -> {
      try {
        script.run(c);
      } catch (IOException | AssertionError e) {
        assertTrue(true, "the client has closed the connection or reset the stream");
      }
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void trickledResponseFailsByName(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(untilItGoes(sending(version, 1, Duration.ofSeconds(2))));
      world.visit(peer -> {
        Duration start = world.now();
        Response response = world.client.send(Request.get(peer.url("/")));
        SlowResponseException failure = assertThrows(SlowResponseException.class, response::bytes);
        ClientWorld.assertSays(failure, "240 bytes/s after PT5S");
        ClientWorld.assertSays(failure, "minResponseRate");
        assertTrue(world.now().minus(start).toSeconds() < 12, world.now()::toString);
        world.client.close();
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void responseAt300BytesPerSecondIsReadForMinutes(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(untilItGoes(sending(version, 300, Duration.ofSeconds(1))));
      world.visit(peer -> {
        Request request = Request.builder(peer.url("/")).noDeadline().build();
        assertEquals(LENGTH, world.client.send(request).bytes().length);
        world.client.close();
      });
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void bodyThatIsNotReadIsNotHeldAgainstTheServer(HttpVersion version) throws Exception {
    try (ClientWorld world = world(version)) {
      world.serve(untilItGoes(sending(version, LENGTH, Duration.ofSeconds(1))));
      world.visit(peer -> {
        Request request = Request.builder(peer.url("/")).noDeadline().build();
        Response response = world.client.send(request);
        world.network.sleep(Duration.ofMinutes(3));
        assertEquals(LENGTH, response.bytes().length);
        world.client.close();
      });
    }
  }
}
