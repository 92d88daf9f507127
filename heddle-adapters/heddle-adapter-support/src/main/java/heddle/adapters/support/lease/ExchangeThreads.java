package heddle.adapters.support.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs exchanges on virtual threads. An exchange that the callback of another one begins runs on
 * the same thread, after the callback, because starting a thread would wake another carrier. If the
 * callback takes too long, for example because it waits for the new exchange, that exchange moves
 * to a new thread, and for a second all exchanges get new threads. Thread-safe.
 */
final class ExchangeThreads {
  /** How long an exchange waits for a callback: at least this, and at most twice as long. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Exchanges wait only if they begin closer together; otherwise watching them costs too much. */
  private static final long OFTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long no exchange waits after one had to move to a new thread. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final ThreadLocal<Runner> CURRENT = new ThreadLocal<>();

  private final LongSupplier nanoTime;
  private final long patienceNanos;

  /** With more threads than this, the carriers are busy, and starting a thread wakes none. */
  private final int fewThreads;

  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean watched = new AtomicBoolean();
  private final AtomicInteger running = new AtomicInteger();

  // Approximate: threads may overwrite each other's values.
  private volatile long lastBegun;
  private volatile long pausedUntil;

  ExchangeThreads() {
    this(System::nanoTime, PATIENCE_NANOS, Runtime.getRuntime().availableProcessors());
  }

  /** For tests. */
  ExchangeThreads(LongSupplier nanoTime, long patienceNanos, int fewThreads) {
    this.nanoTime = nanoTime;
    this.patienceNanos = patienceNanos;
    this.fewThreads = fewThreads;
    pausedUntil = nanoTime.getAsLong();
    lastBegun = pausedUntil - OFTEN_NANOS;
  }

  private record Work(String name, Runnable run) {}

  private record Waiting(Runner runner, Work work) {
    boolean isOver() {
      return runner.next.get() != work;
    }

    /** Runs the work, unless the thread it waits for has already taken it. */
    void run() {
      if (runner.next.compareAndSet(work, null)) {
        work.run.run();
      }
    }
  }

  /** What one thread runs: its first work, and then work that was begun meanwhile. */
  private final class Runner implements Runnable {
    final AtomicReference<@Nullable Work> next;

    Runner(Work first) {
      next = new AtomicReference<>(first);
    }

    @Override
    public void run() {
      CURRENT.set(this);
      running.incrementAndGet();
      try {
        for (Work now = next.getAndSet(null); now != null; now = next.getAndSet(null)) {
          // An interrupt of the previous exchange must not reach this one.
          Thread.interrupted();
          now.run.run();
        }
      } finally {
        running.decrementAndGet();
        // Set only if the work before it threw.
        Work left = next.getAndSet(null);
        if (left != null) {
          begin(left);
        }
      }
    }

    boolean offer(Work work) {
      if (!mayWait() || !next.compareAndSet(null, work)) {
        return false;
      }
      try {
        waiting.add(new Waiting(this, work));
        ensureWatched();
      } catch (OutOfMemoryError e) {
        // The caller gets the error, so the exchange must not run later.
        next.set(null);
        throw e;
      }
      return true;
    }
  }

  /**
   * Runs an exchange, or what leads to it, on a virtual thread.
   *
   * @param name for a new thread
   */
  void start(String name, Runnable exchange) {
    Work work = new Work(name, exchange);
    Runner current = CURRENT.get();
    if (current == null || !current.offer(work)) {
      begin(work);
    }
  }

  private void begin(Work work) {
    Thread.ofVirtual().name(work.name).start(new Runner(work));
  }

  private boolean mayWait() {
    long now = nanoTime.getAsLong();
    boolean often = now - lastBegun < OFTEN_NANOS;
    lastBegun = now;
    return often && running.get() <= fewThreads && now - pausedUntil >= 0;
  }

  private void ensureWatched() {
    if (!watched.get() && watched.compareAndSet(false, true)) {
      try {
        Thread.ofVirtual().name("heddle-exchange-watch").start(this::watch);
      } catch (OutOfMemoryError e) {
        watched.set(false);
        throw e;
      }
    }
  }

  /** Moves work that has waited too long to new threads. Ends when no work waits. */
  private void watch() {
    List<Waiting> old = new ArrayList<>();
    try {
      do {
        LockSupport.parkNanos(patienceNanos);
        for (Waiting each : old) {
          if (!each.isOver()) {
            pausedUntil = nanoTime.getAsLong() + PAUSE_NANOS;
            begin(new Work(each.work.name, each::run));
          }
        }
        old.clear();
        for (Waiting each = waiting.poll(); each != null; each = waiting.poll()) {
          old.add(each);
        }
      } while (!old.isEmpty());
    } finally {
      // Not empty only after an error: the watch of the next waiting exchange looks at these too.
      waiting.addAll(old);
      watched.set(false);
    }
    if (!waiting.isEmpty()) {
      ensureWatched();
    }
  }
}
