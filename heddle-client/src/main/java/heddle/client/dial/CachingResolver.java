package heddle.client.dial;

import heddle.client.settings.NameCacheLimits;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.names.Resolver;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Caches the answers of another resolver, for as long as each answer holds and within {@linkplain
 * NameCacheLimits limits}. Callers that ask for a name while it is being looked up wait for that
 * look-up. An unknown host is remembered for a while; any other failure is thrown to the callers
 * that wait, and not remembered. An expired answer is not used, even if the look-up for a new one
 * fails. Safe for use by many threads.
 */
public final class CachingResolver implements Resolver {
  private final Resolver source;
  private final NameCacheLimits limits;
  private final EventLoop loop;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock; the least recently used comes first. Some may have expired. */
  final LinkedHashMap<String, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);

  /** Guarded by the lock. */
  private final Map<String, Lookup> underWay = new HashMap<>();

  /** What is remembered of a name: its addresses, or why it has none. */
  record Answer(@Nullable ResolvedHost found, @Nullable IOException why, long since, long until) {}

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
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
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
        long now = loop.clock().nanoTime();
        Answer known = answers.get(name);
        if (known != null && now < known.until) {
          ResolvedHost found = known.found;
          if (found != null) {
            return found;
          }
          long ago = TimeUnit.NANOSECONDS.toMillis(now - known.since);
          throw failure(name, known.why, " (asked %d ms ago)".formatted(ago), false);
        }
        answers.remove(name);
        lookup = underWay.get(name);
        if (lookup == null) {
          lookup = new Lookup(name, deadline);
          lookup.thread.start();
          underWay.put(name, lookup);
        }
        lookup.waiters.add(Thread.currentThread());
      } finally {
        lock.unlock();
      }
      await(lookup, deadline);
      // It had the deadline of the call that began it, which may have been earlier than this one.
      if (!lookup.outOfTime || deadline.isPast(loop.clock())) {
        return lookup.result();
      }
    }
  }

  private void await(Lookup lookup, Deadline deadline) throws IOException {
    try {
      Waiting.until(() -> lookup.over, loop, deadline, "looking up the host " + lookup.name);
    } finally {
      leave(lookup);
    }
  }

  /** The calling thread waits no more; if it was the last, the look-up is abandoned. */
  private void leave(Lookup lookup) {
    boolean abandoned;
    lock.lock();
    try {
      lookup.waiters.remove(Thread.currentThread());
      abandoned = lookup.waiters.isEmpty() && !lookup.over;
      if (abandoned) {
        underWay.remove(lookup.name, lookup);
      }
    } finally {
      lock.unlock();
    }
    if (abandoned) {
      lookup.thread.interrupt(); // Without the lock, as it may run other code.
    }
  }

  /** A new exception for each caller, which may add to it. */
  private static IOException failure(
      String name, @Nullable IOException cause, String when, boolean outOfTime) {
    String said = cause == null ? null : cause.getMessage();
    String reason = (said == null ? "no address is known for the host " + name : said) + when;
    if (cause instanceof UnknownHostException) {
      UnknownHostException unknown = new UnknownHostException(reason);
      unknown.initCause(cause);
      return unknown;
    }
    return outOfTime ? new DeadlinePassedException(reason) : new IOException(reason, cause);
  }

  /**
   * One question to the other resolver, and the threads that wait for the answer. It is asked on a
   * new virtual thread, so that deadlines and interrupts hold whatever that resolver does, and
   * interrupted once no caller waits for it.
   */
  private final class Lookup {
    private final String name;
    private final Deadline deadline;
    private final Thread thread;

    /** Guarded by the lock. */
    private final Set<Thread> waiters = new LinkedHashSet<>();

    // Written by the look-up's thread before over is.
    private @Nullable ResolvedHost found;
    private @Nullable IOException failure;

    /** Whether it failed because the first caller's deadline has passed. */
    private boolean outOfTime;

    private volatile boolean over;

    /**
     * @param deadline of the first caller
     */
    Lookup(String name, Deadline deadline) {
      this.name = name;
      this.deadline = deadline;
      this.thread = Thread.ofVirtual().name("heddle-lookup").unstarted(this::run);
    }

    private void run() {
      try {
        found = source.lookUp(name, deadline);
        if (found == null) {
          throw new NullPointerException("null was returned instead of an answer");
        }
      } catch (DeadlinePassedException e) {
        outOfTime = deadline.isPast(loop.clock());
        failure = new IOException("the resolver gave up: " + e.getMessage(), e);
      } catch (SocketTimeoutException e) {
        failure = e;
      } catch (InterruptedIOException e) {
        // No caller waits any more, or the resolver interrupted itself.
        failure = new IOException("the look-up was interrupted", e);
      } catch (IOException e) {
        failure = e;
      } catch (Throwable e) {
        // Whatever a user's resolver throws against its contract fails this look-up only.
        failure = new IOException(
            "the resolver %s failed for the host %s with %s; it is to return addresses or throw an"
                    .formatted(source.getClass().getName(), name, e)
                + " IOException",
            e);
      } finally {
        end();
      }
    }

    private void end() {
      lock.lock();
      try {
        // An abandoned look-up may have been replaced by another.
        if (underWay.remove(name, this)) {
          try {
            remember();
          } finally {
            over = true;
            waiters.forEach(loop::unpark);
          }
        }
      } finally {
        lock.unlock();
      }
    }

    /** Under the lock. */
    private void remember() {
      ResolvedHost answer = found;
      long nanos =
          Deadline.boundedNanos(answer == null ? limits.negativeTtl() : lifetime(answer.ttl()));
      if (nanos == 0 || (answer == null && !(failure instanceof UnknownHostException))) {
        return;
      }
      long now = loop.clock().nanoTime();
      answers.put(name, new Answer(answer, failure, now, now + nanos));
      if (answers.size() > limits.maxEntries()) {
        answers.pollFirstEntry();
      }
    }

    /** How long an answer is used again. */
    private Duration lifetime(@Nullable Duration told) {
      Duration ttl = told == null ? limits.defaultTtl() : told;
      Duration bounded = ttl.compareTo(limits.maxTtl()) > 0 ? limits.maxTtl() : ttl;
      return bounded.compareTo(limits.minTtl()) < 0 ? limits.minTtl() : bounded;
    }

    ResolvedHost result() throws IOException {
      ResolvedHost answer = found;
      if (answer == null) {
        throw failure(name, failure, "", outOfTime);
      }
      return answer;
    }
  }
}
