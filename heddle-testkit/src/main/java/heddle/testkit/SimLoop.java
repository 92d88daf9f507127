package heddle.testkit;

import heddle.transport.ChunkPool;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The one loop of a simulated world. Tasks, timers and arriving bytes are all entries of one queue,
 * ordered by time, then by submission. Its lock is the world's lock: it guards the queue, the
 * channels and the pipes, is held for short steps only, and never while a listener or task runs.
 */
final class SimLoop implements EventLoop, Agenda.AgendaTimer.Keeper, WorldScheduler.Loop, Runnable {
  /** How long the loop waits, in real time, before it looks again at a world that is busy. */
  private static final long LOOK_AGAIN_NANOS = 50_000;

  private final SimClock clock;
  private final WorldThreads threads;
  private final long settleNanos;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Tasks that came after the end. */
  private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();

  /** Held while a late task runs, so that still only one runs at a time. */
  private final ReentrantLock afterEnd = new ReentrantLock();

  /** Guarded by lock. */
  private final Agenda agenda = new Agenda();

  /** Guarded by lock: what is run last. */
  private @Nullable Runnable atEnd;

  /** Guarded by lock: no more waiting; what is due is run, and then the loop ends. */
  private boolean ending;

  /** Guarded by lock. */
  private boolean ended;

  /** Guarded by lock: the first exception that escaped from a task. */
  private @Nullable Throwable failure;

  private final ChunkPool chunks = new ChunkPool();

  /** Used only on the loop: threads to wake at the end of the pass. */
  private final List<Thread> wakeUps = new ArrayList<>();

  private final Random random;

  /** Null if the operating system decides which thread runs when. */
  private final @Nullable WorldScheduler scheduler;

  SimLoop(
      SimOptions options,
      SimClock clock,
      WorldThreads threads,
      @Nullable WorldScheduler scheduler) {
    this.clock = clock;
    this.threads = threads;
    this.scheduler = scheduler;
    this.settleNanos = options.settle().toNanos();
    this.random = new Random(options.seed());
    this.thread = scheduler == null
        ? Thread.ofPlatform().daemon().name("heddle-sim-loop").unstarted(this)
        : scheduler.newThread("heddle-sim-loop", this);
  }

  void begin() {
    if (scheduler == null) {
      thread.start();
    } else {
      scheduler.begin(this);
    }
  }

  // ---- EventLoop

  /**
   * Once the loop has ended, tasks run on calling threads, this one or another, because the loop's
   * thread is gone.
   */
  @Override
  public void execute(Runnable task) {
    breathe();
    lock.lock();
    try {
      if (!ended) {
        schedule(clock.nanoTime(), task);
        return;
      }
    } finally {
      lock.unlock();
    }
    late.add(task);
    runLate();
  }

  /**
   * Never waits for the lock: the thread that adds a task may hold a lock that a task of the holder
   * needs. The holder looks again after unlocking, so a task that was added meanwhile is run.
   */
  private void runLate() {
    while (!late.isEmpty() && afterEnd.tryLock()) {
      try {
        for (Runnable task = late.poll(); task != null; task = late.poll()) {
          runGuarded(task);
        }
      } finally {
        afterEnd.unlock();
      }
    }
  }

  @Override
  public boolean inLoop() {
    return Thread.currentThread() == thread;
  }

  @Override
  public Timer newTimer(Runnable onFire) {
    return new Agenda.AgendaTimer(this, onFire);
  }

  @Override
  public void unpark(Thread waiter) {
    if (inLoop()) {
      wakeUps.add(waiter);
    } else {
      LockSupport.unpark(waiter);
      breathe();
    }
  }

  /** If the seed decides which thread runs when: now and then runs another thread first. */
  void breathe() {
    if (scheduler != null) {
      scheduler.breathe();
    }
  }

  @Override
  public ChunkPool chunks() {
    return chunks;
  }

