package heddle.testkit;

import heddle.testkit.Faults.Mishap;
import heddle.transport.Timer;
import heddle.transport.names.Resolver;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A simulated world in which one seed decides everything: latency, pieces, the order in which
 * threads run, and when which {@linkplain Mishap mishap} happens. Its time is virtual, so that an
 * hour takes as long as what happens in it. Safe for use by any thread.
 *
 * <p>The same seed gives the same history in every JVM that {@linkplain
 * SimNetwork#canBeDeterministic allows it}; see {@link SimNetwork.Builder#deterministic} for what
 * is not covered. In other JVMs the operating system decides which thread runs when, and the seed
 * the rest.
 *
 * <pre>{@code
 * try (SimWorld world = SimWorld.of(7, Faults.drawn(new Random(7)))) {
 *   world.name("service.test", InetAddress.getByName("127.0.0.1"));
 *   world.run(() -> {
 *     try (HttpClient client = HttpClient.builder()
 *         .network(world.network().lasting()).resolver(world.resolver()).build()) {
 *       ...
 *     }
 *   });
 * }
 * }</pre>
 */
public final class SimWorld implements AutoCloseable {
  private static final Duration LEAPS_ARE_DRAWN = Duration.ofSeconds(1);

  private final long seed;
  private final Faults faults;
  private final SimNetwork network;
  private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock: how often each mishap was drawn. */
  private final Map<Mishap, Integer> happened = new EnumMap<>(Mishap.class);

  /** Guarded by lock, a leaf. */
  private final Random random;

  /** Connections that have had a mishap, or will have. */
  private final Queue<SimConnection> struck = new ConcurrentLinkedQueue<>();

  private final Timer leaps;

  private volatile boolean calm;

  private SimWorld(long seed, Faults faults) {
    this.seed = seed;
    this.faults = faults;
    this.random = random("mishaps");
    SimNetwork.Builder described = faults.described().network().seed(seed).virtualTime();
    this.network =
        SimNetwork.canBeDeterministic() ? described.deterministic().build() : described.build();
    network.onConnection(this::befall);
    network.onAttempt(address -> answer());
    leaps = network.loop().newTimer(this::leapPerhaps);
    if (faults.chance(Mishap.LEAP) > 0) {
      leaps.arm(LEAPS_ARE_DRAWN.toNanos());
    }
  }

  /** A world with these faults. */
  public static SimWorld of(long seed, Faults faults) {
    return new SimWorld(seed, faults);
  }

  /** The seed that the world was made from. */
  public long seed() {
    return seed;
  }

  /** The faults of the world. */
  public Faults faults() {
    return faults;
  }

  /** The network, whose clock is the world's. */
  public SimNetwork network() {
    return network;
  }

  /** Runs an action on a thread of the world and waits for it. */
  public void run(SimNetwork.Action action) throws Exception {
    network.run(action);
  }

  /**
   * A source of randomness that depends only on the seed and a name, for one thread: drawing from
   * one does not change what others give.
   */
  public Random random(String what) {
    return new Random(seed * 0x9E3779B97F4A7C15L ^ (long) what.hashCode() << 20);
  }

  /** How often each mishap was drawn so far. */
  public Map<Mishap, Integer> happened() {
    lock.lock();
    try {
      return Map.copyOf(happened);
    } finally {
      lock.unlock();
    }
  }

  // ---- names

  /** Gives a host its addresses, replacing those before. */
  public void name(String host, InetAddress... addresses) {
    names.put(host, List.of(addresses));
  }

  /** Resolves the names of the world, with the mishaps drawn for names. */
  public Resolver resolver() {
    return this::resolve;
  }

  private List<InetAddress> resolve(String host, Deadline deadline) throws IOException {
    if (happens(Mishap.SLOW_NAME)) {
      Deadline over = deadline.earlier(network.after(pause()));
      network.sleep(Duration.ofNanos(over.remainingNanos(network.clock())));
    }
    List<InetAddress> known = names.get(host);
    if (known == null) {
      throw new UnknownHostException(host + ": not a name of this world");
    }
    if (happens(Mishap.NO_NAME)) {
      throw new UnknownHostException(host + ": the name service failed");
    }
    return happens(Mishap.MOVED_NAME) ? some(known) : known;
  }

  private List<InetAddress> some(List<InetAddress> known) {
    List<InetAddress> mixed = new ArrayList<>(known);
    lock.lock();
    try {
      Collections.shuffle(mixed, random);
      return List.copyOf(mixed.subList(0, 1 + random.nextInt(mixed.size())));
    } finally {
      lock.unlock();
    }
  }

  // ---- time

  /**
   * The time of day, which starts at the epoch and may jump either way whenever the clock leaps.
   * Nothing but dates should follow it; those of servers in this world do.
   */
  public InstantSource timeOfDay() {
    return () -> Instant.ofEpochMilli(network.clock().epochMillis());
  }

  /** On the loop. */
  private void leapPerhaps() {
    if (happens(Mishap.LEAP)) {
      Duration off = pause().minus(pause().multipliedBy(2));
      ((SimLoop) network.loop()).clock().moveDay(off.toMillis());
      network.leap(pause());
    }
    // After the leap, which is a task too: two in a row would be a longer one than was promised.
    network.loop().execute(() -> leaps.arm(network.after(LEAPS_ARE_DRAWN).nanos()));
  }

  // ---- mishaps

  /**
   * Stops all mishaps, so that what fails afterwards is the fault of the code under test. Resets
   * connections that have had a mishap or have one planned.
   */
  public void calmDown() {
    calm = true;
    struck.forEach(SimConnection::reset);
    struck.clear();
  }

  private boolean happens(Mishap mishap) {
    double chance = faults.chance(mishap);
    if (chance == 0 || calm) {
      return false;
    }
    lock.lock();
    try {
      boolean does = random.nextDouble() < chance;
      if (does) {
        happened.merge(mishap, 1, Integer::sum);
      }
      return does;
    } finally {
      lock.unlock();
    }
  }

  private Duration pause() {
    return Duration.ofNanos(1 + (long) (fraction() * faults.maxPause().toNanos()));
  }

  private double fraction() {
    lock.lock();
    try {
      return random.nextDouble();
    } finally {
      lock.unlock();
    }
  }

  private SimPlaces.Answer answer() {
    if (happens(Mishap.REFUSE)) {
      return SimPlaces.Answer.REFUSE;
    }
    if (happens(Mishap.BLACK_HOLE)) {
      return SimPlaces.Answer.IGNORE;
    }
    boolean tied = happens(Mishap.TIE);
    return tied || happens(Mishap.LATE)
        ? new SimPlaces.Answer(SimPlaces.Fate.ACCEPT, pause().toNanos(), tied)
        : SimPlaces.Answer.ACCEPT;
  }

  /** Draws a connection's mishaps when it begins; on the loop. */
  private void befall(SimConnection connection) {
    if (calm) {
      return;
    }
    if (strike(connection)) {
      struck.add(connection);
    }
  }

  /** Draws and plans the mishaps of a connection; returns whether there is any. */
  private boolean strike(SimConnection connection) {
    boolean cut = happens(Mishap.CUT);
    if (cut) {
      connection.cutAfterBytes(direction(), place(), Cut.END);
    }
    boolean reset = happens(Mishap.RESET);
    if (reset) {
      connection.cutAfterBytes(direction(), place(), Cut.RESET);
    }
    boolean silent = happens(Mishap.SILENCE);
    if (silent) {
      connection.silenceAfterBytes(direction(), place());
    }
    boolean pauses = happens(Mishap.PAUSE);
    if (pauses) {
      connection.stallAfterBytes(direction(), place(), pause());
    }
    boolean slow = happens(Mishap.SLOW);
    if (slow) {
      connection.trickle(direction(), (int) place(), pause().dividedBy(20));
    }
    return cut || reset || silent || pauses || slow;
  }

  private Direction direction() {
    return fraction() < 0.5 ? Direction.TO_SERVER : Direction.TO_CLIENT;
  }

  /** A log-uniform position, so that the first bytes of a connection are likely. */
  private long place() {
    return (long) Math.pow((double) faults.within(), fraction());
  }

  /**
   * Closes the network.
   *
   * @throws AssertionError if a task, a timer or a listener's {@code onClosed} threw on the loop
   */
  @Override
  public void close() {
    leaps.cancel();
    network.close();
  }
}
