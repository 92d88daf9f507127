package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.Waiting;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory. One loop, on a daemon thread of its own, serves all channels; latency, the
 * sizes of reads and writes and the order of wake-ups follow a seed; connections can be cut,
 * stalled and refused. Safe for use by any thread.
 *
 * <p>With {@linkplain Builder#virtualTime virtual time} the clock moves only when the world is
 * idle: nothing for the loop to do at the present time, and every thread of the world parked. Then
 * it jumps to the next timer or arrival, so that a deadline of a minute takes no time to test.
 * Threads of the world are those that run {@link #run} or {@link #call}, or were made by {@link
 * #threadFactory} or {@link #executor}; between calls the time stands still. A thread that holds a
 * monitor or waits for anything but the world's clock ({@link Thread#sleep}) counts as parked while
 * it waits; use {@link #sleep}.
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
  private static final int FIRST_EPHEMERAL_PORT = 49_152;

  /** Something to do in the world. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  private final SimOptions options;
  private final SimClock clock;
  private final WorldThreads threads = new WorldThreads();
  private final SimLoop loop;

  // All guarded by the world's lock.
  private final Random random;
  private final Map<SocketAddress, SimListening> listening = new HashMap<>();
  private final Set<SocketAddress> blackHoles = new HashSet<>();
  private final Set<SocketAddress> refused = new HashSet<>();
  private final List<SimConnection> connections = new ArrayList<>();
  private final Set<Attempt> attempts = new HashSet<>();
  private Consumer<SimConnection> onConnection = connection -> {};
  private int nextPort = FIRST_EPHEMERAL_PORT;
  private boolean closed;

  private SimNetwork(SimOptions options) {
    this.options = options;
    this.clock = new SimClock(options.virtualTime());
    this.loop = new SimLoop(options, clock, threads);
    this.random = new Random(options.seed());
    loop.begin();
  }

  /** A network without latency or faults, on the machine's clock. */
  public static SimNetwork create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  // ---- Network

  @Override
  public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    checkCaller();
    Attempt attempt = new Attempt(address, Thread.currentThread());
    loop.lock().lock();
    try {
      if (closed) {
        throw new IOException("the network is closed");
      }
      attempts.add(attempt);
      if (!blackHoles.contains(address)) {
        loop.schedule(afterLatency(), () -> arrive(attempt));
      }
    } finally {
      loop.lock().unlock();
    }
    try {
      Waiting.until(() -> isDone(attempt), loop, deadline, "connecting to " + address);
    } catch (IOException e) {
      abandon(attempt);
      throw e;
    }
    return connected(attempt);
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
    Objects.requireNonNull(onAccept, "onAccept");
    loop.lock().lock();
    try {
      if (closed) {
        throw new IOException("the network is closed");
      }
      SocketAddress bound = withPort(address);
      if (listening.containsKey(bound)) {
        throw new BindException("Address already in use: " + bound);
      }
      SimListening added = new SimListening(bound, onAccept);
      listening.put(bound, added);
      return added;
    } finally {
      loop.lock().unlock();
    }
  }

  private SocketAddress withPort(SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet) || inet.getPort() != 0) {
      return address;
    }
    return inet.isUnresolved()
        ? InetSocketAddress.createUnresolved(inet.getHostString(), nextPort++)
        : new InetSocketAddress(inet.getAddress(), nextPort++);
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
    loop.end(this::closeAll);
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

  private void closeAll() {
    List<SimConnection> open = new ArrayList<>();
    loop.locked(() -> {
      closed = true;
      open.addAll(connections);
      listening.clear();
      attempts.forEach(attempt -> attempt.fail(new IOException("the network is closed")));
    });
    for (SimConnection connection : open) {
      connection.client().closeAtEnd();
      connection.server().closeAtEnd();
    }
  }

  // ---- faults

  /** Connecting to this address is never answered from now on. */
  public void blackHole(SocketAddress address) {
    loop.locked(() -> blackHoles.add(address));
  }

  /** Connecting to this address is refused from now on, although somebody may listen there. */
  public void refuse(SocketAddress address) {
    loop.locked(() -> refused.add(address));
  }

  /** Takes {@link #blackHole} and {@link #refuse} back for attempts still to be made. */
  public void restore(SocketAddress address) {
    loop.locked(() -> {
      blackHoles.remove(address);
      refused.remove(address);
    });
  }

  /** All connections made so far, in order, closed ones too. */
  public List<SimConnection> connections() {
    loop.lock().lock();
    try {
      return List.copyOf(connections);
    } finally {
      loop.lock().unlock();
    }
  }

  /**
   * Sees each connection, on the loop, before either end does: the place to prepare faults.
   * Replaces what was set before.
   */
  public void onConnection(Consumer<SimConnection> observer) {
    loop.locked(() -> onConnection = observer);
  }

  // ---- threads and time

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

  // ---- connecting

  /** One thread's attempt to connect. Guarded by the world's lock. */
  private final class Attempt {
    final SocketAddress address;
    final Thread thread;
    boolean done;
    boolean abandoned;

    @Nullable
    SimConnection connection;

    @Nullable
    IOException failure;

    Attempt(SocketAddress address, Thread thread) {
      this.address = address;
      this.thread = thread;
    }

    void fail(IOException why) {
      failure = why;
      finish();
    }

    void finish() {
      done = true;
      loop.unpark(thread);
    }
  }

  private long afterLatency() {
    return clock.nanoTime() + options.latencyNanos(random);
  }

  private boolean isDone(Attempt attempt) {
    loop.lock().lock();
    try {
      return attempt.done;
    } finally {
      loop.lock().unlock();
    }
  }

  private void abandon(Attempt attempt) {
    loop.locked(() -> {
      attempts.remove(attempt);
      attempt.abandoned = true;
      if (attempt.connection != null) {
        attempt.connection.client().close();
      }
    });
  }

  private Channel connected(Attempt attempt) throws IOException {
    loop.lock().lock();
    try {
      attempts.remove(attempt);
      if (attempt.failure != null) {
        throw attempt.failure;
      }
      return Objects.requireNonNull(attempt.connection).client();
    } finally {
      loop.lock().unlock();
    }
  }

  /** The wish to connect reaches its address; on the loop. */
  private void arrive(Attempt attempt) {
    Consumer<SimConnection> observer;
    SimListening target;
    SimConnection connection;
    loop.lock().lock();
    try {
      if (attempt.abandoned || attempt.done) {
        return;
      }
      target = refused.contains(attempt.address) ? null : find(attempt.address);
      if (target == null) {
        String text = "Connection refused: " + attempt.address;
        loop.schedule(
            afterLatency(), () -> loop.locked(() -> attempt.fail(new ConnectException(text))));
        return;
      }
      SocketAddress from = new InetSocketAddress(InetAddress.getLoopbackAddress(), nextPort++);
      connection = new SimConnection(loop, options, connections.size(), from, attempt.address);
      connections.add(connection);
      attempt.connection = connection;
      observer = onConnection;
      loop.schedule(afterLatency(), () -> loop.locked(attempt::finish));
    } finally {
      loop.lock().unlock();
    }
    observer.accept(connection);
    target.onAccept.accept(connection.server());
  }

  private @Nullable SimListening find(SocketAddress address) {
    SimListening exact = listening.get(address);
    if (exact != null || !(address instanceof InetSocketAddress inet)) {
      return exact;
    }
    for (SimListening candidate : listening.values()) {
      if (candidate.address instanceof InetSocketAddress bound
          && bound.getPort() == inet.getPort()
          && !bound.isUnresolved()
          && bound.getAddress().isAnyLocalAddress()) {
        return candidate;
      }
    }
    return null;
  }

  private final class SimListening implements Listening {
    final SocketAddress address;
    final Consumer<Channel> onAccept;

    SimListening(SocketAddress address, Consumer<Channel> onAccept) {
      this.address = address;
      this.onAccept = onAccept;
    }

    @Override
    public SocketAddress address() {
      return address;
    }

    @Override
    public void close() {
      loop.locked(() -> listening.remove(address, this));
    }
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

    /** A listener gets at least 1 and at most this many bytes a call, as the seed has it. */
    public Builder maxReadBytes(int bytes) {
      maxReadBytes = positive(bytes, "maxReadBytes");
      return this;
    }

    /**
     * A write hands over at least 1 and at most this many bytes, as the seed has it, and then waits
     * for the loop to say that the channel is writable again.
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
     * default. Longer where platform threads, which the world cannot see, do part of the work.
     */
    public Builder settle(Duration time) {
      if (time.isNegative()) {
        throw new IllegalArgumentException("settle " + time + " is negative");
      }
      settle = time;
      return this;
    }

    public SimNetwork build() {
      return new SimNetwork(new SimOptions(
          seed,
          minLatency,
          maxLatency,
          maxReadBytes,
          maxWriteBytes,
          sendBuffer,
          virtualTime,
          settle));
    }

    private static int positive(int bytes, String what) {
      if (bytes < 1) {
        throw new IllegalArgumentException(what + " is " + bytes + ", must be at least 1");
      }
      return bytes;
    }
  }
}
