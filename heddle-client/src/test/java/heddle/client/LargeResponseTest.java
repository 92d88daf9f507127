package heddle.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ConnectionLostException;
import heddle.testkit.Direction;
import heddle.testkit.RawConnection;
import heddle.testkit.SimNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Content larger than what may wait unread, readers slower than the server. */
@Timeout(60)
class LargeResponseTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String SIX = OK + "Content-Length: 6\r\n\r\nHello!";

  @AutoClose
  private ClientWorld world = new ClientWorld();

  private static final int MUCH = 3_000_000;

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static void sendMuch(RawConnection c, byte[] content) throws IOException {
    c.expectHead();
    c.send(OK + "Content-Length: " + content.length + "\r\n\r\n");
    c.send(content);
  }

  @Test
  void slowReaderPausesTheServerAndLosesNothing() throws Exception {
    byte[] content = noise(MUCH);
    world.serve(c -> {
      sendMuch(c, content);
      c.expectEnd();
    });
    world.visit(peer -> {
      try (Response response = world.get(peer)) {
        world.network.sleep(Duration.ofSeconds(20));
        long before = world.network.connections().getFirst().delivered(Direction.TO_CLIENT);
        assertTrue(before < 1_000_000, before + " bytes were taken before the body was read");
        InputStream in = response.body().stream();
        byte[] read = new byte[MUCH];
        int size = 0;
        while (size < MUCH) {
          size += in.readNBytes(read, size, Math.min(100_000, MUCH - size));
          world.network.sleep(Duration.ofMillis(100));
        }
        assertEquals(-1, in.read());
        assertArrayEquals(content, read);
      }
      assertEquals(1, world.pool().open());
    });
  }

  @Test
  void silenceIsNotHeldAgainstAServerThatIsNotListenedTo() throws Exception {
    byte[] content = noise(MUCH);
    world.close();
    world = new ClientWorld(Timeouts.builder().call(Duration.ofHours(1)).build());
    world.serve(c -> {
      sendMuch(c, content);
      c.expectEnd();
    });
    world.visit(peer -> {
      try (Response response = world.get(peer)) {
        world.network.sleep(Duration.ofMinutes(2));
        assertArrayEquals(content, response.bytes());
      }
    });
  }

  @Test
  void connectionWhoseReadingWasPausedServesTheNextCall() throws Exception {
    byte[] content = noise(300_000);
    world.close();
    // What is written at once is read at once: the piece that lets the reading pause is the last.
    world = new ClientWorld(SimNetwork.builder().sendBuffer(10_000));
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: " + 263_000 + "\r\n\r\n");
      c.send(Arrays.copyOf(content, 262_000));
      c.sleep(Duration.ofSeconds(1));
      c.send(Arrays.copyOfRange(content, 262_000, 263_000));
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      Response response = world.get(peer);
      world.until(() ->
          world.network.connections().getFirst().delivered(Direction.TO_CLIENT) >= 256 * 1024);
      InputStream in = response.body().stream();
      world.network.sleep(Duration.ofSeconds(2));
      in.close();
      assertEquals("Hello!", world.get(peer).string());
    });
  }

  @Test
  void bodyIsReadByAnotherThreadThanTheCaller() throws Exception {
    byte[] content = noise(MUCH);
    world.serve(c -> {
      sendMuch(c, content);
      c.expectEnd();
    });
    world.visit(peer -> {
      Body body = world.get(peer).body();
      CompletableFuture<byte[]> read = new CompletableFuture<>();
      world.network.executor().execute(() -> {
        try {
          read.complete(body.bytes());
        } catch (IOException e) {
          read.completeExceptionally(e);
        }
      });
      assertArrayEquals(content, read.get());
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void megabyteSurvivesTinyReadsAndWrites() throws Exception {
    byte[] content = noise(1 << 20);
    SimNetwork.Builder tiny =
        SimNetwork.builder().seed(4).maxReadBytes(9_000).maxWriteBytes(9_000).sendBuffer(20_000);
    try (ClientWorld pieces = new ClientWorld(tiny)) {
      pieces.serve(c -> {
        String message = c.expectHead();
        assertTrue(message.contains("Content-Length: 1048576\r\n"), message);
        byte[] echo = c.expectBytes(content.length);
        c.send(OK + "Content-Length: " + echo.length + "\r\n\r\n");
        c.send(echo);
        c.expectEnd();
      });
      pieces.visit(peer -> {
        Request request = Request.post(peer.url("/"), Body.of(content));
        try (Response response = pieces.client.send(request)) {
          assertArrayEquals(content, response.bytes());
        }
      });
    }
  }

  @Test
  void whatIsDiscardedNeverPausesTheServerAndFreesTheConnection() throws Exception {
    byte[] content = noise(MUCH);
    world.serve(c -> {
      sendMuch(c, content);
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      assertEquals(MUCH, world.get(peer).body().discard());
      assertEquals("Hello!", world.get(peer).string());
      assertEquals(1, world.pool().open());
    });
  }

  @Test
  void discardingTellsThatTheContentBrokeOff() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: " + MUCH + "\r\n\r\n");
      c.send(noise(MUCH / 2));
      c.close();
    });
    world.visit(peer -> {
      Body body = world.get(peer).body();
      assertThrows(ConnectionLostException.class, body::discard);
      assertEquals(0, world.inUse());
    });
  }

  @Test
  void poolLimitsHoldEachConnectionForItsBody() throws Exception {
    world.close();
    world = new ClientWorld(PoolLimits.builder().maxPerRoute(1).build());
    world.serve(c -> {
      c.expectHead();
      c.send(OK + "Content-Length: 6\r\n\r\nHel");
      c.sleep(Duration.ofSeconds(2));
      c.send("lo!");
      c.expectHead();
      c.send(SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      Response first = world.get(peer);
      ClientWorld.Running second = world.start(Request.get(peer.url("/")));
      world.until(() -> world.pending() == 1);
      assertEquals("Hello!", first.string());
      assertEquals("Hello!", second.outcome().get().string());
    });
  }
}
