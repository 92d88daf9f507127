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
 * Runs exchanges on virtual threads. Often the callback of an exchange begins the next one; that
 * runs on the thread of the first, after the callback, because a new thread would wake another
 * carrier. If the callback takes long, perhaps because it waits for the new exchange, then that
 * moves to a new thread, and for a while new exchanges no longer wait. Thread-safe.
 */
final class ExchangeThreads {
  /** How long an exchange waits for a thread: at least this, and at most twice as long. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Exchanges wait only if they follow each other in less time; else the watch costs too much. */
  private static final long OFTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long none waits after one has waited in vain. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** While more threads than this are under way, a new one seldom finds an idle carrier to wake. */
  private static final int FEW = Runtime.getRuntime().availableProcessors();

  private static final ThreadLocal<Turn> TURNS = new ThreadLocal<>();

  private final LongSupplier nanoTime;
  private final long patienceNanos;
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean watched = new AtomicBoolean();
  private final AtomicInteger running = new AtomicInteger();

  // Approximate, because threads may overwrite each other's.
  private volatile long lastBegun;
  private volatile long pausedUntil;

  ExchangeThreads() {
    this(System::nanoTime, PATIENCE_NANOS);
  }

  /** For tests. */
  ExchangeThreads(LongSupplier nanoTime, long patienceNanos) {
    this.nanoTime = nanoTime;
    this.patienceNanos = patienceNanos;
    pausedUntil = nanoTime.getAsLong();
    lastBegun = pausedUntil - OFTEN_NANOS;
  }

  private record Work(String name, Runnable run) {}

  private record Waiting(Turn turn, Work work) {
    boolean isOver() {
      return turn.next.get() != work;
    }

    /** Runs the work, unless the thread for which it waits was faster. */
    void run() {
      if (turn.next.compareAndSet(work, null)) {
        work.run.run();
      }
    }
  }

  /** A thread, and the work that waits for it. */
  private final class Turn implements Runnable {
    final AtomicReference<@Nullable Work> next = new AtomicReference<>();
    private final Work first;

    Turn(Work first) {
      this.first = first;
    }

    @Override
    public void run() {
      TURNS.set(this);
      running.incrementAndGet();
      try {
        for (Work now = first; now != null; now = next.getAndSet(null)) {
          // The callback before may have left the status set, which was not meant for this one.
          Thread.interrupted();
          now.run.run();
        }
      } finally {
        running.decrementAndGet();
        // Only if the work has thrown something.
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
        // Whoever begins the exchange is told, so it must not run.
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
    Turn turn = TURNS.get();
    if (turn == null || !turn.offer(work)) {
      begin(work);
    }
  }

  private void begin(Work work) {
    Thread.ofVirtual().name(work.name).start(new Turn(work));
  }

  private boolean mayWait() {
    long now = nanoTime.getAsLong();
    boolean often = now - lastBegun < OFTEN_NANOS;
    lastBegun = now;
    return often && running.get() <= FEW && now - pausedUntil >= 0;
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

  /** Moves what has waited too long to new threads, until nothing has been added for a while. */
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
      // If there is no memory for a thread, the next exchange that waits has these watched again.
      waiting.addAll(old);
      watched.set(false);
    }
    if (!waiting.isEmpty()) {
      ensureWatched();
    }
  }
}
