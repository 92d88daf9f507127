package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.NameCacheLimits;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.UnresolvedHostException;
import heddle.http.syntax.Host;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.transport.names.Resolver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How calls find the addresses of their hosts, and what becomes of them when names move. */
@Timeout(60)
class NamesTest {
  private static final String SIX = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";

  private static final List<InetAddress> THREE = addresses("192.0.2.1", "192.0.2.2", "192.0.2.3");

  private final AtomicInteger asked = new AtomicInteger();
  private List<InetAddress> hosts = THREE;
  private ScriptedPeer.Script served = answering();
  private final AtomicReference<List<InetAddress>> answer = new AtomicReference<>(THREE);

  @AutoClose
  private ClientWorld world = worldWith((host, deadline) -> {
    asked.incrementAndGet();
    return answer.get();
  });

  private static List<InetAddress> addresses(String... literals) {
    return Arrays.stream(literals).map(Host::address).toList();
  }

  private static ClientWorld worldWith(Resolver resolver) {
    return new ClientWorld(SimNetwork.builder(), Timeouts.DEFAULTS, PoolLimits.DEFAULTS, resolver);
  }

  private void resolveWith(Resolver resolver) {
    world.close();
    world = worldWith(resolver);
  }

  private static ScriptedPeer.Script answering() {
    return c -> {
      while (c.hasMore()) {
        c.expectHead();
        c.send(SIX);
      }
    };
  }