  @Override
  public SimClock clock() {
    return clock;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  // ---- the world's lock and queue

  /** Runs a short step under the world's lock. */
  @Override
  public void locked(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  ReentrantLock lock() {
    return lock;
  }

  /** Adds an entry; under the world's lock. After the end nothing runs any more. */
  @Override
  public Agenda.Entry schedule(long atNanos, Runnable task) {
    Agenda.Entry entry = agenda.add(atNanos, task);
    if (ended) {
      agenda.withdraw(entry);
    } else {
      signalChange();
    }
    return entry;
  }

  private void signalChange() {
    if (scheduler == null) {
      changed.signal();
    } else {
      scheduler.poke();
    }
  }

  @Override
  public void withdraw(Agenda.Entry entry) {
    agenda.withdraw(entry);
  }

  /** Runs a last task on the loop and ends it. Idempotent. */
  void end(Runnable last) {
    lock.lock();
    try {
      if (atEnd == null) {
        atEnd = last;
      }
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the end of the loop's thread.
   *
   * @return what escaped from a task, if anything did
   */
  @Nullable
  Throwable join() throws InterruptedException {
    if (scheduler == null) {
      thread.join();
    } else {
      scheduler.join();
    }
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  // ---- the loop's thread

  @Override
  public void run() {
    while (true) {
      List<Agenda.Entry> due = scheduler == null ? awaitDue() : awaitTurn(scheduler);
      if (due.isEmpty()) {
        break;
      }
      for (Agenda.Entry entry : due) {
        if (!entry.withdrawn) {
          runGuarded(entry.task);
          breathe();
        }
      }
      wakeAll();
    }
    wakeAll();
  }

  private void runGuarded(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) {
      locked(() -> failure = failure == null ? t : failure);
    }
  }

  private void wakeAll() {
    // The order of threads that one pass wakes is not guaranteed.
    Collections.shuffle(wakeUps, random);
    wakeUps.forEach(LockSupport::unpark);
    wakeUps.clear();
  }

  /** Waits for entries whose time has come; none means the end. */
  private List<Agenda.Entry> awaitDue() {
    lock.lock();
    try {
      while (true) {
        if (atEnd != null) {
          return lastEntries(atEnd);
        }
        List<Agenda.Entry> due = agenda.takeDue(clock.nanoTime());
        if (!due.isEmpty()) {
          return due;
        }
        awaitChange();
      }
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #awaitDue}, if the scheduler decides which thread runs. */
  private List<Agenda.Entry> awaitTurn(WorldScheduler its) {
    while (true) {
      its.awaitTurn();
      lock.lock();
      try {
        if (atEnd != null) {
          return lastEntries(atEnd);
        }
        List<Agenda.Entry> due = agenda.takeDue(clock.nanoTime());
        if (!due.isEmpty()) {
          return due;
        }
        if (clock.isVirtual() && !agenda.isEmpty() && threads.isCalled()) {
          clock.advanceTo(agenda.firstNanos());
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** The scheduler asks, and must not wait: the lock's holder may be a thread for it to run. */
  @Override
  public boolean isDue() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return atEnd != null || hasDue();
    } finally {
      lock.unlock();
    }
  }

  /** The lock's holder, if it is not free, may have queued a thread of the world before it. */
  @Override
  public WorldScheduler.Answer canMoveOn() {
    if (!lock.tryLock()) {
      return WorldScheduler.Answer.UNKNOWN;
    }
    try {
      boolean can = atEnd != null || hasDue() || (!agenda.isEmpty() && threads.isCalled());
      return can ? WorldScheduler.Answer.YES : WorldScheduler.Answer.NO;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasDue() {
    return !agenda.isEmpty() && agenda.firstNanos() <= clock.nanoTime();
  }

  @Override
  public Thread thread() {
    return thread;
  }

  private List<Agenda.Entry> lastEntries(Runnable last) {
    List<Agenda.Entry> due = agenda.takeDue(clock.nanoTime());
    if (!ending) {
      ending = true;
      due.add(new Agenda.Entry(clock.nanoTime(), 0, last));
    } else if (due.isEmpty()) {
      agenda.clear();
      ended = true;
    }
    return due;
  }

  @SuppressWarnings("WaitNotInLoop") // awaitDue is the loop around it
  private void awaitChange() {
    if (agenda.isEmpty()) {
      changed.awaitUninterruptibly();
    } else if (!clock.isVirtual()) {
      awaitReal(agenda.firstNanos() - clock.nanoTime());
    } else if (!isQuiet()) {
      awaitReal(LOOK_AGAIN_NANOS);
    } else {
      // A thread may have been between two steps: the world must stay quiet for a while.
      long seen = agenda.changes();
      awaitReal(settleNanos);
      if (agenda.changes() == seen && atEnd == null && isQuiet()) {
        clock.advanceTo(agenda.firstNanos());
      }
    }
  }

  /**
   * Whether no thread of the world has anything to do at the present time; under the lock. A thread
   * that waits for this lock looks parked, so those are checked last: they stay queued meanwhile.
   */
  private boolean isQuiet() {
    return threads.allParked(agenda.changes()) && !lock.hasQueuedThreads();
  }

  @SuppressWarnings("WaitNotInLoop") // awaitDue is the loop around it
  private void awaitReal(long nanos) {
    try {
      changed.awaitNanos(nanos);
    } catch (InterruptedException e) {
      // Only end() ends this thread.
      locked(() -> failure = failure == null ? e : failure);
    }
  }
}
