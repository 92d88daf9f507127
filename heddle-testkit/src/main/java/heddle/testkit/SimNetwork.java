package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.Waiting;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A network in memory. One loop, on a daemon thread, serves all channels; latency, the sizes of
 * reads and writes and the order of wake-ups follow a seed; connections can be cut, stalled and
 * refused. Safe for use by any thread.
 *
 * <p>With {@linkplain Builder#virtualTime virtual time} the clock moves only when the world is
 * idle: nothing for the loop to do at the present time, and every thread of the world parked. Then
 * it jumps to the next timer or arrival, so that a deadline of a minute takes no time to test.
 * Threads of the world are those that run {@link #run} or {@link #call}, or were made by {@link
 * #threadFactory} or {@link #executor}; between calls the time stands still. A thread that waits
 * for anything but the world's clock ({@link Thread#sleep}) counts as parked while it waits, and
 * time jumps past it: use {@link #sleep}. One that is blocked on a monitor counts as busy, so that
 * time stands still until it gets the monitor.
 *
 * <pre>{@code
 * try (SimNetwork network = SimNetwork.builder().seed(7).virtualTime().build()) {
 *   network.blackHole(address);
 *   network.run(() -> assertThrows(DeadlinePassedException.class,
 *       () -> network.connect(address, network.after(Duration.ofSeconds(60)))));
 * }
 * }</pre>
 */
public final class SimNetwork implements Network {
  /** Something to do in the world. */
  @FunctionalInterface
  public interface Action {
    /** Runs in the simulated world. */
    void run() throws Exception;
  }

  /** Opens channels instead of a network. */
  @FunctionalInterface
  public interface Connecting {
    /** As {@link Network#connect}. */
    Channel connect(SocketAddress address, Deadline deadline) throws IOException;
  }

  private final SimClock clock;
  private final WorldThreads threads;
  private final SimLoop loop;
  private final SimPlaces places;

  private SimNetwork(SimOptions options) {
    this.clock = new SimClock(options.virtualTime());
    WorldScheduler scheduler = options.deterministic() ? new WorldScheduler(options.seed()) : null;
    this.threads = new WorldThreads(scheduler);
    this.loop = new SimLoop(options, clock, threads, scheduler);
    this.places = new SimPlaces(loop, options);
    loop.begin();
  }

  /** A network without latency or faults, on the machine's clock. */
  public static SimNetwork create() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Whether this JVM allows a custom scheduler of virtual threads, which takes {@code --add-opens
   * java.base/java.lang=ALL-UNNAMED} on its command line, or {@code =heddle.testkit} if the testkit
   * is on the module path.
   */
  public static boolean canBeDeterministic() {
    return WorldScheduler.isAvailable();
  }

  // ---- Network

  @Override
  public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    checkCaller();
    return places.connect(address, deadline);
  }

  private void checkCaller() {
    if (loop.inLoop()) {
      throw new IllegalStateException("connecting on the loop could park it");
    }
    if (clock.isVirtual() && !threads.isCalled() && !threads.isTracked(Thread.currentThread())) {
      throw new IllegalStateException(
          "time stands still outside run() and call(): connect from a thread of the world");
    }
  }

  @Override
  public Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
      throws IOException {
    return places.listen(address, Objects.requireNonNull(onAccept, "onAccept"));
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  /**
   * Closes every channel and ends the loop.
   *
   * @throws AssertionError if a task, a timer or a listener's {@code onClosed} threw on the loop
   */
  @Override
  public void close() {
    loop.end(places::close);
    if (loop.inLoop()) {
      return;
    }
    try {
      Throwable failure = loop.join();
      if (failure != null) {
        throw new AssertionError("something failed on the loop: " + failure, failure);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- faults

  /** Connecting to this address is never answered from now on. */
  public void blackHole(SocketAddress address) {
    places.blackHole(address);
  }

  /** Refuses connections to this address from now on, even if a server listens there. */
  public void refuse(SocketAddress address) {
    places.refuse(address);
  }

  /** Takes {@link #blackHole} and {@link #refuse} back for attempts still to be made. */
  public void restore(SocketAddress address) {
    places.restore(address);
  }

  /** All connections made so far, in order, closed ones too. */
  public List<SimConnection> connections() {
    return places.connections();
  }

  /**
   * Sees each connection, on the loop, before either end does: the place to prepare faults.
   * Replaces what was set before.
   */
  public void onConnection(Consumer<SimConnection> observer) {
    places.onConnection(observer);
  }

  void onAttempt(Function<SocketAddress, SimPlaces.Answer> decision) {
    places.onAttempt(decision);
  }

  /**
   * Moves the clock forward at once, as after a machine was suspended: what was due in between
   * happens late, and all together. Only with virtual time.
   *
   * @throws IllegalArgumentException if {@code time} is negative: monotonic time never goes back
   */
  public void leap(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("monotonic time never goes back, not even by " + time);
    }
    loop.execute(() -> clock.advanceTo(clock.nanoTime() + time.toNanos()));
  }

  /** A view of this network that stays open when a client or server closes it. */
  public Network lasting() {
    return lasting(this::connect);
  }

  /** As {@link #lasting()}, where channels are opened in another way: late, or with faults. */
  public Network lasting(Connecting connecting) {
    return new SimPlaces.Lasting(this, connecting);
  }

  // ---- threads and time

  boolean isVirtual() {
    return clock.isVirtual();
  }

  /**
   * Runs an action on a virtual thread of the world and waits for it.
   *
   * @throws Exception what the action throws
   */
  public void run(Action action) throws Exception {
    threads.call(() -> {
      action.run();
      return Boolean.TRUE;
    });
  }

  /**
   * Runs a task on a virtual thread of the world and waits for its result.
   *
   * @throws Exception what the task throws
   */
  public <T> T call(Callable<T> task) throws Exception {
    return threads.call(task);
  }

  /** Makes virtual threads that belong to the world: virtual time waits while one of them runs. */
  public ThreadFactory threadFactory() {
    return threads;
  }

  /** Runs each task on a virtual thread of the world. */
  public Executor executor() {
    return task -> threads.newThread(task).start();
  }

  /** The deadline that is {@code timeout} from now on the world's clock. */
  public Deadline after(Duration timeout) {
    return Deadline.after(timeout, clock);
  }

  /**
   * Parks the calling thread for a while of the world's time.
   *
   * @throws IOException an {@link java.io.InterruptedIOException} if the thread is interrupted
   */
  public void sleep(Duration time) throws IOException {
    long until = after(time).nanos();
    Waiting.until(
        () -> clock.nanoTime() >= until, loop, new Deadline(until), "sleeping in the world");
  }

  /**
   * Threads of the world that have not ended; of a {@linkplain Builder#deterministic deterministic}
   * one, once it is closed, also those that the code under test has started.
   */
  public List<Thread> threadsLeft() {
    return threads.left();
  }

  /**
   * A hash of all that was delivered so far and when, and, if the seed decides it, of which thread
   * ran when: two runs of one seed with the same hash took the same course.
   */
  public long history() {
    return clock.history() + 31 * threads.history();
  }

  /** Describes a network. Not safe for use by several threads. */
  public static final class Builder {
    private long seed;
    private Duration minLatency = Duration.ZERO;
    private Duration maxLatency = Duration.ZERO;
    private int maxReadBytes = Pipe.WHOLE;
    private int maxWriteBytes = Pipe.WHOLE;
    private int sendBuffer = 256 * 1024;
    private boolean virtualTime;
    private Duration settle = Duration.ofNanos(100_000);
    private boolean deterministic;

    private Builder() {}

    /** What latency, sizes and the order of wake-ups are drawn from; 0 by default. */
    public Builder seed(long newSeed) {
      seed = newSeed;
      return this;
    }

    /**
     * How long bytes travel one way, drawn anew for each write between the two bounds; bytes of one
     * direction never overtake each other. None by default.
     *
     * @throws IllegalArgumentException if {@code min} is negative or above {@code max}
     */
    public Builder latency(Duration min, Duration max) {
      if (min.isNegative() || min.compareTo(max) > 0) {
        throw new IllegalArgumentException("latency from " + min + " to " + max);
      }
      minLatency = min;
      maxLatency = max;
      return this;
    }

    /** A listener gets at least 1 and at most this many bytes per call, drawn from the seed. */
    public Builder maxReadBytes(int bytes) {
      maxReadBytes = positive(bytes, "maxReadBytes");
      return this;
    }

    /**
     * A write hands over at least 1 and at most this many bytes, drawn from the seed. Then it waits
     * until the loop makes the channel writable again.
     */
    public Builder maxWriteBytes(int bytes) {
      maxWriteBytes = positive(bytes, "maxWriteBytes");
      return this;
    }

    /**
     * How many bytes of one direction may be written that the receiver has not read; a write that
     * finds no room parks. 256 KiB by default.
     */
    public Builder sendBuffer(int bytes) {
      sendBuffer = positive(bytes, "sendBuffer");
      return this;
    }

    /** Lets time jump when the world is idle; see {@link SimNetwork}. */
    public Builder virtualTime() {
      virtualTime = true;
      return this;
    }

    /**
     * Real time for which the world must be seen quiet before virtual time moves on; 100 µs by
     * default. Set it longer if platform threads, which the world cannot see, do part of the work.
     */
    public Builder settle(Duration time) {
      if (time.isNegative()) {
        throw new IllegalArgumentException("settle " + time + " is negative");
      }
      settle = time;
      return this;
    }

    /**
     * Lets the seed also decide which thread runs when, so that the same seed gives the same
     * history; implies {@link #virtualTime}. All virtual threads of the world, those that the code
     * under test starts and the loop included, share one platform thread: each runs until it parks,
     * or yields at the seams of this network, where the seed may let another one run first.
     *
     * <p>How far that goes: to everything that happens on virtual threads in the world's time.
     * Platform threads (file bodies, the system's resolver, the handshakes of some TLS providers),
     * timed waits ({@link Thread#sleep}), the time of day, secure randomness and the order of what
     * hashes by identity are not covered. Threads interleave only where they park or yield.
     *
     * <p>{@link #build} throws an {@link IllegalStateException} in a JVM that was not started with
     * {@code --add-opens java.base/java.lang=ALL-UNNAMED}; see {@link #canBeDeterministic}.
     */
    public Builder deterministic() {
      deterministic = true;
      virtualTime = true;
      return this;
    }

    /** Builds the network. */
    public SimNetwork build() {
      return new SimNetwork(new SimOptions(
          seed,
          minLatency,
          maxLatency,
          maxReadBytes,
          maxWriteBytes,
          sendBuffer,
          virtualTime,
          settle,
          deterministic));
    }

    private static int positive(int bytes, String what) {
      if (bytes < 1) {
        throw new IllegalArgumentException(what + " is " + bytes + ", must be at least 1");
      }
      return bytes;
    }
  }
}
