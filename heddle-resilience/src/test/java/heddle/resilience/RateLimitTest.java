package heddle.resilience;

import static heddle.resilience.SimulatedCalls.visit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.settings.Timeouts;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import heddle.testkit.mock.MockResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many calls a limit lets through, and what becomes of the others. In virtual time. */
@Timeout(60)
final class RateLimitTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static RateLimit.Builder tenPerSecond() {
    return RateLimit.builder(10, SECOND);
  }

  /** When each of several calls that are made at once is answered, in milliseconds. */
  private static List<Long> answered(SimulatedCalls world, int calls) throws Exception {
    List<CompletableFuture<Duration>> all = new ArrayList<>();
    long start = world.now().toMillis();
    for (int i = 0; i < calls; i++) {
      all.add(world.start(world.server.url("/")));
    }
    List<Long> times = new ArrayList<>();
    for (CompletableFuture<Duration> each : all) {
      times.add(each.get().toMillis() - start);
    }
    return times.stream().sorted().toList();
  }

  @Test
  void callsAreSpreadEvenly() throws Exception {
    visit(
        client -> client.interceptor(RateLimit.of(10, SECOND)),
        world -> assertEquals(List.of(0L, 100L, 200L, 300L), answered(world, 4)));
  }

  @Test
  void burstIsLetThroughAtOnce() throws Exception {
    visit(client -> client.interceptor(tenPerSecond().burst(3).build()), world -> {
      assertEquals(List.of(0L, 0L, 0L, 100L, 200L), answered(world, 5));
      world.network.sleep(Duration.ofMinutes(1));
      assertEquals(List.of(0L, 0L, 0L, 100L), answered(world, 4));
    });
  }

  @Test
  void eachOriginHasItsLimit() throws Exception {
    visit(client -> client.interceptor(tenPerSecond().build()), world -> {
      Duration start = world.now();
      for (String host : List.of("a.test", "b.test", "c.test")) {
        world.start("http://" + host + ":" + world.server.port() + "/").get();
      }
      assertEquals(start, world.now());
    });
  }

  @Test
  void allOriginsMayHaveOneLimitTogether() throws Exception {
    visit(client -> client.interceptor(tenPerSecond().forAllOrigins().build()), world -> {
      Duration start = world.now();
      for (String host : List.of("a.test", "b.test", "c.test")) {
        world.start("http://" + host + ":" + world.server.port() + "/").get();
      }
      assertEquals(Duration.ofMillis(200), world.now().minus(start));
    });
  }

  @Test
  void originsBeyondTheirNumberShareALimit() throws Exception {
    visit(client -> client.interceptor(tenPerSecond().maxOrigins(2).build()), world -> {
      Duration start = world.now();
      List<CompletableFuture<Duration>> calls = new ArrayList<>();
      for (String host : List.of("a.test", "b.test", "c.test", "d.test", "e.test")) {
        calls.add(world.start("http://" + host + ":" + world.server.port() + "/"));
      }
      for (CompletableFuture<Duration> each : calls) {
        each.get();
      }
      assertEquals(Duration.ofMillis(200), world.now().minus(start), "c, d and e share one");
      world.network.sleep(SECOND);
      start = world.now();
      for (String host : List.of("f.test", "g.test")) {
        world.start("http://" + host + ":" + world.server.port() + "/").get();
      }
      assertEquals(start, world.now(), "a and b have made room");
    });
  }

  private static RateLimitedException refused(Executable call) {
    return assertThrows(RateLimitedException.class, call);
  }

  @Test
  void callThatCannotBeMadeInTimeFailsAtOnce() throws Exception {
    visit(
        client -> client
            .interceptor(RateLimit.of(1, SECOND))
            .timeouts(Timeouts.builder().call(Duration.ofMillis(900)).build()),
        world -> {
          world.get("/").close();
          Duration start = world.now();
          RateLimitedException refused = refused(() -> world.get("/"));
          assertEquals(start, world.now());
          assertEquals(SECOND, refused.allowedAfter());
          assertEquals(Sent.NO, refused.at().sent());
          assertTrue(refused.getMessage().contains("(1 per PT1S)"), refused.getMessage());
          world.network.sleep(Duration.ofMillis(200));
          world.get("/").close();
          assertEquals(SECOND, world.now().minus(start), "the call that was refused took none");
        });
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "2, 200"})
  void callsBeyondMaxWaitingAreRefused(int most, long lastMillis) throws Exception {
    visit(client -> client.interceptor(tenPerSecond().maxWaiting(most).build()), world -> {
      List<CompletableFuture<Duration>> calls = new ArrayList<>();
      Duration start = world.now();
      world.get("/").close();
      for (int i = 0; i < most; i++) {
        calls.add(world.start(world.server.url("/")));
      }
      world.network.sleep(Duration.ofMillis(1));
      RateLimitedException refused = refused(() -> world.get("/"));
      assertTrue(refused.getMessage().contains(most + " calls wait already"), refused.getMessage());
      Duration last = start;
      for (CompletableFuture<Duration> each : calls) {
        last = each.get().compareTo(last) > 0 ? each.get() : last;
      }
      assertEquals(lastMillis, last.minus(start).toMillis());
    });
  }

  @Test
  void callThatIsCancelledWhileItWaitsMakesRoom() throws Exception {
    visit(
        client -> client.interceptor(RateLimit.builder(1, SECOND).maxWaiting(1).build()), world -> {
          Duration start = world.now();
          world.get("/").close();
          HttpCall waits = world.client.newCall(Request.get(world.server.url("/")));
          var outcome = waits.executeAsync();
          world.network.sleep(Duration.ofMillis(1));
          refused(() -> world.get("/"));
          waits.cancel();
          ExecutionException failure = assertThrows(ExecutionException.class, outcome::get);
          assertInstanceOf(CallCancelledException.class, failure.getCause());
          world.get("/").close();
          assertEquals(SECOND, world.now().minus(start));
          assertEquals(2, world.server.requests().size());
        });
  }

  @Test
  void closingTheClientEndsTheWait() throws Exception {
    visit(
        client -> client
            .interceptor(RateLimit.of(1, Duration.ofDays(1)))
            .timeouts(Timeouts.builder().head(Duration.ofDays(2)).build()),
        world -> {
          world.get("/").close();
          CompletableFuture<Duration> waits = world.start(world.server.url("/"));
          world.network.sleep(SECOND);
          world.client.close();
          ExecutionException failure = assertThrows(ExecutionException.class, waits::get);
          ClientClosedException closed =
              assertInstanceOf(ClientClosedException.class, failure.getCause());
          assertEquals(Phase.BACKOFF, closed.at().phase());
        });
  }

  @ParameterizedTest
  @CsvSource({
    "429, 3, 3100",
    "503, 'Thu, 01 Jan 1970 00:00:03 GMT', 3100",
    "429, 100000, 5100",
    "429, nonsense, 100",
    "500, 3, 100"
  })
  void retryAfterPausesTheLimitUpToABound(int status, String field, long millis) throws Exception {
    RateLimit limit = tenPerSecond()
        .pauseOnRetryAfter(Duration.ofSeconds(5))
        .wallClock(InstantSource.fixed(Instant.EPOCH))
        .build();
    visit(client -> client.interceptor(limit), world -> {
      world.server.enqueue(MockResponse.of(status).header("Retry-After", field));
      Duration start = world.now();
      world.get("/").close();
      world.get("/").close();
      assertEquals(millis, world.now().minus(start).toMillis());
    });
  }

  @Test
  void pauseHoldsForCallsThatWaitAlready() throws Exception {
    visit(
        client -> client.interceptor(
            tenPerSecond().pauseOnRetryAfter(Duration.ofSeconds(5)).build()),
        world -> {
          world.server.enqueue(
              MockResponse.of(429).header("Retry-After", "1").after(Duration.ofMillis(50)));
          assertEquals(List.of(50L, 1_100L, 1_200L), answered(world, 3));
        });
  }

  @Test
  void retryAfterIsIgnoredByDefault() throws Exception {
    visit(client -> client.interceptor(tenPerSecond().build()), world -> {
      world.server.enqueue(MockResponse.of(429).header("Retry-After", "3"));
      Duration start = world.now();
      world.get("/").close();
      world.get("/").close();
      assertEquals(Duration.ofMillis(100), world.now().minus(start));
    });
  }

  @Test
  void settingsOutOfTheirRangeAreRefused() {
    for (Executable wrong : List.<Executable>of(
        () -> RateLimit.of(0, SECOND),
        () -> RateLimit.of(1, Duration.ZERO),
        () -> RateLimit.of(1_001, Duration.ofMillis(1)),
        () -> RateLimit.of(1, Duration.ofDays(2)),
        () -> tenPerSecond().burst(0),
        () -> tenPerSecond().burst(10_001),
        () -> tenPerSecond().maxWaiting(-1),
        () -> tenPerSecond().maxOrigins(0),
        () -> tenPerSecond().pauseOnRetryAfter(Duration.ofDays(2)))) {
      assertThrows(IllegalArgumentException.class, wrong);
    }
  }

  @Test
  void limitServesSeveralClients() throws Exception {
    RateLimit limit = RateLimit.of(10, SECOND);
    visit(client -> client.interceptor(limit), world -> {
      Duration start = world.now();
      try (HttpClient other = HttpClient.builder()
          .network(world.network.lasting())
          .resolver(SimulatedCalls.LOCAL)
          .interceptor(limit)
          .build()) {
        world.get("/").close();
        other.send(Request.get(world.server.url("/"))).close();
      }
      assertEquals(Duration.ofMillis(100), world.now().minus(start));
    });
  }
}
