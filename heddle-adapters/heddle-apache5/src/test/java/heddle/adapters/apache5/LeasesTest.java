package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.failure.ClientClosedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which requests get a lease, and when. */
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
  void theLongestWaitingRequestIsServedFirstOnAnyRoute() throws Exception {
    Leases leases = new Leases(1, 1);
    Leases.Waiter first = leases.enqueue(A, null);
    Leases.Waiter second = leases.enqueue(C, null);
    Leases.Waiter third = leases.enqueue(B, null);
    Leases.Waiter fourth = leases.enqueue(C, null);
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
  void aFullRouteDoesNotBlockOthers() throws Exception {
    Leases leases = new Leases(2, 1);
    Leases.Waiter first = leases.enqueue(A, null);
    Leases.Waiter waits = leases.enqueue(A, null);
    Leases.Waiter other = leases.enqueue(B, null);
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
    Leases.Waiter first = leases.enqueue(A, null);
    leases.enqueue(A, null);
    first.release(null);
    first.release(null);
    assertEquals(1, leases.stats().getLeased());
  }

  @Test
  void anExpiredConnectionIsOpenedAgain() throws Exception {
    Leases leases = new Leases(2, 2);
    long now = System.nanoTime();
    Warm over = new Warm(now - 2, now - 1, null, null);
    Warm open = new Warm(now, now + TimeUnit.HOURS.toNanos(1), null, null);
    Leases.Waiter first = leases.enqueue(A, null);
    Leases.Waiter second = leases.enqueue(A, null);
    first.release(open);
    second.release(over);
    assertEquals(2, leases.stats(A).getAvailable());
    assertSame(open, leases.enqueue(A, null).await(0));
    assertNull(leases.enqueue(A, null).await(0));
    assertEquals(0, leases.stats(A).getAvailable());
  }

  @Test
  void closingFailsWaitingRequests() {
    Leases leases = new Leases(1, 1);
    leases.enqueue(A, null);
    Leases.Waiter waits = leases.enqueue(B, null);
    leases.close();
    ExecutionException closed = assertThrows(ExecutionException.class, () -> waits.await(0));
    assertNotNull(closed.getCause());
    assertEquals("Connection pool shut down", closed.getCause().getMessage());
    assertThrows(IllegalStateException.class, () -> leases.enqueue(A, null));
  }

  @Test
  void aLimitThatIsRaisedServesThoseWhoWait() throws Exception {
    Leases leases = new Leases(1, 1);
    leases.enqueue(A, null);
    Leases.Waiter waits = leases.enqueue(B, null);
    leases.setMaxTotal(2);
    assertTrue(has(waits));
  }

  @Test
  void openConnectionsAreForgottenWhenTheManagerIsClosed() {
    Leases leases = new Leases(2, 2);
    long now = System.nanoTime();
    Warm open = new Warm(now, now + TimeUnit.HOURS.toNanos(1), null, null);
    Leases.Waiter first = leases.enqueue(A, null);
    Leases.Waiter second = leases.enqueue(A, null);
    first.release(open);
    leases.close();
    assertEquals(0, leases.stats().getAvailable());
    second.release(open);
    assertEquals(0, leases.stats().getAvailable());
    assertTrue(leases.routes().isEmpty());
  }

  @Test
  void aRouteWithOnlyACancelledRequestIsForgotten() {
    Leases leases = new Leases(1, 1);
    leases.enqueue(A, null);
    Leases.Waiter waits = leases.enqueue(B, null);
    assertEquals(Set.of(A, B), leases.routes());
    assertTrue(waits.cancel());
    assertEquals(Set.of(A), leases.routes());
  }

  // ---- connections with an owner

  private static final Settings SETTINGS =
      Settings.of(ConnectionConfig.DEFAULT, SocketConfig.DEFAULT, TlsConfig.DEFAULT, false);

  private static Warm of(OwnConnection own, Object owner) {
    long now = System.nanoTime();
    own.belongTo(owner);
    return new Warm(now, now + TimeUnit.HOURS.toNanos(1), null, own);
  }

  private static void assertClosed(OwnConnection own) {
    assertThrows(SocketException.class, () -> own.client(SETTINGS));
  }

  @Test
  void aConnectionOfAnOwnerIsNotLeasedToOthers() throws Exception {
    Leases leases = new Leases(10, 10);
    Transport transport = new Transport(null, null, null, 10);
    Warm own = of(new OwnConnection(transport), "ann");
    leases.enqueue(A, "ann").release(own);
    assertEquals(1, leases.stats(A).getAvailable());
    assertEquals(0, leases.stats(B).getAvailable());
    assertEquals(Set.of(A), leases.routes());
    assertNull(leases.enqueue(A, null).await(0));
    assertNull(leases.enqueue(A, "ben").await(0));
    assertNull(leases.enqueue(B, "ann").await(0));
    assertSame(own, leases.enqueue(A, "ann").await(0));
    assertNull(leases.enqueue(A, "ann").await(0));
    assertEquals(0, leases.stats().getAvailable());
  }

  @Test
  void cancellingReturnsTheConnectionOfAnOwner() throws Exception {
    Leases leases = new Leases(10, 10);
    Warm own = of(new OwnConnection(new Transport(null, null, null, 10)), "ann");
    leases.enqueue(A, "ann").release(own);
    assertTrue(leases.enqueue(A, "ann").cancel());
    assertSame(own, leases.enqueue(A, "ann").await(0));
  }

  @Test
  void connectionsOfOwnersMakeRoomForLeases() throws Exception {
    Leases leases = new Leases(3, 2);
    Transport transport = new Transport(null, null, null, 10);
    List<OwnConnection> all = new ArrayList<>();
    for (HttpRoute route : List.of(B, A, A)) {
      String owner = "user" + all.size();
      OwnConnection own = new OwnConnection(transport);
      all.add(own);
      leases.enqueue(route, owner).release(of(own, owner));
    }
    assertEquals(3, leases.stats().getAvailable());
    leases.enqueue(A, null);
    // A connection of its route is closed, so there is room in total.
    assertClosed(all.get(1));
    assertEquals(2, leases.stats().getAvailable());
    leases.enqueue(C, null);
    assertClosed(all.get(0));
    leases.enqueue(C, null);
    assertClosed(all.get(2));
    assertEquals(0, leases.stats().getAvailable());
  }

  @Test
  void aConnectionOfAnOwnerIsClosedWhenItExpires() throws Exception {
    Leases leases = new Leases(3, 3);
    OwnConnection own = new OwnConnection(new Transport(null, null, null, 10));
    own.belongTo("ann");
    long now = System.nanoTime();
    leases.enqueue(A, "ann").release(new Warm(now - 2, now - 1, null, own));
    leases.enqueue(B, null);
    assertClosed(own);
    assertEquals(0, leases.stats().getAvailable());
  }

  @Test
  void connectionsOfOwnersAreClosedWithTheManager() throws Exception {
    Leases leases = new Leases(3, 3);
    Transport transport = new Transport(null, null, null, 10);
    OwnConnection left = new OwnConnection(transport);
    OwnConnection leased = new OwnConnection(transport);
    HttpClient client = left.client(SETTINGS);
    assertSame(client, left.client(SETTINGS));
    Leases.Waiter later = leases.enqueue(A, "ann");
    leases.enqueue(A, "ann").release(of(left, "ann"));
    leases.close();
    assertClosed(left);
    later.release(of(leased, "ann"));
    assertClosed(leased);
    transport.close();
    assertThrows(IllegalStateException.class, () -> new OwnConnection(transport).client(SETTINGS));
  }

  /** A client that is not closed fails to connect, as no one is listening. */
  private static void awaitClosed(HttpClient client) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Request get = Request.get("http://127.0.0.1:" + port + "/");
    while (true) {
      try {
        client.send(get).close();
      } catch (ClientClosedException e) {
        return;
      } catch (IOException e) {
        Thread.onSpinWait(); // It is closed on another thread.
      }
    }
  }

  @Test
  void otherSettingsTakeAnotherConnection() throws Exception {
    OwnConnection own = new OwnConnection(new Transport(null, null, null, 10));
    HttpClient first = own.client(SETTINGS);
    assertEquals(1, first.pool().limits().maxTotal());
    HttpClient second = own.client(SETTINGS.withSilence(Duration.ofSeconds(7)));
    assertNotSame(first, second);
    awaitClosed(first);
    own.close();
    awaitClosed(second);
  }

  @Test
  void theYoungestOfAnOwnersConnectionsIsTaken() throws Exception {
    Leases leases = new Leases(10, 10);
    Transport transport = new Transport(null, null, null, 10);
    Warm older = of(new OwnConnection(transport), "ann");
    Warm younger = of(new OwnConnection(transport), "ann");
    Leases.Waiter second = leases.enqueue(A, "ann");
    leases.enqueue(A, "ann").release(older);
    second.release(younger);
    assertSame(younger, leases.enqueue(A, "ann").await(0));
    assertSame(older, leases.enqueue(A, "ann").await(0));
  }

  /** Heddle closes it then. */
  @Test
  void aConnectionOfAnOwnerWaitsAsLongAsHeddleKeepsIt() {
    OwnConnection own = new OwnConnection(new Transport(null, null, null, 10));
    Warm warm = Warm.until(null, SETTINGS, null, own);
    assertEquals(PoolLimits.DEFAULTS.idleTimeout().toNanos(), warm.endsAt() - warm.since());
  }

  private static Leased leased(Leases leases, Transport transport) {
    Origin origin = new Origin("http", "a.test", 80);
    Leases.Waiter waiter = leases.enqueue(A, "ann");
    Leased leased = new Leased(transport, A, origin, SETTINGS, waiter, null);
    leased.connect(null);
    return leased;
  }

  @Test
  void disconnectingALeaseClosesItsOwnConnection() throws Exception {
    Leased leased = leased(new Leases(3, 3), new Transport(null, null, null, 10));
    HttpClient first = leased.client();
    leased.disconnect();
    awaitClosed(first);
    leased.connect(null);
    HttpClient second = leased.client();
    assertNotSame(first, second);
    assertEquals(1, second.pool().limits().maxTotal());
  }

  @Test
  void aLeaseReleasedForItsOwnerKeepsItsConnection() throws Exception {
    Leases leases = new Leases(3, 3);
    Leased leased = leased(leases, new Transport(null, null, null, 10));
    HttpClient client = leased.client();
    assertTrue(leased.release("ann", null, leased::disconnect));
    Warm warm = leases.enqueue(A, "ann").await(0);
    assertNotNull(warm);
    assertNotNull(warm.own());
    assertSame(client, warm.own().client(SETTINGS));
  }

  @Test
  void aLeaseReleasedWithoutOwnerClosesItsConnection() throws Exception {
    Leases leases = new Leases(3, 3);
    Leased leased = leased(leases, new Transport(null, null, null, 10));
    HttpClient client = leased.client();
    assertTrue(leased.release(null, null, leased::disconnect));
    awaitClosed(client);
    assertEquals(0, leases.stats().getAvailable());
  }
}
