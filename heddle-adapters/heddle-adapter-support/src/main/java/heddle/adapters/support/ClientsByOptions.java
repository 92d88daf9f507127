package heddle.adapters.support;

import heddle.client.HttpClient;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final Map<O, HttpClient> clients = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param what the options are called, for a message
   * @param usual the options of most calls, whose client is made here
   * @param make makes a client; may throw an {@link IllegalArgumentException} that names an option
   */
  public ClientsByOptions(String what, O usual, Function<O, HttpClient> make) {
    this.what = what;
    this.make = make;
    clients.put(usual, make.apply(usual));
  }

  /**
   * The client for calls with these options.
   *
   * @throws IOException if there are {@link #MOST} others already
   * @throws IllegalArgumentException if an option cannot be honoured
   */
  public HttpClient with(O options) throws IOException {
    HttpClient known = clients.get(options);
    if (known != null) {
      return known;
    }
    if (clients.size() >= MOST) {
      throw new IOException("calls have asked for more than " + MOST + " different " + what
          + ", each of which has connections of its own: use fewer, or several clients");
    }
    HttpClient made = clients.computeIfAbsent(options, make);
    if (closed.get()) {
      made.close(); // It was made too late for close() to see it.
    }
    return made;
  }

  /** Closes all of them. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      clients.values().forEach(HttpClient::close);
    }
  }
}