  /** A server that begins an answer and keeps its rest. */
  private static ScriptedPeer.Script holding() {
    return c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
      c.hasMore();
    };
  }

  @FunctionalInterface
  private interface Visit {
    void run() throws Exception;
  }

  /** A visit's host listens on port 81 of each of these addresses, and serves the script. */
  private void serve(List<InetAddress> addresses, ScriptedPeer.Script script) {
    hosts = addresses;
    served = script;
  }

  /** Runs a visit to a host that serves. */
  private void visit(Visit visit) throws Exception {
    world.network.run(() -> {
      List<ScriptedPeer> peers = new ArrayList<>();
      for (InetAddress address : hosts) {
        peers.add(ScriptedPeer.each(world.network, new InetSocketAddress(address, 81), served));
      }
      visit.run();
      world.client.close();
      peers.forEach(ScriptedPeer::close);
    });
  }

  private Response get() throws IOException {
    return world.client.send(Request.get("http://a.test:81/"));
  }

  private void assertAnswered() throws IOException {
    assertEquals("Hello!", get().string());
  }

  /** How many connections were opened to each address. */
  private Map<String, Integer> opened() {
    Map<String, Integer> count = new TreeMap<>();
    world.network.connections().forEach(each -> {
      InetSocketAddress address = (InetSocketAddress) each.serverAddress();
      count.merge(address.getAddress().getHostAddress(), 1, Integer::sum);
    });
    return count;
  }

  @Test
  void anAnswerIsUsedAgainForAsLongAsTheNameCacheAllows() throws Exception {
    NameCacheLimits brief = NameCacheLimits.builder()
        .minTtl(Duration.ZERO)
        .defaultTtl(Duration.ofSeconds(2))
        .build();
    world.close();
    world = new ClientWorld(client -> client.nameCache(brief).resolver((host, deadline) -> {
      asked.incrementAndGet();
      return THREE;
    }));
    serve(THREE, holding());
    visit(() -> {
      List<Response> open = new ArrayList<>();
      open.add(get());
      world.network.sleep(Duration.ofSeconds(1));
      open.add(get());
      assertEquals(1, asked.get());
      world.network.sleep(Duration.ofSeconds(2));
      open.add(get());
      assertEquals(2, asked.get());
      for (Response each : open) {
        each.close();
      }
    });
  }

  @Test
  void newConnectionsSpreadOverTheAddresses() throws Exception {
    serve(THREE, holding());
    visit(() -> {
      List<Response> open = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        open.add(get());
      }
      assertEquals(Map.of("192.0.2.1", 3, "192.0.2.2", 3, "192.0.2.3", 3), opened());
      assertEquals(1, asked.get());
      for (Response each : open) {
        each.close();
      }
    });
  }

  @Test
  void silentFamilyCostsAQuarterOfASecond() throws Exception {
    answer.set(addresses("2001:db8::1", "2001:db8::2", "192.0.2.1"));
    serve(addresses("192.0.2.1"), answering());
    visit(() -> {
      world.network.blackHole(at("2001:db8::1"));
      world.network.blackHole(at("2001:db8::2"));
      assertAnswered();
      assertEquals(Duration.ofMillis(250), world.now());
      assertEquals(1, world.pool().open());
    });
    world.assertNothingIsOpen();
  }

  private static InetSocketAddress at(String literal) {
    return new InetSocketAddress(Host.address(literal), 81);
  }

  @Test
  void everyAddressThatRefusedIsNamedByTheCall() throws Exception {
    world.network.run(() -> {
      HttpException failure = world.assertFails(
          ConnectFailedException.class,
          Phase.CONNECT,
          Sent.NO,
          world.failureOf("http://a.test:81/"));
      for (InetAddress address : THREE) {
        ClientWorld.assertSays(failure, address + ":81: Connection refused");
      }
      assertEquals(3, failure.getCause().getSuppressed().length);
    });
  }

  @Test
  void interruptWhileConnectingLeavesNothingBehind() throws Exception {
    THREE.forEach(each -> world.network.blackHole(new InetSocketAddress(each, 81)));
    world.network.run(() -> {
      ClientWorld.Running call = world.start(Request.get("http://a.test:81/"));
      world.network.sleep(Duration.ofMillis(600));
      call.thread().interrupt();
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> call.outcome().get());
      assertInstanceOf(InterruptedIOException.class, failed.getCause());
      assertTrue(call.interrupted().get());
      assertEquals(0, world.pool().open());
      assertEquals(Duration.ofMillis(600), world.now());
    });
  }

  /** A resolver that does not know what it may do fails its call, and costs the pool nothing. */
  @Test
  void resolverThatBreaksItsContractFailsTheCallAlone() throws Exception {
    List<Resolver> broken = List.of(
        (host, deadline) -> null,
        (host, deadline) -> List.of(),
        (host, deadline) -> Collections.singletonList(null),
        (host, deadline) -> {
          throw new IllegalStateException("broken");
        },
        (host, deadline) -> {
          throw new AssertionError("broken");
        });
    AtomicInteger turn = new AtomicInteger();
    resolveWith((host, deadline) -> {
      int now = turn.getAndIncrement();
      return now < broken.size() ? broken.get(now).resolve(host, deadline) : THREE;
    });
    serve(THREE, answering());
    visit(() -> {
      for (Resolver unused : broken) {
        HttpException failure = world.assertFails(
            UnresolvedHostException.class,
            Phase.RESOLVE,
            Sent.NO,
            world.failureOf("http://a.test:81/"));
        ClientWorld.assertSays(failure, "cannot look the host up: the resolver heddle.client");
      }
      assertAnswered();
      assertEquals(1, world.pool().open());
    });
  }

  // ---- names that move

  /** The host moves to these addresses, and so long after a connection was opened. */
  private void moveAfter(Duration time, String... literals) throws IOException {
    world.network.sleep(time);
    answer.set(addresses(literals));
  }

  /** Keeps a connection from being idle too long. */
  private void callFor(Duration time) throws IOException {
    long end = world.network.after(time).nanos();
    while (world.network.clock().nanoTime() < end) {
      assertAnswered();
      world.network.sleep(Duration.ofSeconds(5));
    }
  }

  @Test
  void connectionsFollowAHostThatMoves() throws Exception {
    answer.set(addresses("192.0.2.1"));
    serve(addresses("192.0.2.1", "192.0.2.2"), answering());
    visit(() -> {
      assertAnswered();
      callFor(Duration.ofSeconds(40));
      moveAfter(Duration.ZERO, "192.0.2.2");
      callFor(Duration.ofSeconds(100));
      assertEquals(Map.of("192.0.2.1", 1, "192.0.2.2", 1), opened());
      assertEquals(1, world.pool().open());
      assertTrue(asked.get() <= 6, () -> "asked " + asked + " times in 140 s");
    });
  }

  @Test
  void callOnAConnectionToAVanishedAddressIsNotCutShort() throws Exception {
    answer.set(addresses("192.0.2.1"));
    serve(addresses("192.0.2.1", "192.0.2.2"), c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
      for (int i = 0; i < 5; i++) {
        c.sleep(Duration.ofSeconds(20));
        c.send("Hello".substring(i, i + 1));
      }
      c.send("!");
      c.hasMore();
    });
    visit(() -> {
      Response holds = world.client.send(
          Request.builder("http://a.test:81/").deadline(Duration.ofMinutes(5)).build());
      moveAfter(Duration.ZERO, "192.0.2.2");
      world.network.sleep(Duration.ofSeconds(10));
      assertEquals(0, draining());
      untilSecondOf(() -> draining() == 1);
      assertTrue(world.now().toSeconds() <= 95, () -> "drained after " + world.now());
      assertEquals("Hello!", holds.string());
      holds.close();
      assertEquals(0, world.pool().open());
      get().close();
      assertEquals(Map.of("192.0.2.1", 1, "192.0.2.2", 1), opened());
    });
  }

  /** Parks until something holds that takes virtual minutes. */
  private void untilSecondOf(BooleanSupplier condition) throws IOException {
    while (!condition.getAsBoolean()) {
      world.network.sleep(Duration.ofSeconds(1));
    }
  }

  private int draining() {
    return world.pool().routes().stream().mapToInt(route -> route.draining()).sum();
  }

  @Test
  void nameServiceThatFailsDrainsNothing() throws Exception {
    resolveWith((host, deadline) -> {
      if (asked.incrementAndGet() > 1) {
        throw new UnknownHostException("no such host");
      }
      return addresses("192.0.2.1");
    });
    serve(addresses("192.0.2.1"), answering());
    visit(() -> {
      callFor(Duration.ofMinutes(5));
      assertTrue(asked.get() > 5, () -> "asked only " + asked + " times");
      assertEquals(Map.of("192.0.2.1", 1), opened());
    });
  }

  @Test
  void hostIsNotLookedUpOnceItsConnectionsAreGone() throws Exception {
    serve(addresses("192.0.2.1"), answering());
    visit(() -> {
      assertAnswered();
      world.network.sleep(Duration.ofMinutes(3));
      assertEquals(0, world.pool().open());
      int before = asked.get();
      world.network.sleep(Duration.ofHours(1));
      assertEquals(before, asked.get());
      assertAnswered();
      world.network.sleep(Duration.ofSeconds(45));
      assertEquals(before + 2, asked.get(), "the new connection is watched over again");
    });
  }

  @Test
  void closingTheClientEndsTheLookUpThatIsUnderWay() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    resolveWith((host, deadline) -> {
      if (asked.incrementAndGet() == 2) {
        try {
          world.network.sleep(Duration.ofDays(1));
        } finally {
          ended.set(true);
        }
      }
      return addresses("192.0.2.1");
    });
    serve(addresses("192.0.2.1"), answering());
    visit(() -> {
      assertAnswered();
      untilSecondOf(() -> asked.get() == 2);
      world.client.close();
      world.until(ended::get);
      assertTrue(world.now().toSeconds() < 32, () -> "closed after " + world.now());
    });
  }

  @Test
  void interruptWhileTheHostIsLookedUpEndsTheLookUp() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    resolveWith((host, deadline) -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        ended.set(true);
      }
      throw new IOException("ended");
    });
    world.network.run(() -> {
      ClientWorld.Running call = world.startUnderWay(Request.get("http://a.test:81/"));
      call.thread().interrupt();
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> call.outcome().get());
      assertInstanceOf(InterruptedIOException.class, failed.getCause());
      assertEquals(0, world.pool().open());
      world.until(ended::get);
    });
  }
}
