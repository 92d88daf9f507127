package heddle.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses whose body nobody reads to its end, closes, or can reach any more. */
@Timeout(60)
class LeakTest {
  private static final String HALF = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHel";

  private final ClientWorld world = new ClientWorld();

  @AfterEach
  void endWorld() {
    world.close();
  }

  /** In a method of its own, whose frame holds nothing once it has returned. */
  private void leak(ScriptedPeer peer) throws IOException {
    assertEquals(200, world.get(peer).status().code());
  }

  private InputStream streamOf(ScriptedPeer peer) throws IOException {
    return world.get(peer).body().stream();
  }

  private void collect() throws IOException {
    System.gc();
    world.network.sleep(Duration.ofMillis(1));
  }

  @Test
  void theConnectionOfABodyThatIsGarbageIsTakenBack() throws Exception {
    world.visit(
        peer -> {
          leak(peer);
          assertEquals(1, world.inUse());
          while (world.pool().leaked() == 0 || world.inUse() > 0) {
            collect();
          }
          assertEquals(0, world.pool().open());
          assertEquals(1, world.pool().leaked());
        },
        c -> {
          c.expectHead();
          c.send(HALF);
          c.expectEnd();
        });
  }

  @Test
  void aBodyWhoseStreamSomebodyHoldsIsNotTakenFromThem() throws Exception {
    world.visit(
        peer -> {
          InputStream in = streamOf(peer);
          for (int i = 0; i < 20; i++) {
            collect();
          }
          assertEquals(1, world.inUse());
          assertEquals("Hello!", new String(in.readAllBytes(), US_ASCII));
          assertEquals(0, world.inUse());
          assertEquals(0, world.pool().leaked());
        },
        c -> {
          c.expectHead();
          c.send(HALF);
          c.sleep(Duration.ofSeconds(5));
          c.send("lo!");
          c.expectEnd();
        });
  }

  @Test
  void aBodyThatWasReadOrClosedIsNotReported() throws Exception {
    world.visitMany(
        peer -> {
          try (Response response = world.get(peer)) {
            assertEquals("Hello!", response.string());
          }
          world.get(peer).close();
          for (int i = 0; i < 20; i++) {
            collect();
          }
          assertEquals(0, world.pool().leaked());
          assertTrue(world.pool().open() <= 1);
        },
        c -> {
          while (c.hasMore()) {
            c.expectHead();
            c.send(HALF);
            c.sleep(Duration.ofMillis(1));
            c.send("lo!");
          }
        });
  }
}
