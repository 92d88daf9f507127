package heddle.server;

import heddle.codec.http2.frame.ErrorCode;
import heddle.http.Response;
import heddle.server.spi.Handler;
import heddle.testkit.Http2Peer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of a request's content when the answer came before it. */
class Http2EarlyAnswerTest {
  private static final Handler HASTY = request -> Response.ok("no need");

  /** Asks with content to follow, and gets the answer before any of it was sent. */
  private static void answeredBefore(Http2Peer client, int id, String... fields)
      throws IOException {
    client.sendRequest(id, "POST", "/", false, fields);
    client.expectResponse(id, 200);
    client.expectContent(id);
  }

  @Test
  void contentThatIsOnItsWayIsThrownAwayWithoutAReset() throws Exception {
    Http2World.play(HASTY, (world, client) -> {
      client.handshake();
      for (int id = 1; id < 101; id += 2) {
        answeredBefore(client, id);
        client.sendContent(id, true, new byte[40_000]);
      }
      // Four times the connection's window: all of it was given back.
      client.expectQuiet();
    });
  }

  @Test
  void muchContentIsRefusedWhereItPassesTheBound() throws Exception {
    Http2World.play(HASTY, (world, client) -> {
      client.handshake();
      answeredBefore(client, 1);
      long start = world.now();
      client.sendContent(1, false, new byte[66_000]);
      client.expectRst(1, ErrorCode.NO_ERROR);
      world.assertPassed(start, 0);
      client.sendGet(3, "/");
      client.expectResponse(3, 200);
    });
  }

  @Test
  void contentThatIsSaidToBeMuchIsRefusedAtOnce() throws Exception {
    Http2World.play(HASTY, (world, client) -> {
      client.handshake();
      long start = world.now();
      answeredBefore(client, 1, "content-length: 100000");
      client.expectRst(1, ErrorCode.NO_ERROR);
      world.assertPassed(start, 0);
    });
  }

  @Test
  void contentThatDoesNotEndIsRefusedAfterTwoSeconds() throws Exception {
    Http2World.play(HASTY, (world, client) -> {
      client.handshake();
      long start = world.now();
      answeredBefore(client, 1);
      client.expectRst(1, ErrorCode.NO_ERROR);
      world.assertPassed(start, 2);
      start = world.now();
      answeredBefore(client, 3);
      for (int i = 0; i < 3; i++) {
        client.sendData(3, false, "drop");
        world.network.sleep(Duration.ofMillis(600));
      }
      client.expectRst(3, ErrorCode.NO_ERROR);
      world.assertPassed(start, 2);
    });
  }

  @Test
  void contentOfAnotherLengthIsStillMalformed() throws Exception {
    Http2World.play(HASTY, (world, client) -> {
      client.handshake();
      answeredBefore(client, 1, "content-length: 4");
      client.sendData(1, false, "a");
      client.sendData(1, true, "b");
      client.expectRst(1, ErrorCode.PROTOCOL_ERROR);
    });
  }

  @Test
  void contentAfterTheClientsResetIsStillAnError() throws Exception {
    Http2World.play(HASTY, (world, client) -> {
      client.handshake();
      answeredBefore(client, 1);
      client.sendRst(1, ErrorCode.CANCEL);
      client.sendData(1, true, "late");
      client.expectRst(1, ErrorCode.STREAM_CLOSED);
    });
  }
}
