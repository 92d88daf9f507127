package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Request;
import heddle.http.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 13: names move")
@Timeout(60)
class NamesMoveTest {
  @Test
  void connectionsThatAreNeverIdleGrowNoOlderThanTheyMayAndEndApart() throws Exception {
    List<Duration> ages = new CopyOnWriteArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void connectionClosed(ConnectionInfo connection, Duration age) {
        ages.add(age);
      }
    };
    PoolLimits limits = PoolLimits.builder().maxAge(Duration.ofSeconds(10)).build();
    try (ClientWorld world =
        new ClientWorld(client -> client.poolLimits(limits).listener(listener))) {
      world.visitMany(
          peer -> {
            while (world.now().toSeconds() < 60) {
              List<CompletableFuture<Response>> together = new ArrayList<>();
              for (int i = 0; i < 4; i++) {
                together.add(world.client.sendAsync(Request.get(peer.url("/"))));
              }
              world.network.sleep(Duration.ofMillis(600));
              for (CompletableFuture<Response> call : together) {
                assertEquals("done", call.get().string());
              }
            }
            assertTrue(ages.size() >= 12, "they grow too old: " + ages);
            for (Duration age : ages) {
              boolean within = age.toMillis() >= 8_000 && age.toMillis() <= 12_000 + 600;
              assertTrue(within, "closed at the age of " + age);
            }
            assertTrue(ages.stream().distinct().count() >= 4, "they end together: " + ages);
          },
          c -> {
            while (c.hasMore()) {
              c.expectHead();
              c.sleep(Duration.ofMillis(500));
              c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
            }
          });
    }
  }
}
