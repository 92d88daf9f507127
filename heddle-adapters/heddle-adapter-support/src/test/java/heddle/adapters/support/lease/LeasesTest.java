package heddle.adapters.support.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests get a lease, and when. */
@Timeout(60)
class LeasesTest {
  private static final String A = "a.test";
  private static final String B = "b.test";
  private static final String C = "c.test";

  private static boolean has(Leases<String, Duration>.Waiter waiter) throws Exception {
    try {
      waiter.await(1);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  @Test
  void theLongestWaitingRequestIsServedFirstOnAnyRoute() throws Exception {
    Leases<String, Duration> leases = new Leases<>(1, 1);
    Leases<String, Duration>.Waiter first = leases.enqueue(A, null);
    Leases<String, Duration>.Waiter second = leases.enqueue(C, null);
    Leases<String, Duration>.Waiter third = leases.enqueue(B, null);
    Leases<String, Duration>.Waiter fourth = leases.enqueue(C, null);
    assertTrue(has(first));
    first.release(null);
    assertTrue(has(second));
    assertEquals(2, leases.stats().pending());
    second.release(null);
    assertTrue(has(third));
    third.release(null);
    assertTrue(has(fourth));
    fourth.release(null);
    assertEquals(0, leases.stats().leased());
    assertTrue(leases.getRoutes().isEmpty());
  }

  @Test
  void aFullRouteDoesNotBlockOthers() throws Exception {
    Leases<String, Duration> leases = new Leases<>(2, 1);
    Leases<String, Duration>.Waiter first = leases.enqueue(A, null);
    Leases<String, Duration>.Waiter waits = leases.enqueue(A, null);
    Leases<String, Duration>.Waiter other = leases.enqueue(B, null);
    assertTrue(has(first));
    assertTrue(has(other));
    assertEquals(1, leases.stats(A).pending());
    other.release(null);
    assertEquals(1, leases.stats(A).pending());
    first.release(null);
    assertTrue(has(waits));
  }

  @Test
  void aLeaseIsGivenBackOnce() {
    Leases<String, Duration> leases = new Leases<>(2, 2);
    Leases<String, Duration>.Waiter first = leases.enqueue(A, null);
    leases.enqueue(A, null);
    first.release(null);
    first.release(null);
    assertEquals(1, leases.stats().leased());
  }

  @Test
  void anExpiredConnectionIsOpenedAgain() throws Exception {
    Leases<String, Duration> leases = new Leases<>(2, 2);
    long now = System.nanoTime();
    Warm<Duration> over = new Warm<>(now - 2, now - 1, null, null);
    Warm<Duration> open = new Warm<>(now, now + TimeUnit.HOURS.toNanos(1), null, null);
    Leases<String, Duration>.Waiter first = leases.enqueue(A, null);
    Leases<String, Duration>.Waiter second = leases.enqueue(A, null);
    first.release(open);
    second.release(over);
    assertEquals(2, leases.stats(A).available());
    assertSame(open, leases.enqueue(A, null).await(0));
    assertNull(leases.enqueue(A, null).await(0));
    assertEquals(0, leases.stats(A).available());
  }

  @Test
  void closingFailsWaitingRequests() {
    Leases<String, Duration> leases = new Leases<>(1, 1);
    leases.enqueue(A, null);
    Leases<String, Duration>.Waiter waits = leases.enqueue(B, null);
    leases.closeLeases();
    IllegalStateException closed = assertThrows(IllegalStateException.class, () -> waits.await(0));
    assertEquals("Connection pool shut down", closed.getMessage());
    assertThrows(IllegalStateException.class, () -> leases.enqueue(A, null));
  }

  @Test
  void aLimitThatIsRaisedServesThoseWhoWait() throws Exception {
    Leases<String, Duration> leases = new Leases<>(1, 1);
    leases.enqueue(A, null);
    Leases<String, Duration>.Waiter waits = leases.enqueue(B, null);
    leases.setMaxTotal(2);
    assertTrue(has(waits));
  }

  @Test
  void openConnectionsAreForgottenWhenTheManagerIsClosed() {
    Leases<String, Duration> leases = new Leases<>(2, 2);
    long now = System.nanoTime();
    Warm<Duration> open = new Warm<>(now, now + TimeUnit.HOURS.toNanos(1), null, null);
    Leases<String, Duration>.Waiter first = leases.enqueue(A, null);
    Leases<String, Duration>.Waiter second = leases.enqueue(A, null);
    first.release(open);
    leases.closeLeases();
    assertEquals(0, leases.stats().available());
    second.release(open);
    assertEquals(0, leases.stats().available());
    assertTrue(leases.getRoutes().isEmpty());
  }

  @Test
  void aRouteWithOnlyACancelledRequestIsForgotten() {
    Leases<String, Duration> leases = new Leases<>(1, 1);
    leases.enqueue(A, null);
    Leases<String, Duration>.Waiter waits = leases.enqueue(B, null);
    assertEquals(Set.of(A, B), leases.getRoutes());
    assertTrue(waits.cancel());
    assertEquals(Set.of(A), leases.getRoutes());
  }

  // ---- connections with an owner

  /** How long a server may be silent, the only setting here. */
  private static final Duration SETTINGS = Duration.ofSeconds(30);

  private static final Duration LONG = Duration.ofHours(1);

  private static LeaseClients<Duration> clients() {
    return new LeaseClients<>(10, (silence, connections) -> LeaseClients.builder(
            new LeaseClients.Times(LONG, LONG, silence, null, null), connections)
        .build());
  }

  private static Warm<Duration> of(OwnConnection<Duration> own, Object owner) {
    long now = System.nanoTime();
    own.belongTo(owner);
    return new Warm<>(now, now + TimeUnit.HOURS.toNanos(1), null, own);
  }

  private static void assertClosed(OwnConnection<Duration> own) {
    assertThrows(SocketException.class, () -> own.client(SETTINGS));
  }

  @Test
  void aConnectionOfAnOwnerIsNotLeasedToOthers() throws Exception {
    Leases<String, Duration> leases = new Leases<>(10, 10);
    LeaseClients<Duration> clients = clients();
    Warm<Duration> own = of(new OwnConnection<>(clients), "ann");
    leases.enqueue(A, "ann").release(own);
    assertEquals(1, leases.stats(A).available());
    assertEquals(0, leases.stats(B).available());
    assertEquals(Set.of(A), leases.getRoutes());
    assertNull(leases.enqueue(A, null).await(0));
    assertNull(leases.enqueue(A, "ben").await(0));
    assertNull(leases.enqueue(B, "ann").await(0));
    assertSame(own, leases.enqueue(A, "ann").await(0));
    assertNull(leases.enqueue(A, "ann").await(0));
    assertEquals(0, leases.stats().available());
  }

  @Test
  void cancellingReturnsTheConnectionOfAnOwner() throws Exception {
    Leases<String, Duration> leases = new Leases<>(10, 10);
    Warm<Duration> own = of(new OwnConnection<>(clients()), "ann");
    leases.enqueue(A, "ann").release(own);
    assertTrue(leases.enqueue(A, "ann").cancel());
    assertSame(own, leases.enqueue(A, "ann").await(0));
  }

  @Test
  void connectionsOfOwnersMakeRoomForLeases() throws Exception {
    Leases<String, Duration> leases = new Leases<>(3, 2);
    LeaseClients<Duration> clients = clients();
    List<OwnConnection<Duration>> all = new ArrayList<>();
    for (String route : List.of(B, A, A)) {
      String owner = "user" + all.size();
      OwnConnection<Duration> own = new OwnConnection<>(clients);
      all.add(own);
      leases.enqueue(route, owner).release(of(own, owner));
    }
    assertEquals(3, leases.stats().available());
    leases.enqueue(A, null);
    // A connection of its route is closed, so there is room in total.
    assertClosed(all.get(1));
    assertEquals(2, leases.stats().available());
    leases.enqueue(C, null);
    assertClosed(all.get(0));
    leases.enqueue(C, null);
    assertClosed(all.get(2));
    assertEquals(0, leases.stats().available());
  }

  @Test
  void aConnectionOfAnOwnerIsClosedWhenItExpires() throws Exception {
    Leases<String, Duration> leases = new Leases<>(3, 3);
    OwnConnection<Duration> own = new OwnConnection<>(clients());
    own.belongTo("ann");
    long now = System.nanoTime();
    leases.enqueue(A, "ann").release(new Warm<>(now - 2, now - 1, null, own));
    leases.enqueue(B, null);
    assertClosed(own);
    assertEquals(0, leases.stats().available());
  }

  @Test
  void connectionsOfOwnersAreClosedWithTheManager() throws Exception {
    Leases<String, Duration> leases = new Leases<>(3, 3);
    LeaseClients<Duration> clients = clients();
    OwnConnection<Duration> left = new OwnConnection<>(clients);
    OwnConnection<Duration> leased = new OwnConnection<>(clients);
    HttpClient client = left.client(SETTINGS);
    assertSame(client, left.client(SETTINGS));
    Leases<String, Duration>.Waiter later = leases.enqueue(A, "ann");
    leases.enqueue(A, "ann").release(of(left, "ann"));
    leases.closeLeases();
    assertClosed(left);
    later.release(of(leased, "ann"));
    assertClosed(leased);
    clients.close();
    assertThrows(IllegalStateException.class, () -> new OwnConnection<>(clients).client(SETTINGS));
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
    OwnConnection<Duration> own = new OwnConnection<>(clients());
    HttpClient first = own.client(SETTINGS);
    assertEquals(1, first.pool().limits().maxTotal());
    HttpClient second = own.client(Duration.ofSeconds(7));
    assertNotSame(first, second);
    awaitClosed(first);
    own.close();
    awaitClosed(second);
  }

  @Test
  void theYoungestOfAnOwnersConnectionsIsTaken() throws Exception {
    Leases<String, Duration> leases = new Leases<>(10, 10);
    LeaseClients<Duration> clients = clients();
    Warm<Duration> older = of(new OwnConnection<>(clients), "ann");
    Warm<Duration> younger = of(new OwnConnection<>(clients), "ann");
    Leases<String, Duration>.Waiter second = leases.enqueue(A, "ann");
    leases.enqueue(A, "ann").release(older);
    second.release(younger);
    assertSame(younger, leases.enqueue(A, "ann").await(0));
    assertSame(older, leases.enqueue(A, "ann").await(0));
  }

  /** Heddle closes it then. */
  @Test
  void aConnectionOfAnOwnerWaitsAsLongAsHeddleKeepsIt() {
    OwnConnection<Duration> own = new OwnConnection<>(clients());
    Warm<Duration> warm = Warm.until(Clients.FOREVER, null, null, null, own);
    assertEquals(PoolLimits.DEFAULTS.idleTimeout().toNanos(), warm.endsAt() - warm.since());
  }

  private static final Lease.Keeping KEPT = new Lease.Keeping(LONG, null, null, null);

  private static Lease<String, Duration> leased(
      Leases<String, Duration> leases, LeaseClients<Duration> clients) {
    Lease<String, Duration> leased = new Lease<>(clients, leases.enqueue(A, "ann"), null);
    assertTrue(leased.connect());
    return leased;
  }

  @Test
  void disconnectingALeaseClosesItsOwnConnection() throws Exception {
    Lease<String, Duration> leased = leased(new Leases<>(3, 3), clients());
    HttpClient first = leased.client(SETTINGS);
    leased.disconnect();
    awaitClosed(first);
    assertTrue(leased.connect());
    HttpClient second = leased.client(SETTINGS);
    assertNotSame(first, second);
    assertEquals(1, second.pool().limits().maxTotal());
  }

  @Test
  void aLeaseReleasedForItsOwnerKeepsItsConnection() throws Exception {
    Leases<String, Duration> leases = new Leases<>(3, 3);
    Lease<String, Duration> leased = leased(leases, clients());
    HttpClient client = leased.client(SETTINGS);
    assertTrue(leased.release("ann", KEPT, leased::disconnect));
    Warm<Duration> warm = leases.enqueue(A, "ann").await(0);
    assertNotNull(warm);
    assertNotNull(warm.own());
    assertSame(client, warm.own().client(SETTINGS));
  }

  @Test
  void aLeaseReleasedWithoutOwnerClosesItsConnection() throws Exception {
    Leases<String, Duration> leases = new Leases<>(3, 3);
    Lease<String, Duration> leased = leased(leases, clients());
    HttpClient client = leased.client(SETTINGS);
    assertTrue(leased.release(null, KEPT, leased::disconnect));
    awaitClosed(client);
    assertEquals(0, leases.stats().available());
  }

  @Test
  void tooManySettingsAreRefused() throws Exception {
    LeaseClients<Duration> clients = clients();
    for (int i = 1; i <= 64; i++) {
      assertNotNull(clients.client(Duration.ofSeconds(i)));
    }
    assertThrows(IOException.class, () -> clients.client(Duration.ofSeconds(65)));
    clients.close();
  }

  /** What a request in the background ends with, and on which thread. */
  private static CompletableFuture<Thread> inBackground(
      Leases<String, Duration>.Waiter waiter, long nanos) {
    CompletableFuture<Thread> served = new CompletableFuture<>();
    waiter.whenOver(nanos, () -> {
      try {
        waiter.await(0);
        served.complete(Thread.currentThread());
      } catch (Exception e) {
        served.completeExceptionally(e);
      }
    });
    return served;
  }

  private static Throwable failure(CompletableFuture<Thread> served) throws Exception {
    return served.handle((thread, failure) -> failure).get();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestInTheBackgroundIsServedByANewThread(boolean isGrantedBefore) throws Exception {
    Leases<String, Duration> leases = new Leases<>(1, 1);
    Leases<String, Duration>.Waiter first = leases.enqueue(A, null);
    Leases<String, Duration>.Waiter waits = leases.enqueue(A, null);
    if (isGrantedBefore) {
      first.release(null);
    }
    CompletableFuture<Thread> served = inBackground(waits, TimeUnit.HOURS.toNanos(1));
    assertEquals(isGrantedBefore ? 0 : 1, leases.stats().pending());
    first.release(null);
    assertNotSame(Thread.currentThread(), served.get());
  }

  @Test
  void requestsInTheBackgroundAreGivenUpAfterTheirOwnTime() throws Exception {
    Leases<String, Duration> leases = new Leases<>(1, 1);
    Leases<String, Duration>.Waiter first = leases.enqueue(A, null);
    CompletableFuture<Thread> patient =
        inBackground(leases.enqueue(A, null), TimeUnit.HOURS.toNanos(1));
    CompletableFuture<Thread> hasty =
        inBackground(leases.enqueue(B, null), TimeUnit.MILLISECONDS.toNanos(20));
    assertTrue(failure(hasty).getMessage().contains("within 20 ms"));
    CompletableFuture<Thread> next =
        inBackground(leases.enqueue(C, null), TimeUnit.MILLISECONDS.toNanos(30));
    assertInstanceOf(TimeoutException.class, failure(next));
    assertEquals(1, leases.stats().pending());
    first.release(null);
    patient.get();
  }

  @Test
  void closingAndCancellingEndRequestsInTheBackground() throws Exception {
    Leases<String, Duration> leases = new Leases<>(1, 1);
    leases.enqueue(A, null);
    Leases<String, Duration>.Waiter cancelled = leases.enqueue(A, null);
    CompletableFuture<Thread> one = inBackground(cancelled, 0);
    CompletableFuture<Thread> other = inBackground(leases.enqueue(A, null), 0);
    cancelled.cancel();
    assertInstanceOf(CancellationException.class, failure(one));
    leases.closeLeases();
    assertInstanceOf(IllegalStateException.class, failure(other));
  }
}
