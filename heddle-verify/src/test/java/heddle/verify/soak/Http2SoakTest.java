package heddle.verify.soak;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.testkit.Cut;
import heddle.testkit.Direction;
import heddle.testkit.SimConnection;
import heddle.testkit.SimNetwork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The project's own client and server over HTTP/2 in one simulated world: bodies of all sizes, both
 * ways, read whole, in part or not at all, with deadlines, interrupts and cuts at random. Whatever
 * happens, each answer is right or an exception that says where, and nothing is left behind.
 */
@Timeout(300)
class Http2SoakTest {
  private static final int CALLERS = 12;
  private static final int CALLS = 15;

  private final AtomicInteger right = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  private static SimNetwork world(long seed) {
    return SimNetwork.builder()
        .seed(seed)
        .maxReadBytes(20_000)
        .maxWriteBytes(20_000)
        .sendBuffer(40_000)
        .latency(Duration.ZERO, Duration.ofMillis(3))
        .virtualTime()
        .build();
  }

  @Test
  void everyCallGetsItsOwnAnswer() throws Exception {
    long seed = System.nanoTime();
    run(seed, false);
    assertEquals(CALLERS * CALLS, right.get(), "calls answered, seed " + seed);
  }

  @Test
  void whateverIsCutOrCancelledNothingIsLeftBehind() throws Exception {
    long first = System.nanoTime();
    for (long seed = first; seed < first + 2; seed++) {
      run(seed, true);
    }
    assertTrue(right.get() > failed.get() / 4, right + " right and " + failed + " failed");
  }

  private void run(long seed, boolean rough) throws Exception {
    try (SimNetwork world = world(seed)) {
      Random faults = new Random(seed);
      if (rough) {
        world.onConnection(connection -> {
          Direction direction = faults.nextBoolean() ? Direction.TO_CLIENT : Direction.TO_SERVER;
          Cut how = faults.nextBoolean() ? Cut.END : Cut.RESET;
          connection.cutAfterBytes(direction, faults.nextInt(3_000_000), how);
        });
      }
      world.run(() -> {
        try (HttpServer server = server(world)) {
          talk(world, server, seed, rough);
          await(world, () -> server.active() == 0, "requests are active on the server");
        }
      });
    } catch (AssertionError | Exception e) {
      throw new AssertionError("seed " + seed + ": " + e, e);
    }
  }

  private static HttpServer server(SimNetwork world) throws IOException {
    return HttpServer.builder()
        .network(world.lasting())
        .executor(world.executor())
        .handler(request -> {
          Thread.currentThread().setName(request.method() + " " + request.path());
          if (request.method().equals(Method.GET)) {
            int length = Integer.parseInt(request.path().substring(1));
            Body body = length % 2 == 0
                ? Body.of(content(length))
                : Body.of(new ByteArrayInputStream(content(length)));
            return Response.ok(body);
          }
          return Response.ok(
              request.path().equals("/echo")
                  ? request.body()
                  : Body.of(request.body().bytes()));
        })
        .start();
  }

  private void talk(SimNetwork world, HttpServer server, long seed, boolean rough)
      throws IOException {
    String base = "http://localhost:" + server.port();
    try (HttpClient client = HttpClient.builder()
        .network(world.lasting())
        .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()))
        .poolLimits(
            PoolLimits.builder().maxStreamsPerConnection(5).maxHttp2PerRoute(2).build())
        .version(HttpVersion.HTTP_2)
        .build()) {
      List<Thread> callers = new ArrayList<>();
      AtomicInteger busy = new AtomicInteger(CALLERS);
      AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
      for (int i = 0; i < CALLERS; i++) {
        Random random = new Random(seed + i);
        Thread caller = world.threadFactory().newThread(() -> {
          try {
            for (int n = 0; n < CALLS; n++) {
              call(world, client, base, random, rough);
            }
          } catch (Throwable e) {
            wrong.compareAndSet(null, e);
          } finally {
            busy.decrementAndGet();
          }
        });
        callers.add(caller);
        caller.start();
      }
      Random interrupts = new Random(seed);
      while (busy.get() > 0) {
        world.sleep(Duration.ofMillis(7));
        if (rough) {
          callers.get(interrupts.nextInt(CALLERS)).interrupt();
        }
      }
      if (wrong.get() != null) {
        throw new AssertionError("a caller saw what it must not", wrong.get());
      }
      for (RouteSnapshot route : client.pool().routes()) {
        assertEquals(0, route.inFlight(), route::toString);
        assertEquals(0, route.pending(), route::toString);
      }
      await(
          world,
          () -> client.pool().open()
              == world.connections().stream().filter(c -> c.isClientOpen()).count(),
          "the pool's places are not the open connections");
    }
  }

  private static void await(SimNetwork world, BooleanSupplier condition, String what)
      throws IOException {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      assertTrue(i < 10_000, () -> what + ": " + state(world));
      world.sleep(Duration.ofMillis(10));
    }
  }

  /** What is open, and what each thread waits for; that of a request has its target as its name. */
  private static String state(SimNetwork world) {
    StringBuilder text = new StringBuilder();
    for (SimConnection connection : world.connections()) {
      if (connection.isOpen()) {
        text.append("\n%s: client %s, server %s, %,d bytes to the server, %,d to the client"
            .formatted(
                connection,
                connection.isClientOpen() ? "open" : "closed",
                connection.isServerOpen() ? "open" : "closed",
                connection.delivered(Direction.TO_SERVER),
                connection.delivered(Direction.TO_CLIENT)));
      }
    }
    return text.append("\n\n").append(Stacks.ofOurs()).toString();
  }

  private void call(SimNetwork world, HttpClient client, String base, Random random, boolean rough)
      throws IOException {
    int length = random.nextInt(4) == 0 ? random.nextInt(2_000_000) : random.nextInt(3_000);
    Request.Builder request = Request.builder(base + "/" + length);
    int kind = random.nextInt(4);
    if (kind > 0) {
      byte[] content = content(length);
      request
          .url(base + (kind == 1 ? "/echo" : "/whole"))
          .method(Method.POST)
          .body(kind == 2 ? Body.of(new ByteArrayInputStream(content), length) : Body.of(content));
    }
    if (rough && random.nextInt(4) == 0) {
      request.deadline(Duration.ofMillis(1 + random.nextInt(40)));
    }
    try (Response response = client.send(request.build())) {
      if (rough && response.status().equals(Status.BAD_REQUEST)) {
        // The server saw the end of a request that was cut, and could still say so.
        failed.incrementAndGet();
        return;
      }
      assertEquals(200, response.status().code());
      read(world, response, content(length), random);
      right.incrementAndGet();
    } catch (HttpException | InterruptedIOException e) {
      failed.incrementAndGet();
      if (!rough) {
        throw e;
      }
      Thread.interrupted();
    }
  }

  private static void read(SimNetwork world, Response response, byte[] expected, Random random)
      throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> {
        // Nobody reads it.
      }
      case 1 -> {
        InputStream stream = response.body().stream();
        byte[] part = stream.readNBytes(random.nextInt(expected.length + 1));
        for (int i = 0; i < part.length; i++) {
          assertEquals(expected[i], part[i]);
        }
      }
      case 2 -> {
        world.sleep(Duration.ofMillis(random.nextInt(20)));
        assertArrayEquals(expected, response.bytes());
      }
      default -> assertArrayEquals(expected, response.bytes());
    }
  }
}
