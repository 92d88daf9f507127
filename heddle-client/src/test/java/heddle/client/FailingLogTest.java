package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.CallInfo;
import heddle.client.spi.ExchangeListener;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A logger that fails has no effect on calls and connections. */
@Timeout(60)
class FailingLogTest {
  private final Logger logger = Logger.getLogger("heddle.client");
  private final AtomicInteger records = new AtomicInteger();
  private final Handler failing = new Handler() {
    @Override
    public void publish(LogRecord record) {
      records.incrementAndGet();
      throw new NoClassDefFoundError("injected into the log");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  @BeforeEach
  void begin() {
    logger.addHandler(failing);
  }

  @AfterEach
  void end() {
    logger.removeHandler(failing);
  }

  private static void leak(ClientWorld world, ScriptedPeer peer) throws IOException {
    assertEquals(200, world.get(peer).status().code());
  }

  @Test
  void theConnectionOfABodyThatIsGarbageIsTakenBack() throws Exception {
    try (ClientWorld world = new ClientWorld()) {
      world.serve(c -> {
        c.expectHead();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHel");
        c.expectEnd();
      });
      world.visit(peer -> {
        leak(world, peer);
        while (world.pool().leaked() == 0 || world.inUse() > 0) {
          System.gc();
          world.network.sleep(Duration.ofMillis(1));
        }
        assertTrue(records.get() > 0, "nothing was logged");
      });
    }
  }

  @Test
  void aListenerThatThrowsHasNoEffectOnItsCall() throws Exception {
    ExchangeListener throwing = new ExchangeListener() {
      @Override
      public void callStarted(CallInfo call) {
        throw new IllegalStateException("a listener that a test makes throw");
      }
    };
    try (ClientWorld world = new ClientWorld(client -> client.listener(throwing))) {
      world.visit(peer -> assertEquals("Hello!", world.get(peer).string()), c -> {
        c.expectHead();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!");
      });
      assertTrue(records.get() > 0, "nothing was logged");
    }
  }
}
