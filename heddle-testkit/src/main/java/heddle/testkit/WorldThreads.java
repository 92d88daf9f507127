package heddle.testkit;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a simulated world, all of them virtual. That matters: {@code unpark} moves a
 * virtual thread out of {@code WAITING} before it returns, whereas a platform thread looks parked
 * until the operating system runs it.
 */
final class WorldThreads implements ThreadFactory {
  /**
   * How long other virtual threads of this JVM may keep the world from being quiet while nothing
   * happens in it: many times what a thread waits for its turn on a machine with much else to do.
   */
  private static final long NOISE_NANOS = 2_000_000_000;

  /**
   * The most time between two looks that counts. The loop looks every tenth of a millisecond; if it
   * did not run for longer, because of a garbage collection or other load, the other threads did
   * not run either, and that they are busy proves nothing.
   */
  private static final long MOST_BETWEEN_LOOKS_NANOS = 2_000_000;

  private final Set<Thread> alive = ConcurrentHashMap.newKeySet();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong numbers = new AtomicLong();
  private final @Nullable WorldScheduler own;
  private final ForkJoinPool scheduler = Carriers.POOL;

  // Used only on the loop.

  /** For how long the scheduler has been busy while nothing happened in the world. */
  private long noisyNanos;

  /** When it was looked at last. */
  private long lookedAt;

  /** The steps of the world that had been taken then. */
  private long stepsSeen;

  /** Whether the scheduler has been busy for too long, and has not been seen quiet since. */
  private boolean neverQuiet;

  /** Null if the JVM schedules the threads. */
  WorldThreads(@Nullable WorldScheduler own) {
    this.own = own;
  }

  @Override
  public Thread newThread(Runnable task) {
    String name = "heddle-sim-" + numbers.getAndIncrement();
    Runnable whole = () -> {
      try {
        task.run();
      } finally {
        alive.remove(Thread.currentThread());
      }
    };
    Thread thread =
        own == null ? Thread.ofVirtual().name(name).unstarted(whole) : own.newThread(name, whole);
    alive.add(thread);
    return thread;
  }

  /** Those that have not ended. */
  List<Thread> left() {
    return own == null ? List.copyOf(alive) : own.left();
  }

  /** A hash of which thread ran when, if the seed decides that; otherwise 0. */
  long history() {
    return own == null ? 0 : own.history();
  }

  boolean isTracked(Thread thread) {
    return alive.contains(thread);
  }

  /** Whether a caller waits for a call into the world; otherwise its time stands still. */
  boolean isCalled() {
    return calls.get() > 0;
  }

  <T> T call(Callable<T> callable) throws Exception {
    FutureTask<T> future = new FutureTask<>(callable);
    // The call counts from its own thread on: time may move as soon as it does, and the driver of a
    // deterministic world must not see that before it sees the thread.
    Thread thread = newThread(() -> {
      calls.incrementAndGet();
      try {
        future.run();
      } finally {
        calls.decrementAndGet();
      }
    });
    if (own != null && calls.get() == 0 && !isTracked(Thread.currentThread())) {
      own.awaitIdle();
    }
    thread.start();
    try {
      return future.get();
    } catch (InterruptedException e) {
      thread.interrupt();
      throw e;
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  private static Exception unwrapped(ExecutionException wrapper) {
    return switch (wrapper.getCause()) {
      case Error error -> throw error;
      case Exception exception -> exception;
      case null, default -> wrapper;
    };
  }

  /**
   * Whether the world is called and each of its threads waits for something; on the loop.
   *
   * @param steps grows with what happens in the world
   */
  boolean allParked(long steps) {
    if (!isCalled()) {
      return false;
    }
    for (Thread thread : alive) {
      switch (thread.getState()) {
        case WAITING, TIMED_WAITING, TERMINATED -> {}
        case NEW, RUNNABLE, BLOCKED -> {
          noisyNanos = 0;
          return false;
        }
      }
    }
    return isSchedulerQuiet(steps);
  }

  /**
   * Threads that code under test starts by itself are not ours to look at, but the scheduler knows
   * whether any virtual thread has something to do. While steps are taken it may well be one of
   * those that takes them, however long that goes on; but a JVM that is never quiet must not stop
   * time.
   */
  private boolean isSchedulerQuiet(long steps) {
    boolean busy = hasQueued() || isAnyMounted() || hasQueued();
    long now = System.nanoTime();
    if (!busy) {
      neverQuiet = false;
      noisyNanos = 0;
    } else if (steps != stepsSeen) {
      noisyNanos = 0;
      stepsSeen = steps;
    } else {
      noisyNanos += Math.min(now - lookedAt, MOST_BETWEEN_LOOKS_NANOS);
      neverQuiet |= noisyNanos > NOISE_NANOS;
    }
    lookedAt = now;
    return !busy || neverQuiet;
  }

  private boolean hasQueued() {
    return scheduler.hasQueuedSubmissions() || scheduler.getQueuedTaskCount() > 0;
  }

  /** One that reads a file, such as /dev/urandom, runs but is not active on Java 21. */
  private boolean isAnyMounted() {
    return scheduler.getActiveThreadCount() > 0 || scheduler.getRunningThreadCount() > 0;
  }

  /** The threads that the JVM runs virtual threads on; Java 24 has a bean for them, 21 has not. */
  private static final class Carriers {
    static final ForkJoinPool POOL = CompletableFuture.supplyAsync(
            WorldThreads::carriers, Thread::startVirtualThread)
        .join();
  }

  /** On a virtual thread, so that there is a carrier. */
  private static ForkJoinPool carriers() {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each instanceof ForkJoinWorkerThread carrier
          && each.getClass().getName().equals("jdk.internal.misc.CarrierThread")) {
        return carrier.getPool();
      }
    }
    throw new IllegalStateException(
        "this JVM does not run virtual threads on a ForkJoinPool, which worlds need");
  }
}
