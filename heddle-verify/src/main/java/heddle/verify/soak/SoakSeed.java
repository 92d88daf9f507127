package heddle.verify.soak;

import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.testkit.Faults;
import heddle.testkit.SimNetwork;
import heddle.testkit.SimWorld;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One seed of the soak: a world with the faults that the seed draws, a client with limits that it
 * draws, some callers, and what must hold afterwards.
 */
final class SoakSeed {
  /** The time for the world to settle once the last call has ended: timeouts of servers pass. */
  private static final Duration SETTLE = Duration.ofMinutes(10);

  /** Longer than any idle timeout of a world. */
  private static final Duration IDLE = Duration.ofSeconds(40);

  /** Longer than all calls of one caller may take together. */
  private static final Duration PATIENCE = Duration.ofHours(2);

  private final long seed;
  private final int exchanges;
  private final Ledger ledger = new Ledger();
  private final SimWorld world;
  private final PoolLimits limits;
  private final Timeouts timeouts;
  private final List<SoakCall> calls = new ArrayList<>();

  /** The world's history until its last event; closing it is not a part of it. */
  private volatile long history;

  /**
   * The result of a seed.
   *
   * @param endings how each call ended and when, in that order
   * @param history a hash of all that was delivered and when, and of which thread ran when
   */
  record Result(Map<SoakCall.Outcome, Integer> outcomes, List<String> endings, long history) {
    /** The same in each JVM if the seed takes the same course. */
    String hash() {
      return "%016x".formatted(history * 31 + endings.hashCode());
    }
  }

  SoakSeed(long seed, int exchanges) {
    this.seed = seed;
    this.exchanges = exchanges;
    this.world = SimWorld.of(seed, Faults.drawn(new Random(seed)));
    Random random = world.random("limits");
    PoolLimits drawn = PoolLimits.builder()
        .maxPerRoute(1 + random.nextInt(4))
        .maxHttp2PerRoute(1 + random.nextInt(2))
        .maxStreamsPerConnection(1 + random.nextInt(8))
        .maxTotal(5 + random.nextInt(10))
        .maxQueuedPerRoute(random.nextInt(30))
        .acquireTimeout(Duration.ofMillis(2_000 + random.nextInt(8_000)))
        .idleTimeout(Duration.ofMillis(50 + random.nextInt(10_000)))
        .build();
    Duration older = Duration.ofMillis(world.random("age").nextInt(10_000));
    this.limits = drawn.toBuilder().maxAge(drawn.idleTimeout().plus(older)).build();
    this.timeouts = Timeouts.builder()
        .connect(Duration.ofMillis(200 + random.nextInt(4_000)))
        .silence(Duration.ofMillis(4_000 + random.nextInt(8_000)))
        .close(Duration.ofMillis(random.nextInt(3_000)))
        .build();
  }

  SimWorld world() {
    return world;
  }

  /**
   * Runs the seed to its end.
   *
   * @throws BrokenInvariant if an invariant did not hold
   */
  Result run() throws Exception {
    try {
      world.run(this::inWorld);
    } finally {
      close();
    }
    List<Thread> left = world.network().threadsLeft();
    if (!left.isEmpty()) {
      throw new BrokenInvariant("threads are left: " + describe(left));
    }
    ledger.check();
    Map<SoakCall.Outcome, Integer> outcomes = new EnumMap<>(SoakCall.Outcome.class);
    calls.forEach(call -> outcomes.merge(call.outcome(), 1, Integer::sum));
    return new Result(outcomes, ledger.endings(), history);
  }

  private void close() {
    try {
      world.close();
    } catch (AssertionError e) {
      ledger.broken("the loop: " + e.getMessage(), e);
    }
  }

  static String describe(List<Thread> threads) {
    StringBuilder text = new StringBuilder();
    for (Thread thread : threads) {
      text.append('\n').append(thread.getName()).append(' ').append(thread.getState());
      for (StackTraceElement element : thread.getStackTrace()) {
        text.append("\n    ").append(element);
      }
    }
    return text.toString();
  }

