package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.http.Body;
import heddle.http.Origin;
import heddle.http.Response;
import heddle.testkit.ManualLoop;
import heddle.transport.time.Deadline;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is watched, and what a report says. */
class LeakWatchTest {
  private static final Route ROUTE = new Route(Origin.http("a.test", 80));
  private static final FakeExchange EXCHANGE = new FakeExchange(Deadline.never());
  private static final Response RESPONSE = Response.ok("text");

  private final ConnectionPool pool = new ConnectionPool(
      PoolLimits.DEFAULTS,
      (route, exchange, listener) -> new FakeConnection(listener),
      new ManualLoop());

  /** A collection must not report these bodies: the tests do. */
  private final List<WatchedBody> reachable = new ArrayList<>();

  private Lease acquire() throws Exception {
    return pool.acquire(ROUTE, EXCHANGE);
  }

  private LeakWatch watch(Lease lease, LeakWatch.Mode mode) {
    return watch(RESPONSE.body(), lease, mode);
  }

  private LeakWatch watch(Body content, Lease lease, LeakWatch.Mode mode) {
    WatchedBody watched = new WatchedBody(content);
    reachable.add(watched);
    return new LeakWatch(watched, content, lease, EXCHANGE, mode);
  }

  @Test
  void aResponseWhoseLeaseIsOverIsHandedOverAsItIs() throws Exception {
    Lease lease = acquire();
    lease.release(true);
    assertSame(RESPONSE, lease.watch(RESPONSE, EXCHANGE));
  }

  @Test
  void aWatchedResponseSaysTheSame() throws Exception {
    Response watched = acquire().watch(RESPONSE, EXCHANGE);
    assertEquals(RESPONSE.headers(), watched.headers());
    assertEquals(RESPONSE.body().mediaType(), watched.body().mediaType());
    assertEquals(4, watched.body().length());
    assertEquals("text", watched.string());
  }

  @Test
  void theReportSaysWhereTheBodyWasAcquired() throws Exception {
    LeakWatch watch = watch(acquire(), LeakWatch.Mode.ALL);
    assertTrue(watch.toString().contains(ROUTE.toString()), watch.toString());
    assertTrue(Arrays.stream(Objects.requireNonNull(watch.acquired).getStackTrace())
        .anyMatch(frame -> frame.getMethodName().startsWith("theReportSays")));
  }

  @Test
  void aReportWithoutAStackSaysHowToGetOne() throws Exception {
    LeakWatch watch = watch(acquire(), LeakWatch.Mode.UNTRACED);
    assertNull(watch.acquired);
    assertTrue(watch.toString().contains("-Dheddle.leaks=all"), watch.toString());
  }

  @Test
  void aLeakTakesThePlaceBackOnce() throws Exception {
    Lease lease = acquire();
    LeakWatch watch = watch(lease, LeakWatch.Mode.SAMPLED);
    Objects.requireNonNull(watch.takeBack()).join();
    assertEquals(0, pool.snapshot().open());
    assertEquals(1, pool.snapshot().leaked());
    assertNull(watch.takeBack());
    assertEquals(1, pool.snapshot().leaked());
  }

  @Test
  void aLeakGivesUpTheContent() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    Body content = Body.of(new ByteArrayInputStream(new byte[1]) {
      @Override
      public void close() {
        closed.set(true);
      }
    });
    LeakWatch watch = watch(content, acquire(), LeakWatch.Mode.UNTRACED);
    Objects.requireNonNull(watch.takeBack()).join();
    assertTrue(closed.get());
  }

  @Test
  void oneOf128RemembersWhereItWasAcquired() throws Exception {
    Lease lease = acquire();
    lease.release(true);
    int traced = 0;
    for (int i = 0; i < 12_800; i++) {
      traced += watch(lease, LeakWatch.Mode.SAMPLED).acquired == null ? 0 : 1;
    }
    // About 100: ten standard deviations to either side.
    assertTrue(traced > 0 && traced < 200, traced + " of 12,800");
  }
}
