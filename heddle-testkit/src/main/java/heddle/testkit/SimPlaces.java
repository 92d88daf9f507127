package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.ForwardingNetwork;
import heddle.transport.Network.Listening;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The addresses of a simulated network: its listeners, and attempts to connect. */
final class SimPlaces {
  /** The outcome of an attempt to connect. */
  enum Fate {
    ACCEPT,
    REFUSE,
    IGNORE
  }

  /**
   * @param lateNanos how much longer than others the attempt takes
   * @param tied whether it ends in the same moment as the next attempt, if one begins meanwhile
   */
  record Answer(Fate fate, long lateNanos, boolean tied) {
    static final Answer ACCEPT = new Answer(Fate.ACCEPT, 0, false);
    static final Answer REFUSE = new Answer(Fate.REFUSE, 0, false);
    static final Answer IGNORE = new Answer(Fate.IGNORE, 0, false);
  }

  /** A view of a network that stays open when it is closed. */
  record Lasting(SimNetwork target, SimNetwork.Connecting connecting) implements ForwardingNetwork {
    @Override
    public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
      return connecting.connect(address, deadline);
    }

    @Override
    public void close() {}
  }

  private static final int FIRST_EPHEMERAL_PORT = 49_152;
  private static final long NO_TIME = -1;

  private final SimLoop loop;
  private final SimOptions options;

  // All guarded by the world's lock.
  private final Random random;
  private final Map<SocketAddress, Place> listening = new HashMap<>();
  private final Set<SocketAddress> blackHoles = new HashSet<>();
  private final Set<SocketAddress> refused = new HashSet<>();
  private final List<SimConnection> connections = new ArrayList<>();
  private final Set<Attempt> attempts = new LinkedHashSet<>();
  private @Nullable Attempt awaitsNext;
  private Consumer<SimConnection> onConnection = connection -> {};
  private Function<SocketAddress, Answer> onAttempt = address -> Answer.ACCEPT;
  private int nextPort = FIRST_EPHEMERAL_PORT;
  private boolean closed;

  SimPlaces(SimLoop loop, SimOptions options) {
    this.loop = loop;
    this.options = options;
    this.random = new Random(options.seed());
  }

  // ---- listening

  Listening listen(SocketAddress address, Consumer<Channel> onAccept) throws IOException {
    loop.lock().lock();
    try {
      checkOpen();
      SocketAddress bound = withPort(address);
      if (listening.containsKey(bound)) {
        throw new BindException("Address already in use: " + bound);
      }
      Place added = new Place(bound, onAccept);
      listening.put(bound, added);
      return added;
    } finally {
      loop.lock().unlock();
    }
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("the network is closed");
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

  private @Nullable Place find(SocketAddress address) {
    Place exact = listening.get(address);
    if (exact != null || !(address instanceof InetSocketAddress inet)) {
      return exact;
    }
    for (Place candidate : listening.values()) {
      if (candidate.address instanceof InetSocketAddress bound
          && bound.getPort() == inet.getPort()
          && !bound.isUnresolved()
          && bound.getAddress().isAnyLocalAddress()) {
        return candidate;
      }
    }
    return null;
  }

  private final class Place implements Listening {
    final SocketAddress address;
    final Consumer<Channel> onAccept;

    Place(SocketAddress address, Consumer<Channel> onAccept) {
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

  // ---- connecting

  /** One thread's attempt to connect. Guarded by the world's lock. */
  private final class Attempt {
    final SocketAddress address;
    final Thread thread = Thread.currentThread();
    boolean done;
    boolean abandoned;
    Answer answer = Answer.ACCEPT;

    @Nullable
    SimConnection connection;

    @Nullable
    IOException failure;

    /** When it arrives. */
    Agenda.@Nullable Entry arrival;

    /** When the answer to it is back, if that is decided already. */
    long answeredAt = NO_TIME;

    Attempt(SocketAddress address) {
      this.address = address;
    }

    /** Decides, perhaps anew, when it arrives and when it is answered. */
    void arrive(long atNanos, long answeredAtNanos) {
      if (arrival != null) {
        loop.withdraw(arrival);
      }
      arrival = loop.schedule(atNanos, () -> SimPlaces.this.arrive(this));
      answeredAt = answeredAtNanos;
    }

    /** Whether it has not arrived yet, and goes to the same port, of whatever host. */
    boolean isUnderWayTo(SocketAddress other) {
      return !done
          && !abandoned
          && connection == null
          && address instanceof InetSocketAddress one
          && other instanceof InetSocketAddress two
          && one.getPort() == two.getPort();
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

  Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    Attempt attempt = new Attempt(address);
    loop.lock().lock();
    try {
      checkOpen();
      attempts.add(attempt);
      attempt.answer = blackHoles.contains(address) ? Answer.IGNORE : onAttempt.apply(address);
      if (attempt.answer.fate() != Fate.IGNORE) {
        send(attempt);
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

  private long afterLatency() {
    return loop.clock().nanoTime() + options.latencyNanos(random);
  }

  /** Sends an attempt to connect, alone or together with a tied one that waits for it. */
  private void send(Attempt attempt) {
    long arrives = afterLatency() + attempt.answer.lateNanos();
    Attempt first = awaitsNext;
    awaitsNext = null;
    if (first != null && first.isUnderWayTo(attempt.address)) {
      long answered = arrives + options.latencyNanos(random);
      first.arrive(arrives, answered);
      attempt.arrive(arrives, answered);
      return;
    }
    attempt.arrive(arrives, NO_TIME);
    if (attempt.answer.tied()) {
      awaitsNext = attempt;
    }
  }

  private boolean isDone(Attempt attempt) {
    loop.lock().lock();
    try {
      return attempt.done;
    } finally {
      loop.lock().unlock();
    }
  }

  /** Gives an attempt up; a channel that the peer has already accepted sees a close. */
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

  /** The attempt to connect reaches its address; on the loop. */
  private void arrive(Attempt attempt) {
    Consumer<SimConnection> observer;
    Place target;
    SimConnection connection;
    loop.lock().lock();
    try {
      if (attempt.abandoned || attempt.done) {
        return;
      }
      boolean refuses = attempt.answer.fate() == Fate.REFUSE || refused.contains(attempt.address);
      target = refuses ? null : find(attempt.address);
      if (target == null) {
        IOException refusal = new ConnectException("Connection refused: " + attempt.address);
        loop.schedule(afterLatency(), () -> loop.locked(() -> attempt.fail(refusal)));
        return;
      }
      SocketAddress from = new InetSocketAddress(InetAddress.getLoopbackAddress(), nextPort++);
      connection = new SimConnection(loop, options, connections.size(), from, attempt.address);
      connections.add(connection);
      attempt.connection = connection;
      observer = onConnection;
      long answered = attempt.answeredAt == NO_TIME ? afterLatency() : attempt.answeredAt;
      loop.schedule(answered, () -> loop.locked(attempt::finish));
    } finally {
      loop.lock().unlock();
    }
    observer.accept(connection);
    target.onAccept.accept(connection.server());
  }

  /** The end of the world; on the loop. */
  void close() {
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

  // ---- what a test asks for

  void blackHole(SocketAddress address) {
    loop.locked(() -> blackHoles.add(address));
  }

  void refuse(SocketAddress address) {
    loop.locked(() -> refused.add(address));
  }

  void restore(SocketAddress address) {
    loop.locked(() -> {
      blackHoles.remove(address);
      refused.remove(address);
    });
  }

  List<SimConnection> connections() {
    loop.lock().lock();
    try {
      return List.copyOf(connections);
    } finally {
      loop.lock().unlock();
    }
  }

  void onAttempt(Function<SocketAddress, Answer> decision) {
    loop.locked(() -> onAttempt = decision);
  }

  void onConnection(Consumer<SimConnection> observer) {
    loop.locked(() -> onConnection = observer);
  }
}
