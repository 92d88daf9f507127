package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.client.spi.PoolSnapshot;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Promise 3: a bounded, fair queue")
@Timeout(60)
class BoundedFairQueueTest {
  private static final Duration ACQUIRE = Duration.ofSeconds(7);

  private static ClientWorld world() {
    return new ClientWorld(client -> client.poolLimits(PoolLimits.builder()
        .maxPerRoute(1)
        .maxQueuedPerRoute(4)
        .acquireTimeout(ACQUIRE)
        .build()));
  }

  /** The targets of all requests, in the order in which they came. */
  private final List<String> served = new CopyOnWriteArrayList<>();

  /** Answers each request with its target. */
  private void echo(RawConnection c) throws IOException {
    while (c.hasMore()) {
      String target = c.expectHead().split(" ", 3)[1];
      served.add(target);
      c.send("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n".formatted(target.length()));
      c.send(target);
    }
  }

  /** Has the only connection for as long as its body is not read to the end. */
  private static Response hold(ClientWorld world, ScriptedPeer peer) throws IOException {
    return world.client.send(Request.get(peer.url("/" + "x".repeat(300_000))));
  }

  private static List<CompletableFuture<Response>> queueUp(
      ClientWorld world, ScriptedPeer peer, int count) throws IOException {
    List<CompletableFuture<Response>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int before = world.pending();
      calls.add(world.client.sendAsync(Request.get(peer.url("/" + calls.size()))));
      world.until(() -> world.pending() == before + 1);
    }
    return calls;
  }

  @Test
  void whoWaitsIsServedInTurnAndWhoIsCancelledLeavesAtOnce() throws Exception {
    try (ClientWorld world = world()) {
      world.visitMany(
          peer -> {
            Response held = hold(world, peer);
            List<CompletableFuture<Response>> calls = queueUp(world, peer, 4);
            Duration before = world.now();
            assertTrue(calls.get(1).cancel(false));
            world.until(() -> world.pending() == 3);
            assertTrue(world.now().minus(before).toMillis() <= 1, "it did not leave at once");
            calls.add(world.client.sendAsync(Request.get(peer.url("/late"))));
            world.until(() -> world.pending() == 4);
            held.close();
            calls.remove(1);
            for (CompletableFuture<Response> call : calls) {
              world.untilOver(call);
              call.get().close();
            }
            served.removeFirst();
            assertEquals(List.of("/0", "/2", "/3", "/late"), served);
          },
          this::echo);
    }
  }

  @ParameterizedTest
  @CsvSource({"5000, PT0.01S", "1000, PT1S"})
  void defaultsLetThousandsOfCallersOfOneHostWaitForTheirTurn(int callers, Duration answer)
      throws Exception {
    try (ClientWorld world = new ClientWorld(client -> client.poolLimits(PoolLimits.DEFAULTS))) {
      world.visitMany(
          peer -> {
            List<CompletableFuture<Response>> calls = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
              calls.add(world.start(Request.get(peer.url("/"))).outcome());
            }
            for (CompletableFuture<Response> call : calls) {
              world.untilOver(call);
              assertEquals("/", call.get().string());
            }
            assertEquals(256, peer.connections());
          },
          c -> {
            while (c.hasMore()) {
              c.expectHead();
              c.sleep(answer);
              c.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n/");
            }
          });
    }
  }

  @Test
  void aFullQueueAndAWaitThatIsTooLongAreTwoExceptionsWithASnapshotEach() throws Exception {
    try (ClientWorld world = world()) {
      world.visitMany(
          peer -> {
            Response held = hold(world, peer);
            List<CompletableFuture<Response>> calls = queueUp(world, peer, 4);
            Duration before = world.now();
            PoolQueueFullException full =
                assertThrows(PoolQueueFullException.class, () -> world.get(peer));
            assertEquals(before, world.now(), "a full queue is told at once");
            assertRefused(full, full.pool(), 4);
            for (CompletableFuture<Response> call : calls) {
              world.untilOver(call);
              AcquireTimeoutException late =
                  assertInstanceOf(AcquireTimeoutException.class, call.exceptionNow());
              assertEquals(ACQUIRE, late.at().elapsed());
              assertRefused(late, late.pool(), late.pool().routes().getFirst().pending());
            }
            assertEquals(0, world.pending());
            held.close();
            world.get(peer).close();
          },
          this::echo);
    }
  }

  private static void assertRefused(HttpException failure, PoolSnapshot pool, int pending) {
    assertEquals(Phase.QUEUE, failure.at().phase());
    assertEquals(Sent.NO, failure.at().sent());
    assertEquals(1, pool.open());
    PoolSnapshot.RouteSnapshot route = pool.routes().getFirst();
    assertEquals(1, route.inUse());
    assertEquals(pending, route.pending());
    ClientWorld.assertSays(failure, "maxPerRoute, now 1");
  }
}
