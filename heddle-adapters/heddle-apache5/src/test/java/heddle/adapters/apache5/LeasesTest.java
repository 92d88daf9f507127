package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.core5.http.HttpHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets a lease, and when. */
@Timeout(60)
class LeasesTest {
  private static final HttpRoute A = route("a.test");
  private static final HttpRoute B = route("b.test");
  private static final HttpRoute C = route("c.test");

  private static HttpRoute route(String host) {
    return new HttpRoute(new HttpHost("http", host, 80));
  }

  private static boolean has(Leases.Waiter waiter) throws Exception {
    try {
      waiter.await(1);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  @Test
  void whoHasWaitedLongestIsServedFirstWhateverTheRoute() throws Exception {
    Leases leases = new Leases(1, 1);
    Leases.Waiter first = leases.enqueue(A);
    Leases.Waiter second = leases.enqueue(C);
    Leases.Waiter third = leases.enqueue(B);
    Leases.Waiter fourth = leases.enqueue(C);
    assertTrue(has(first));
    first.release(null);
    assertTrue(has(second));
    assertEquals(2, leases.stats().getPending());
    second.release(null);
    assertTrue(has(third));
    third.release(null);
    assertTrue(has(fourth));
    fourth.release(null);
    assertEquals(0, leases.stats().getLeased());
    assertTrue(leases.routes().isEmpty());
  }

  @Test
  void aRouteThatIsFullKeepsNobodyElseWaiting() throws Exception {
    Leases leases = new Leases(2, 1);
    Leases.Waiter first = leases.enqueue(A);
    Leases.Waiter waits = leases.enqueue(A);
    Leases.Waiter other = leases.enqueue(B);
    assertTrue(has(first));
    assertTrue(has(other));
    assertEquals(1, leases.stats(A).getPending());
    other.release(null);
    assertEquals(1, leases.stats(A).getPending());
    first.release(null);
    assertTrue(has(waits));
  }

  @Test
  void aLeaseIsGivenBackOnce() {
    Leases leases = new Leases(2, 2);
    Leases.Waiter first = leases.enqueue(A);
    leases.enqueue(A);
    first.release(null);
    first.release(null);
    assertEquals(1, leases.stats().getLeased());
  }

  @Test
  void whatHasCooledDownIsOpenedAnew() throws Exception {
    Leases leases = new Leases(2, 2);
    long now = System.nanoTime();
    Warm over = new Warm(now - 2, now - 1, null);
    Warm open = new Warm(now, now + TimeUnit.HOURS.toNanos(1), null);
    Leases.Waiter first = leases.enqueue(A);
    Leases.Waiter second = leases.enqueue(A);
    first.release(open);
    second.release(over);
    assertEquals(2, leases.stats(A).getAvailable());
    assertSame(open, leases.enqueue(A).await(0));
    assertNull(leases.enqueue(A).await(0));
    assertEquals(0, leases.stats(A).getAvailable());
  }

  @Test
  void whoWaitsWhenAllIsClosedIsToldSo() {
    Leases leases = new Leases(1, 1);
    leases.enqueue(A);
    Leases.Waiter waits = leases.enqueue(B);
    leases.close();
    ExecutionException closed = assertThrows(ExecutionException.class, () -> waits.await(0));
    assertNotNull(closed.getCause());
    assertEquals("Connection pool shut down", closed.getCause().getMessage());
    assertThrows(IllegalStateException.class, () -> leases.enqueue(A));
  }

  @Test
  void aLimitThatIsRaisedServesThoseWhoWait() throws Exception {
    Leases leases = new Leases(1, 1);
    leases.enqueue(A);
    Leases.Waiter waits = leases.enqueue(B);
    leases.setMaxTotal(2);
    assertTrue(has(waits));
  }

  @Test
  void whatWasLeftOpenIsForgottenWhenAllIsClosed() {
    Leases leases = new Leases(2, 2);
    long now = System.nanoTime();
    Warm open = new Warm(now, now + TimeUnit.HOURS.toNanos(1), null);
    Leases.Waiter first = leases.enqueue(A);
    Leases.Waiter second = leases.enqueue(A);
    first.release(open);
    leases.close();
    assertEquals(0, leases.stats().getAvailable());
    second.release(open);
    assertEquals(0, leases.stats().getAvailable());
    assertTrue(leases.routes().isEmpty());
  }

  @Test
  void aRouteThatOnlyOneWhoHasGivenUpWaitedForIsForgotten() {
    Leases leases = new Leases(1, 1);
    leases.enqueue(A);
    Leases.Waiter waits = leases.enqueue(B);
    assertEquals(Set.of(A, B), leases.routes());
    assertTrue(waits.cancel());
    assertEquals(Set.of(A), leases.routes());
  }
}
