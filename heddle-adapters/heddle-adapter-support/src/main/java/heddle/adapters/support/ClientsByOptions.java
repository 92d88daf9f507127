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
 * A client for each set of options that calls may have, where options belong to a client with us
 * and to a call with a library. Each client has its own connections, so there are few. Safe for use
 * by many threads.
 *
 * @param <O> a set of options, which knows when it is equal to another
 */
public final class ClientsByOptions<O> implements AutoCloseable {
  /** Above so many sets somebody computes them, and each has its own connections. */
  public static final int MOST = 16;

  private final String what;
  private final Function<O, HttpClient> make;
  private final O usual;
  private final HttpClient usualClient;
  private final Map<O, Kept> others = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Held while others come and go. */
  private final ReentrantLock lock = new ReentrantLock();

  /** What is done with a client. */
  @FunctionalInterface
  public interface Use<T> {
    /** Makes a call, and returns when its response is there. */
    T with(HttpClient client) throws IOException;
  }

  /** A client, and how many use it. */
  private static final class Kept {
    private static final int RETIRED = -1;

    final HttpClient client;
    private final AtomicInteger users = new AtomicInteger();

    /** On {@link System#nanoTime}. */
    private volatile long lastUse = System.nanoTime();

    Kept(HttpClient client) {
      this.client = client;
    }

    /** One more uses it; false if it is retired. */
    boolean enter() {
      lastUse = System.nanoTime();
      return users.getAndUpdate(count -> count == RETIRED ? RETIRED : count + 1) != RETIRED;
    }

    void leave() {
      users.decrementAndGet();
    }

    /** Lets nobody use it any more; false if somebody does, or still reads a response. */
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
   * @param what the options are called, for a message
   * @param usual the options of most calls, whose client is made here
   * @param make makes a client; may throw an {@link IllegalArgumentException} that names an option
   */
  public ClientsByOptions(String what, O usual, Function<O, HttpClient> make) {
    this.what = what;
    this.make = make;
    this.usual = usual;
    this.usualClient = make.apply(usual);
  }

  /**
   * The client for calls with these options, which is kept from then on.
   *
   * @throws IOException if there are {@link #MOST} others already, all of which are in use
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
   * Makes a call with the client for these options. Where there are {@link #MOST} others, the one
   * that was used least recently is closed, with its connections, if nobody uses it.
   *
   * @throws IOException what the call throws, or if all the others are in use
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
      // Who is retired is taken out by whoever holds the lock.
      if (known != null && known.enter()) {
        return known;
      }
      if (others.size() >= MOST - 1) {
        retired = retireOne();
      }
      entered = new Kept(make.apply(options));
      var _ = entered.enter();
      others.put(options, entered);
    } finally {
      lock.unlock();
      if (retired != null) {
        retired.close();
      }
    }
    if (closed.get()) {
      entered.client.close(); // It was made too late for close() to see it.
    }
    return entered;
  }

  /** The client that was used least recently of those that nobody uses. */
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
        + " are in use, each of which has connections of its own: use fewer, or several clients");
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
