package heddle.adapters.support;

import heddle.client.HttpClient;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Keeps one client per set of options, for libraries that set options per call where Heddle sets
 * them per client. Each client has its own connections, so the number of clients is limited.
 * Thread-safe.
 *
 * @param <O> a set of options, which implements {@code equals} and {@code hashCode}
 */
public final class ClientsByOptions<O> implements AutoCloseable {
  /** The maximum number of clients. More sets suggest that options are computed per call. */
  public static final int MOST = 16;

  private final String what;
  private final Function<O, HttpClient> make;
  private final O usual;
  private final HttpClient usualClient;
  private final Map<O, Kept> others = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Held while {@code others} changes. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Uses a client. */
  @FunctionalInterface
  public interface Use<T> {
    /** Makes a call, and returns its response. */
    T with(HttpClient client) throws IOException;
  }

  private static final class Kept {
    private static final int RETIRED = -1;

    final HttpClient client;
    private final AtomicInteger users = new AtomicInteger();

    /** On {@link System#nanoTime}. */
    private volatile long lastUse = System.nanoTime();

    Kept(HttpClient client) {
      this.client = client;
    }

    /** Adds a user. Returns false if the client is retired. */
    boolean enter() {
      lastUse = System.nanoTime();
      return users.getAndUpdate(count -> count == RETIRED ? RETIRED : count + 1) != RETIRED;
    }

    void leave() {
      users.decrementAndGet();
    }

    /** Refuses new users. Returns false if there is a user or an open response. */
    boolean retire() {
      if (!users.compareAndSet(0, RETIRED)) {
        return false;
      }
      boolean isIdle = client.pool().routes().stream()
          .allMatch(route -> route.inFlight() == 0 && route.pending() == 0);
      if (!isIdle) {
        users.set(0);
      }
      return isIdle;
    }
  }

  /**
   * @param what the name of the options in messages
   * @param usual the options of most calls, whose client this constructor makes
   * @param make makes a client; may throw an {@link IllegalArgumentException} that names an option
   */
  public ClientsByOptions(String what, O usual, Function<O, HttpClient> make) {
    this.what = what;
    this.make = make;
    this.usual = usual;
    this.usualClient = make.apply(usual);
  }

  /**
   * Returns the client for calls with these options, making it on first use.
   *
   * @throws IOException if there are {@link #MOST} clients already, and none can be closed
   * @throws IllegalArgumentException if an option cannot be honoured
   */
  public HttpClient with(O options) throws IOException {
    if (options.equals(usual)) {
      return usualClient;
    }
    Kept known = others.get(options);
    if (known != null && known.users.get() > 0) {
      return known.client;
    }
    return enter(options).client;
  }

  /**
   * Makes a call with the client for these options. If there are {@link #MOST} clients already, the
   * least recently used idle one is closed with its connections.
   *
   * @throws IOException if the call throws it, or if none of {@link #MOST} clients can be closed
   * @throws IllegalArgumentException if an option cannot be honoured
   */
  public <T> T call(O options, Use<T> call) throws IOException {
    if (options.equals(usual)) {
      return call.with(usualClient);
    }
    Kept kept = enter(options);
    try {
      return call.with(kept.client);
    } finally {
      kept.leave();
    }
  }

  private Kept enter(O options) throws IOException {
    Kept known = others.get(options);
    return known != null && known.enter() ? known : enterAnew(options);
  }

  private Kept enterAnew(O options) throws IOException {
    HttpClient retired = null;
    Kept entered;
    lock.lock();
    try {
      Kept known = others.get(options);
      // The thread that retires a client holds the lock until it has removed it.
      if (known != null && known.enter()) {
        return known;
      }
      if (others.size() >= MOST - 1) {
        retired = retireOne();
      }
      entered = new Kept(make.apply(options));
      var ignored = entered.enter();
      others.put(options, entered);
    } finally {
      lock.unlock();
      if (retired != null) {
        retired.close();
      }
    }
    if (closed.get()) {
      entered.client.close(); // It was made after close() had listed the clients.
    }
    return entered;
  }

  /** Removes and returns the least recently used client without users. */
  private HttpClient retireOne() throws IOException {
    record Candidate<T>(T options, Kept kept, long lastUse) {}
    long now = System.nanoTime();
    List<Candidate<O>> longestAgoFirst = others.entrySet().stream()
        .map(each -> new Candidate<>(each.getKey(), each.getValue(), each.getValue().lastUse - now))
        .sorted(Comparator.comparingLong(Candidate::lastUse))
        .toList();
    for (Candidate<O> each : longestAgoFirst) {
      if (each.kept().retire()) {
        others.remove(each.options());
        return each.kept().client;
      }
    }
    throw new IOException("more than " + MOST + " different " + what
        + " are in use, and each has its own connections: use fewer, or several clients");
  }

  /** Closes all of them. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      usualClient.close();
      others.values().forEach(kept -> kept.client.close());
    }
  }
}
