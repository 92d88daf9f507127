package heddle.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.Cut;
import heddle.testkit.Direction;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimConnection;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many calls over a network that delays, cuts into pieces and breaks off where a seed says: each
 * ends in time, with the right content or an exception of ours, and nothing is left behind.
 */
@Timeout(120)
class ClientSoakTest {
  private static final int SEEDS = 24;
  private static final int CALLERS = 6;
  private static final int CALLS = 6;
  private static final int CONNECTIONS = 3;
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  @Test
  void everyCallEndsInTimeWithItsContentOrANamedFailure() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      try {
        soak(seed);
      } catch (ExecutionException e) {
        throw new AssertionError("seed " + seed + ": " + e.getCause(), e.getCause());
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
    assertEquals(SEEDS * CALLERS * CALLS, answered.get() + failed.get());
    // Otherwise the soak would show nothing.
    assertTrue(failed.get() > 50, failed + " calls failed");
    assertTrue(answered.get() > 200, answered + " calls were answered");
  }

  private void soak(int seed) throws Exception {
    Random random = new Random(seed);
    SimNetwork.Builder builder = SimNetwork.builder()
        .seed(seed)
        .latency(Duration.ZERO, Duration.ofMillis(random.nextInt(20)))
        .maxReadBytes(200 + random.nextInt(4_000))
        .maxWriteBytes(500 + random.nextInt(4_000))
        .sendBuffer(1_000 + random.nextInt(5_000));
    try (ClientWorld world = new ClientWorld(
        builder,
        Timeouts.builder().call(DEADLINE).silence(Duration.ofSeconds(8)).build(),
        PoolLimits.builder().maxPerRoute(CONNECTIONS).build())) {
      world.network.onConnection(connection -> prepareFault(connection, random));
      world.visitMany(
          peer -> {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
              callers.add(callAll(world, peer, new Random(seed * 100L + i)));
            }
            for (CompletableFuture<Void> caller : callers) {
              caller.get();
            }
            assertEquals(0, world.inUse());
            assertEquals(0, world.pending());
            assertTrue(world.pool().open() <= CONNECTIONS);
          },
          ClientSoakTest::echo);
    }
  }

  /** On the loop alone, so that the random source has one user. */
  private static void prepareFault(SimConnection connection, Random random) {
    Direction direction = random.nextBoolean() ? Direction.TO_SERVER : Direction.TO_CLIENT;
    long bytes = random.nextInt(20_000);
    switch (random.nextInt(5)) {
      case 0 -> connection.cutAfterBytes(direction, bytes, Cut.END);
      case 1, 2 -> connection.cutAfterBytes(direction, bytes, Cut.RESET);
      case 3 -> {
        if (random.nextInt(4) == 0) {
          connection.stall(direction);
        }
      }
      default -> {
        // This one works.
      }
    }
  }

  private CompletableFuture<Void> callAll(ClientWorld world, ScriptedPeer peer, Random random) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    world.network.executor().execute(() -> {
      try {
        for (int i = 0; i < CALLS; i++) {
          call(world, peer, random);
        }
        done.complete(null);
      } catch (Throwable e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }

  private void call(ClientWorld world, ScriptedPeer peer, Random random) throws IOException {
    byte[] content = new byte[1 + random.nextInt(6_000)];
    random.nextBytes(content);
    Body body =
        switch (random.nextInt(3)) {
          case 0 -> Body.of(content);
          case 1 -> Body.of(new ByteArrayInputStream(content), content.length);
          default -> Body.replayable(Body.UNKNOWN, () -> new ByteArrayInputStream(content));
        };
    Request request =
        random.nextBoolean() ? Request.post(peer.url("/"), body) : Request.put(peer.url("/"), body);
    boolean closesEarly = random.nextInt(10) == 0;
    Duration start = world.now();
    try (Response response = world.client.send(request)) {
      if (!closesEarly) {
        assertArrayEquals(content, response.bytes());
      }
      answered.incrementAndGet();
    } catch (HttpException e) {
      assertTrue(e.at() != null, e.toString());
      failed.incrementAndGet();
    }
    Duration took = world.now().minus(start);
    assertTrue(took.compareTo(DEADLINE) <= 0, "a call ended after " + took);
  }

  /** Sends the content of each request back, now with its length and now in chunks. */
  private static void echo(RawConnection c) throws IOException {
    try {
      for (boolean chunked = false; c.hasMore(); chunked = !chunked) {
        String request = c.expectMessage();
        byte[] content = contentOf(request);
        if (chunked) {
          c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
              + Integer.toHexString(content.length) + "\r\n");
          c.send(content);
          c.send("\r\n0\r\n\r\n");
        } else {
          c.send("HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n");
          c.send(content);
        }
      }
    } catch (IOException | AssertionError e) {
      // The connection was cut, or the request was: the script ends and closes it.
    }
  }

  private static byte[] contentOf(String request) {
    int end = request.indexOf("\r\n\r\n") + 4;
    String content = request.substring(end);
    if (!request.substring(0, end).contains("Transfer-Encoding: chunked")) {
      return content.getBytes(ISO_8859_1);
    }
    StringBuilder whole = new StringBuilder();
    int at = 0;
    while (true) {
      int line = content.indexOf("\r\n", at);
      int size = Integer.parseInt(content.substring(at, line), 16);
      if (size == 0) {
        return whole.toString().getBytes(ISO_8859_1);
      }
      whole.append(content, line + 2, line + 2 + size);
      at = line + 2 + size + 2;
    }
  }
}
