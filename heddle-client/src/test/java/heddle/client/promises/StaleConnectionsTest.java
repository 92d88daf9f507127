package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.ClientWorld;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.testkit.RawConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 10: a stale connection is not the user's problem")
@Timeout(60)
class StaleConnectionsTest {
  private static void answer(RawConnection c) throws IOException {
    c.expectMessage();
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
  }

  /**
   * A thread that holds a wake-up in advance spends it with its first park. The listener gives it
   * one when the pool is about to be asked, and looks when the connection has been acquired: before
   * and after that the thread may park, to wait for a class that another one loads or for the
   * answer.
   */
  @Test
  void theLookAtAnIdleConnectionCostsNoPark() throws Exception {
    List<Boolean> parked = new ArrayList<>();
    ExchangeListener looks = new ExchangeListener() {
      @Override
      public void attemptStarted(AttemptInfo attempt) {
        LockSupport.unpark(Thread.currentThread());
      }

      @Override
      public void acquired(
          AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
        parked.add(reused && hasParked());
      }
    };
    try (ClientWorld world = new ClientWorld(client -> client.listener(looks))) {
      world.serve(c -> {
        while (c.hasMore()) {
          answer(c);
        }
      });
      world.visit(peer -> {
        for (int i = 0; i < 5; i++) {
          assertEquals("done", world.get(peer).string());
          world.network.sleep(Duration.ofSeconds(10));
        }
      });
    }
    assertEquals(List.of(false, false, false, false, false), parked);
  }

  private static boolean hasParked() {
    long start = System.nanoTime();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    return System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(500);
  }
}
