package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long the client keeps idle connections, by what their server says and does. */
@Timeout(60)
class IdleConnectionsTest {
  private static final String SIX = "Content-Length: 6\r\n\r\nHello!";

  @AutoClose
  private final ClientWorld world = new ClientWorld();

  private void assertOpenAfter(long millis, int open) throws IOException {
    world.network.sleep(Duration.ofMillis(millis));
    assertEquals(open, world.pool().open());
  }

  @Test
  void theServersKeepAliveTimeoutIsNotWaitedFor() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2, max=100\r\n" + SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      assertEquals("Hello!", world.get(peer).string());
      assertOpenAfter(1_700, 1);
      assertOpenAfter(200, 0);
    });
  }

  @Test
  void unusedConnectionsCloseOnDemand() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\n" + SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      assertEquals("Hello!", world.get(peer).string());
      world.network.sleep(Duration.ofSeconds(3));
      assertEquals(0, world.client.closeIdle(Duration.ofMillis(3_500)));
      assertEquals(1, world.pool().open());
      assertEquals(1, world.client.closeIdle(Duration.ofSeconds(3)));
      assertEquals(0, world.pool().open());
      assertEquals(0, world.client.closeIdle(Duration.ZERO));
      assertThrows(
          IllegalArgumentException.class, () -> world.client.closeIdle(Duration.ofNanos(-1)));
    });
  }

  @Test
  void whatTheServerAllowsIsLearnedForTheNextConnection() throws Exception {
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\n" + SIX);
      c.sleep(Duration.ofSeconds(3));
    });
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\n" + SIX);
      c.expectEnd();
    });
    world.visit(peer -> {
      assertEquals("Hello!", world.get(peer).string());
      assertOpenAfter(5_000, 0);
      assertEquals("Hello!", world.get(peer).string());
      assertOpenAfter(2_500, 1);
      assertOpenAfter(500, 0);
    });
  }
}
