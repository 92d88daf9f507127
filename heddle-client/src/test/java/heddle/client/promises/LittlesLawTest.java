package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.ClientWorld;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.RawConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 6: Little's law is on the table")
@Timeout(60)
class LittlesLawTest {
  private static void answerIn200Millis(RawConnection c) throws IOException {
    while (c.hasMore()) {
      c.expectHead();
      c.sleep(Duration.ofMillis(200));
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
    }
  }

  /** Forty calls a second of 200 ms each need eight connections; it has four. */
  @Test
  void whoseLimitIsTooLowIsToldWhichOneTheLoadNeeds() throws Exception {
    PoolLimits limits = PoolLimits.builder()
        .maxPerRoute(4)
        .acquireTimeout(Duration.ofSeconds(5))
        .build();
    try (ClientWorld world = new ClientWorld(client -> client.poolLimits(limits))) {
      world.visitMany(
          peer -> {
            List<CompletableFuture<Response>> calls = new ArrayList<>();
            AcquireTimeoutException refused = null;
            while (refused == null) {
              calls.add(world.client.sendAsync(Request.get(peer.url("/"))));
              world.network.sleep(Duration.ofMillis(25));
              refused = refused(calls);
            }
            assertNeedsEight(refused.pool().routes().getFirst());
            assertNeedsEight(world.pool().routes().getFirst());
            ClientWorld.assertSays(refused, "ms each need ");
            ClientWorld.assertSays(refused, "raise maxPerRoute, now 4");
            for (CompletableFuture<Response> call : calls) {
              world.untilOver(call);
            }
          },
          LittlesLawTest::answerIn200Millis);
    }
  }

  private static @Nullable AcquireTimeoutException refused(
      List<CompletableFuture<Response>> calls) {
    for (CompletableFuture<Response> call : calls) {
      if (call.isCompletedExceptionally()
          && call.exceptionNow() instanceof AcquireTimeoutException refused) {
        return refused;
      }
    }
    return null;
  }

  private static void assertNeedsEight(RouteSnapshot route) {
    assertEquals(40, route.arrivalRate(), 1);
    assertEquals(200.0, (double) route.meanTimeInUse().toMillis(), 1.0);
    assertEquals(8.0, route.neededInFlight(), 1.0);
    assertEquals(4, route.inFlight());
  }
}
