package heddle.web.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.spi.Filter;
import heddle.testwatch.Conditions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HealthTest {
  private static final Filter NONE = (exchange, next) -> next.handle(exchange);

  private static String probe(Health health, int status) throws Exception {
    Response response = health.readiness().handle(Request.get("http://test/readyz"));
    assertEquals(status, response.status().code());
    assertEquals("no-store", response.headers().first("Cache-Control"));
    assertEquals("application/json", response.headers().first("Content-Type"));
    return response.string().replaceAll("\"millis\":[0-9]+", "\"millis\":0");
  }

  @Test
  void aProcessThatAnswersIsAlive() throws Exception {
    Health health = Health.builder().ready(() -> false).build();
    try (Served served = new Served(
        HttpVersion.HTTP_1_1, NONE, exchange -> health.liveness().handle(exchange.request()))) {
      for (int i = 0; i < 2; i++) {
        Response response = served.get("/");
        assertEquals(200, response.status().code());
        assertEquals("{\"status\":\"UP\"}", response.string());
        assertEquals(
            200, served.client.send(served.request(Method.HEAD, "/")).status().code());
      }
    }
  }

  @Test
  void aProcessIsReadyIfAllItsChecksAreUp() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    Health health = Health.builder()
        .check("data\"base", () -> {})
        .check("queue", () -> {
          if (broken.get()) {
            throw new IllegalStateException("a secret");
          }
        })
        .build();
    String up = "{\"status\":\"UP\",\"checks\":{\"data\\\"base\":{\"status\":\"UP\",\"millis\":0},"
        + "\"queue\":{\"status\":\"UP\",\"millis\":0}}}";
    assertEquals(up, probe(health, 200));
    broken.set(true);
    assertEquals(
        "{\"status\":\"DOWN\",\"checks\":{\"data\\\"base\":{\"status\":\"UP\",\"millis\":0},"
            + "\"queue\":{\"status\":\"DOWN\",\"millis\":0,\"error\":\"failed\"}}}",
        probe(health, 503));
    broken.set(false);
    assertEquals(up, probe(health, 200));
  }

  @Test
  void aProcessThatWantsNoRequestsRunsNoChecks() throws Exception {
    AtomicBoolean ready = new AtomicBoolean(true);
    AtomicInteger runs = new AtomicInteger();
    Health health =
        Health.builder().ready(ready::get).check("count", runs::incrementAndGet).build();
    probe(health, 200);
    ready.set(false);
    assertEquals("{\"status\":\"OUT_OF_SERVICE\"}", probe(health, 503));
    assertEquals(1, runs.get());
  }

  @Test
  void aCheckThatTakesTooLongIsInterruptedAndDown() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Health health = Health.builder()
        .timeLimit(Duration.ofMillis(500))
        .check("slow", () -> {
          try {
            new Semaphore(0).acquire();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        })
        .check("quick", () -> {})
        .build();
    String json = probe(health, 503);
    assertTrue(
        json.contains("\"slow\":{\"status\":\"DOWN\",\"millis\":0,\"error\":\"timeout\"}"), json);
    assertTrue(json.contains("\"quick\":{\"status\":\"UP\""), json);
    interrupted.await();
  }

  @Test
  void requestsShareTheRunOfACheckThatHangs() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Semaphore hanging = new Semaphore(0);
    Health health = Health.builder()
        .timeLimit(Duration.ofMillis(20))
        .check("deaf", () -> {
          runs.incrementAndGet();
          hanging.acquireUninterruptibly();
        })
        .build();
    for (int i = 0; i < 5; i++) {
      probe(health, 503);
    }
    assertEquals(1, runs.get());
    hanging.release(100);
    // Once it has ended, it is tried again.
    Conditions.await("the check is up", () -> {
      try {
        return health.readiness().handle(Request.get("http://test/")).status().isSuccess();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
    assertTrue(runs.get() > 1);
  }

  @Test
  void checksRunAtTheSameTime() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Health.Check check = () -> {
      both.countDown();
      both.await();
    };
    probe(Health.builder().check("a", check).check("b", check).build(), 200);
  }

  @Test
  void settingsAreChecked() {
    Health.Builder builder = Health.builder().check("a", () -> {});
    assertThrows(IllegalArgumentException.class, () -> builder.check("a", () -> {}));
    assertThrows(IllegalArgumentException.class, () -> builder.timeLimit(Duration.ZERO));
  }
}
