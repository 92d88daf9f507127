package heddle.client.interim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the content of a request whose final response begins before its end. */
@Timeout(60)
class EarlyAnswerTest {
  private static final int PIECE = 50_000;
  private static final int PIECES = 20;
  private static final String BEGINNING =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n";
  private static final String END = "7\r\n and it\r\n0\r\n\r\n";

  @AutoClose
  private final ClientWorld world = new ClientWorld(builder -> builder);

  /** Content that comes in pieces, each after a while. */
  private final class Slow extends InputStream {
    private final Duration pause;
    private int left = PIECES;

    Slow(Duration pause) {
      this.pause = pause;
    }

    @Override
    public int read() {
      throw new IllegalStateException("read by the byte");
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      if (left == 0) {
        return -1;
      }
      if (pause.isPositive()) {
        world.network.sleep(pause);
      }
      left--;
      return PIECE;
    }
  }

  private Response post(ScriptedPeer peer, Duration pause) throws IOException {
    Body body = Body.of(new Slow(pause), PIECE * PIECES);
    return world.client.send(Request.post(peer.url("/"), body));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 600})
  void aServerThatHasBegunToSaySoGetsAllOfIt(int pauseMillis) throws Exception {
    world.serve(c -> {
      for (int i = 0; i < 2; i++) {
        c.expectHead();
        c.send(BEGINNING);
        c.expectBytes(PIECE * PIECES);
        c.send(END);
      }
      c.expectEnd();
    });
    world.visit(peer -> {
      for (int i = 0; i < 2; i++) {
        assertEquals("early and it", post(peer, Duration.ofMillis(pauseMillis)).string());
      }
    });
  }

  @Test
  void aServerThatHasSaidAllGetsItTooAndItsConnectionIsUsedAgain() throws Exception {
    world.serve(c -> {
      for (int i = 0; i < 2; i++) {
        c.expectHead();
        c.send(BEGINNING + END);
        c.expectBytes(PIECE * PIECES);
      }
      c.expectEnd();
    });
    world.visit(peer -> {
      for (int i = 0; i < 2; i++) {
        assertEquals("early and it", post(peer, Duration.ofMillis(100)).string());
      }
    });
  }

  @Test
  void contentThatIsSlowerIsGivenUp() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(BEGINNING + END);
      c.readToEnd();
    });
    world.visit(peer -> {
      Duration start = world.now();
      assertEquals("early and it", post(peer, Duration.ofMinutes(1)).string());
      assertTrue(world.now().minus(start).toSeconds() < 5, "the answer was handed over late");
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 400, 503})
  void aServerThatSaysNoGetsNoMore(int status) throws Exception {
    String answer = "HTTP/1.1 " + status + " No\r\nContent-Length: 2\r\n\r\nno";
    world.serve(c -> {
      c.expectHead();
      c.send(answer);
      assertTrue(c.readToEnd().length() < PIECE * PIECES);
    });
    world.visit(peer -> {
      Response response = post(peer, Duration.ofMillis(600));
      assertEquals(status, response.status().code());
      assertEquals("no", response.string());
    });
  }
}
