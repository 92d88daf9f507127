package heddle.client.dial;

import heddle.client.settings.NameCacheLimits;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.names.Resolver;
import heddle.transport.names.Resolver.ResolvedHost;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Caches the answers of another resolver, for as long as each answer holds and within {@linkplain
 * NameCacheLimits limits}. Callers that ask for a name while it is being looked up wait for that
 * look-up. An unknown host is remembered for a while; any other failure is thrown to the callers
 * that wait, and not remembered. An expired answer is not used, even if the look-up for a new one
 * fails.
 *
 * <p>Each look-up runs on a new virtual thread, so that deadlines and interrupts hold whatever the
 * other resolver does; it is interrupted once no caller waits for it. Safe for use by many threads.
 */
public final class CachingResolver implements Resolver {
  private final Resolver source;
  private final NameCacheLimits limits;
  private final EventLoop loop;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock; the least recently used comes first. */
  private final LinkedHashMap<String, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);

  /** Guarded by the lock. */
  private final Map<String, Lookup> underWay = new HashMap<>();

  /** What is remembered of a name: its addresses, or why it has none. */
  private record Answer(
      @Nullable ResolvedHost found,
      @Nullable UnknownHostException unknown,
      long sinceNanos,
      long untilNanos) {}

  /**
   * A resolver with an empty cache.
   *
   * @param source the resolver that is asked
   * @param loop whose clock and timers are used
   */
  public CachingResolver(Resolver source, NameCacheLimits limits, EventLoop loop) {
    this.source = source;
    this.limits = limits;
    this.loop = loop;
  }

  @Override
  public List<InetAddress> resolve(String host, Deadline deadline) throws IOException {
    return lookUp(host, deadline).addresses();
  }

  /**
   * Looks a name up; parks the calling thread at most until the deadline.
   *
   * @return the answer, the same object for as long as it is remembered
   * @throws UnknownHostException when the name has no address, or had none a moment ago
   * @throws DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException when the name service fails, and when the other resolver throws anything
   *     else or returns nothing
   */
  @Override
  public ResolvedHost lookUp(String host, Deadline deadline) throws IOException {
    String name = host.toLowerCase(Locale.ROOT);
    while (true) {
      Lookup lookup;
      lock.lock();
      try {
        Answer known = fresh(name);
        if (known != null) {
          return found(known);
        }
        lookup = underWay.get(name);
        if (lookup == null) {
          lookup = new Lookup(source, name, deadline, loop, this::ended);
          lookup.start();
          underWay.put(name, lookup);
        }
        lookup.join();
      } finally {
        lock.unlock();
      }
      await(lookup, deadline);
      // It had the deadline of the call that began it, which may have been earlier than this one.
      if (!lookup.ranOutOfTime() || deadline.isPast(loop.clock())) {
        return lookup.result();
      }
    }
  }

  /** Under the lock. */
  private @Nullable Answer fresh(String name) {
    Answer known = answers.get(name);
    if (known == null || loop.clock().nanoTime() < known.untilNanos) {
      return known;
    }
    answers.remove(name);
    return null;
  }

  private ResolvedHost found(Answer known) throws UnknownHostException {
    ResolvedHost found = known.found;
    if (found != null) {
      return found;
    }
    UnknownHostException unknown = known.unknown;
    long ago = TimeUnit.NANOSECONDS.toMillis(loop.clock().nanoTime() - known.sinceNanos);
    String reason = unknown == null ? "unknown" : unknown.getMessage();
    UnknownHostException again =
        new UnknownHostException("%s (asked %d ms ago)".formatted(reason, ago));
    again.initCause(unknown);
    throw again;
  }

  private void await(Lookup lookup, Deadline deadline) throws IOException {
    try {
      Waiting.until(lookup::isOver, loop, deadline, "looking up the host " + lookup.name());
    } finally {
      leave(lookup);
    }
  }

  private void leave(Lookup lookup) {
    boolean abandoned;
    lock.lock();
    try {
      abandoned = lookup.leave();
      if (abandoned) {
        underWay.remove(lookup.name(), lookup);
      }
    } finally {
      lock.unlock();
    }
    if (abandoned) {
      lookup.interrupt();
    }
  }

  /** A look-up is over; on its own thread. */
  private void ended(Lookup lookup) {
    lock.lock();
    try {
      // An abandoned look-up may have been replaced by another.
      if (underWay.remove(lookup.name(), lookup)) {
        try {
          remember(lookup);
        } finally {
          lookup.wakeAll();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  private void remember(Lookup lookup) {
    ResolvedHost found = lookup.found();
    long nanos = found != null ? nanosFor(found) : Deadline.boundedNanos(limits.negativeTtl());
    UnknownHostException unknown = lookup.failure() instanceof UnknownHostException e ? e : null;
    if (nanos == 0 || (found == null && unknown == null)) {
      return;
    }
    long now = loop.clock().nanoTime();
    answers.put(lookup.name(), new Answer(found, unknown, now, now + nanos));
    if (answers.size() > limits.maxEntries()) {
      answers.pollFirstEntry();
    }
  }

  /** How long an answer is used again, in nanoseconds. */
  private long nanosFor(ResolvedHost answer) {
    Duration told = answer.ttl();
    Duration ttl = told == null ? limits.defaultTtl() : told;
    Duration bounded = ttl.compareTo(limits.maxTtl()) > 0 ? limits.maxTtl() : ttl;
    Duration used = bounded.compareTo(limits.minTtl()) < 0 ? limits.minTtl() : bounded;
    return Deadline.boundedNanos(used);
  }

  /** How many names are remembered now, including those whose answer has expired. */
  public int size() {
    lock.lock();
    try {
      return answers.size();
    } finally {
      lock.unlock();
    }
  }
}
