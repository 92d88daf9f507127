package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.Timeouts;
import heddle.client.spi.Interceptor.Hedges;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.Faults;
import heddle.testkit.SimWorld;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls that are made at the same time, hedged, interrupted and cancelled, in a world whose faults
 * follow a seed: each ends in time, and every connection is given back.
 */
@Timeout(120)
class SimultaneousCallsSoakTest {
  private static final int CALLERS = 4;
  private static final int ROUNDS = 6;
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final byte[] LARGE = new byte[50_000];

  private final AtomicInteger succeeded = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void nothingIsLeftBehind(int seed) throws Exception {
    try (SimWorld world = SimWorld.of(seed, Faults.drawn(new Random(seed)))) {
      world.name("service.test", InetAddress.getLoopbackAddress());
      world.run(() -> {
        Hedges hedges =
            new Hedges(Duration.ofMillis(100), 2, response -> response.status().isSuccess());
        try (MockServer server = MockServer.builder()
                .network(world.network())
                .handler(request -> answer(world.random(request.target())))
                .start();
            HttpClient client = HttpClient.builder()
                .network(world.network().lasting())
                .resolver(world.resolver())
                .interceptor((request, chain) -> chain.proceed(request, hedges))
                .timeouts(Timeouts.builder().call(DEADLINE).build())
                .build()) {
          List<CompletableFuture<Void>> callers = new ArrayList<>();
          for (int i = 0; i < CALLERS; i++) {
            callers.add(start(world, client, server.port(), i));
          }
          for (CompletableFuture<Void> caller : callers) {
            caller.get();
          }
          world.calmDown();
          while (uses(client) > 0) {
            world.network().sleep(Duration.ofMillis(10));
          }
          assertEquals(0, client.pool().leaked());
        }
      });
    }
    assertEquals(CALLERS * ROUNDS, succeeded.get() + failed.get());
    assertTrue(succeeded.get() > 0, "no call succeeded");
  }

  private static int uses(HttpClient client) {
    return client.pool().routes().stream()
        .mapToInt(SimultaneousCallsSoakTest::uses)
        .sum();
  }

  private static int uses(RouteSnapshot route) {
    return route.inUse() + route.pending() + route.inFlight();
  }

  private static MockResponse answer(Random random) {
    MockResponse response =
        switch (random.nextInt(4)) {
          case 0 -> MockResponse.of(503).body("busy");
          case 1 -> MockResponse.ok(LARGE);
          default -> MockResponse.ok("ok");
        };
    return response.after(Duration.ofMillis(random.nextInt(300)));
  }

  private CompletableFuture<Void> start(SimWorld world, HttpClient client, int port, int number) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Random random = world.random("caller " + number);
    world.network().executor().execute(() -> {
      try {
        for (int round = 0; round < ROUNDS; round++) {
          Duration start = Duration.ofNanos(world.network().clock().nanoTime());
          try {
            use(client, port, random);
            succeeded.incrementAndGet();
          } catch (IOException e) {
            failed.incrementAndGet();
          }
          Thread.interrupted();
          Duration end = Duration.ofNanos(world.network().clock().nanoTime());
          Duration most = DEADLINE.plus(world.faults().maxLeap()).plus(Duration.ofSeconds(1));
          assertTrue(end.minus(start).compareTo(most) <= 0, () -> "took " + end.minus(start));
        }
        done.complete(null);
      } catch (Throwable e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }

  private static void use(HttpClient client, int port, Random random) throws IOException {
    List<HttpCall> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String url = "http://service.test:%d/%d".formatted(port, random.nextInt(1_000_000));
      calls.add(client.newCall(Request.get(url)));
    }
    if (random.nextInt(5) == 0) {
      calls.get(random.nextInt(3)).cancel();
    }
    if (random.nextInt(8) == 0) {
      Thread.currentThread().interrupt();
    }
    switch (random.nextInt(4)) {
      case 0 -> {
        List<Response> all = HttpCalls.all(calls);
        try {
          for (Response each : all) {
            each.bytes();
          }
        } finally {
          for (Response each : all) {
            each.close();
          }
        }
      }
      case 1 -> read(HttpCalls.firstSuccess(calls));
      case 2 -> read(HttpCalls.hedged(Duration.ofMillis(50), calls));
      default -> read(calls.getFirst().execute());
    }
  }

  private static void read(Response response) throws IOException {
    try (response) {
      response.bytes();
    }
  }
}