  private void inWorld() throws Exception {
    SimNetwork network = world.network();
    try (SoakServers servers = new SoakServers(world, ledger)) {
      HttpClient client = HttpClient.builder()
          .network(network.lasting())
          .resolver(world.resolver())
          .poolLimits(limits)
          .timeouts(timeouts)
          .listener(ledger)
          .build();
      callAll(client);
      settle(client);
      calls.forEach(SoakCall::settle);
      if (!ledger.isBroken()) {
        world.calmDown();
        network.sleep(IDLE);
        require(
            client.pool().open() == 0,
            "all has been idle for " + IDLE + ", and the pool holds "
                + client.pool().routes());
        new CalmCalls(world, client, ledger, exchanges)
            .run(1 + Math.min(limits.maxQueuedPerRoute(), 6));
      }
      Duration before = now();
      client.close();
      Duration took = now().minus(before);
      require(
          took.compareTo(timeouts.close().plus(world.faults().maxLeap()).plusMillis(1)) <= 0,
          "closing the client took " + took);
      require(client.pool().open() == 0, "the closed client's pool holds " + client.pool());
      await(
          () -> openByClient() == 0,
          () -> "the closed client left sockets open: " + openByClient());
      await(() -> servers.active() == 0, () -> "servers still answer: " + servers.active());
    }
    await(
        () -> network.connections().stream().noneMatch(c -> c.isOpen()),
        () -> "connections are open after all is closed");
    history = network.history();
  }

  private Duration now() {
    return Duration.ofNanos(world.network().clock().nanoTime());
  }

  private long openByClient() {
    return world.network().connections().stream().filter(c -> c.isClientOpen()).count();
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      ledger.broken(otherwise);
    }
  }

  private void await(BooleanSupplier condition, Supplier<String> otherwise) throws IOException {
    Duration end = now().plus(SETTLE);
    for (int millis = 1; !condition.getAsBoolean(); millis *= 2) {
      if (now().compareTo(end) > 0) {
        ledger.broken(otherwise.get());
        return;
      }
      world.network().sleep(Duration.ofMillis(millis));
    }
  }

  // ---- callers

  private void callAll(HttpClient client) throws IOException {
    Random random = world.random("callers");
    int callers = 2 + random.nextInt(15);
    AtomicInteger busy = new AtomicInteger(callers);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      List<SoakCall> own = new ArrayList<>();
      for (int n = i; n < exchanges; n += callers) {
        own.add(new SoakCall(world, client, ledger, n + 1));
      }
      calls.addAll(own);
      Thread caller = world.network().threadFactory().newThread(() -> {
        try {
          own.forEach(this::runUnlessBroken);
        } finally {
          busy.decrementAndGet();
        }
      });
      threads.add(caller);
      caller.start();
    }
    boolean interrupts = random.nextBoolean();
    while (busy.get() > 0) {
      if (now().compareTo(PATIENCE) > 0) {
        ledger.broken("calls never end:" + describe(threads));
        threads.forEach(Thread::interrupt);
        return;
      }
      world.network().sleep(Duration.ofMillis(1 + random.nextInt(200)));
      if (interrupts && random.nextInt(3) == 0) {
        threads.get(random.nextInt(callers)).interrupt();
      }
      lookAt(client.pool());
    }
  }

  private void runUnlessBroken(SoakCall call) {
    if (!ledger.isBroken()) {
      call.run();
    }
  }

  /** What must hold at any time. */
  private void lookAt(PoolSnapshot pool) {
    require(pool.open() <= limits.maxTotal(), "more connections than maxTotal: " + pool);
    for (RouteSnapshot route : pool.routes()) {
      int most = Math.max(limits.maxPerRoute(), limits.maxHttp2PerRoute());
      require(
          route.open() - route.draining() <= most && route.pending() <= limits.maxQueuedPerRoute(),
          "more than the limits allow: " + route + " of " + limits);
      require(
          route.inUse() >= 0 && route.inFlight() >= 0 && route.idle() >= 0,
          "negative counts: " + route);
    }
  }

  /** No call is under way: none is in flight or pending, and the pool counts open sockets only. */
  private void settle(HttpClient client) throws IOException {
    await(
        () -> client.pool().routes().stream().allMatch(r -> r.inFlight() == 0 && r.pending() == 0),
        () -> "no call is under way, and the pool holds " + client.pool().routes());
    await(
        () -> client.pool().open() == openByClient(),
        () -> "places taken are not the open connections: " + openByClient() + " and "
            + client.pool().routes());
  }

  @Override
  public String toString() {
    return "seed " + seed + ": " + world.faults();
  }
}
