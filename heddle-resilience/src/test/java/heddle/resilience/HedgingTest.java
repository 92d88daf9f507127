package heddle.resilience;

import static heddle.resilience.SimulatedCalls.visit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Which requests are hedged, and when. The client's tests have the rest. In virtual time. */
@Timeout(60)
final class HedgingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final MockResponse NEVER = MockResponse.fault(MockFault.blackHole());
  private static final MockResponse IN_10_MS =
      MockResponse.ok("usual").after(Duration.ofMillis(10));

  @Test
  void safeRequestIsHedgedAfterAFixedTime() throws Exception {
    visit(client -> client.interceptor(Hedging.after(SECOND)), world -> {
      world.server.enqueue(NEVER);
      world.server.enqueue(MockResponse.ok("hedge"));
      Duration start = world.now();
      assertEquals("hedge", world.get("/").string());
      assertEquals(SECOND, world.now().minus(start));
      world.until(() -> world.inUse() == 0);
    });
  }

  @Test
  void unsafeRequestIsHedgedOnlyIfItIsSaidSo() throws Exception {
    Hedging hedging = Hedging.builder()
        .after(SECOND)
        .requests(request -> request.headers().contains("Idempotency-Key"))
        .build();
    visit(client -> client.interceptor(hedging), world -> {
      world.server.enqueue(MockResponse.ok("late").after(SECOND.multipliedBy(3)));
      Request post = Request.post(world.server.url("/"), Body.of("x"));
      assertEquals("late", world.client.send(post).string());
      assertEquals(1, world.server.requests().size());
      world.server.enqueue(NEVER);
      world.server.enqueue(MockResponse.ok("hedge"));
      Request marked = post.toBuilder().header("Idempotency-Key", "1").build();
      assertEquals("hedge", world.client.send(marked).string());
    });
  }

  @Test
  void postIsNotHedgedByDefault() throws Exception {
    visit(client -> client.interceptor(Hedging.after(SECOND)), world -> {
      world.server.enqueue(MockResponse.ok("late").after(SECOND.multipliedBy(3)));
      Request post = Request.post(world.server.url("/"), Body.of("x"));
      assertEquals("late", world.client.send(post).string());
      assertEquals(1, world.server.requests().size());
    });
  }

  @Test
  void requestIsHedgedOnceItTakesLongerThanMost() throws Exception {
    visit(client -> client.interceptor(Hedging.afterPercentile(95)), world -> {
      world.server.answer("/", IN_10_MS);
      world.server.enqueue("/", MockResponse.ok("slow").after(SECOND));
      assertEquals("slow", world.get("/").string(), "nothing is known of the origin yet");
      for (int i = 0; i < 63; i++) {
        world.get("/").close();
      }
      assertEquals(64, world.server.requests().size());
      world.server.enqueue("/", NEVER);
      Duration start = world.now();
      assertEquals("usual", world.get("/").string());
      long millis = world.now().minus(start).toMillis();
      assertTrue(millis >= 20 && millis <= 22, () -> "hedged after " + millis + " ms");
      assertEquals(66, world.server.requests().size());
    });
  }

  @Test
  void noRequestIsHedgedEarlierThanAllowed() throws Exception {
    Hedging hedging =
        Hedging.builder().afterPercentile(50).notBefore(Duration.ofMillis(200)).build();
    visit(client -> client.interceptor(hedging), world -> {
      world.server.answer("/", IN_10_MS);
      for (int i = 0; i < 64; i++) {
        world.get("/").close();
      }
      world.server.enqueue("/", NEVER);
      Duration start = world.now();
      assertEquals("usual", world.get("/").string());
      assertEquals(Duration.ofMillis(210), world.now().minus(start));
    });
  }

  @Test
  void failuresSayNothingAboutLatency() throws Exception {
    visit(client -> client.interceptor(Hedging.afterPercentile(95)), world -> {
      for (int i = 0; i < 100; i++) {
        world.server.enqueue(MockResponse.of(503));
        world.get("/").close();
      }
      world.server.enqueue(MockResponse.ok("slow").after(SECOND));
      assertEquals("slow", world.get("/").string());
      assertEquals(101, world.server.requests().size());
    });
  }

  @Test
  void originsThatAreNotUsedMakeRoomForOthers() throws Exception {
    Hedging hedging = Hedging.builder().maxOrigins(2).build();
    visit(client -> client.interceptor(hedging), world -> {
      for (int i = 0; i < 10; i++) {
        world.start("http://" + i + ".test:" + world.server.port() + "/").get();
        assertTrue(hedging.origins() <= 2);
      }
      world.server.answer("/", IN_10_MS);
      for (int i = 0; i < 64; i++) {
        world.get("/").close();
      }
      world.server.enqueue("/", NEVER);
      assertEquals("usual", world.get("/").string(), "the latest origin is known");
    });
  }

  @Test
  void hedgeTakesFromALimitThatIsAddedLater() throws Exception {
    visit(
        client -> client
            .interceptor(Hedging.builder().after(SECOND).most(2).build())
            .interceptor(RateLimit.of(1, SECOND.multipliedBy(4))),
        world -> {
          world.server.enqueue(NEVER);
          world.server.enqueue(MockResponse.ok("hedge"));
          Duration start = world.now();
          assertEquals("hedge", world.get("/").string());
          assertEquals(SECOND.multipliedBy(4), world.now().minus(start));
          assertEquals(2, world.server.requests().size());
          world.until(() -> world.inUse() == 0);
        });
  }

  @Test
  void settingsOutOfTheirRangeAreRefused() {
    for (Executable wrong : List.<Executable>of(
        () -> Hedging.after(Duration.ofMillis(-1)),
        () -> Hedging.afterPercentile(0),
        () -> Hedging.afterPercentile(100),
        () -> Hedging.afterPercentile(Double.NaN),
        () -> Hedging.builder().notBefore(Duration.ofMillis(-1)),
        () -> Hedging.builder().most(0),
        () -> Hedging.builder().most(11),
        () -> Hedging.builder().maxOrigins(0))) {
      assertThrows(IllegalArgumentException.class, wrong);
    }
  }

  @Test
  void headIsSafeToo() throws Exception {
    visit(client -> client.interceptor(Hedging.after(SECOND)), world -> {
      world.server.enqueue(NEVER);
      world.server.enqueue(MockResponse.of(204));
      Request head = Request.builder(world.server.url("/")).method(Method.HEAD).build();
      assertEquals(204, world.client.send(head).status().code());
    });
  }
}
