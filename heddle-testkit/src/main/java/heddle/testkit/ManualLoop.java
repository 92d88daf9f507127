package heddle.testkit;

import heddle.transport.ChunkPool;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A loop without a thread: tasks and timers run on the thread that calls {@link #runPending} or
 * {@link #advance}. One thread at a time may drive it; everything else may be called from any
 * thread.
 *
 * <pre>{@code
 * ManualLoop loop = new ManualLoop();
 * Timer timer = loop.newTimer(() -> fired.set(true));
 * timer.arm(loop.clock().nanoTime() + 1_000_000_000);
 * loop.advance(Duration.ofSeconds(1));
 * assertTrue(fired.get());
 * }</pre>
 */
public final class ManualLoop implements EventLoop {
  private final ManualClock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. */
  private final Agenda agenda = new Agenda();

  /** The thread that drives the loop at present. */
  private volatile @Nullable Thread driver;

  private final ChunkPool chunks = new ChunkPool();

  /** Used only by the driver: threads to wake at the end of the pass. */
  private final List<Thread> wakeUps = new ArrayList<>();

  /** A loop with a clock that it creates. */
  public ManualLoop() {
    this(new ManualClock());
  }

  /** A loop with this clock. */
  public ManualLoop(ManualClock clock) {
    this.clock = clock;
  }

  /** Runs what is due at the present time, including tasks that become due meanwhile. */
  public void runPending() {
    if (inLoop()) {
      throw new IllegalStateException("the loop cannot be driven from within a task");
    }
    driver = Thread.currentThread();
    try {
      for (List<Agenda.Entry> due = takeDue(); !due.isEmpty(); due = takeDue()) {
        for (Agenda.Entry entry : due) {
          if (!entry.withdrawn) {
            entry.task.run();
          }
        }
        wakeAll();
      }
    } finally {
      wakeAll();
      driver = null;
    }
  }

  /** Moves the clock on, from timer to timer, each of which fires at its own time. */
  public void advance(Duration time) {
    long end = clock.nanoTime() + time.toNanos();
    runPending();
    while (isDueBy(end)) {
      clock.advanceTo(firstNanos());
      runPending();
    }
    clock.advanceTo(end);
  }

  /** How many tasks and armed timers wait for their time. */
  public int pending() {
    lock.lock();
    try {
      return agenda.size();
    } finally {
      lock.unlock();
    }
  }

  private List<Agenda.Entry> takeDue() {
    lock.lock();
    try {
      return agenda.takeDue(clock.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  private boolean isDueBy(long end) {
    lock.lock();
    try {
      return !agenda.isEmpty() && agenda.firstNanos() <= end;
    } finally {
      lock.unlock();
    }
  }

  private long firstNanos() {
    lock.lock();
    try {
      return agenda.isEmpty() ? clock.nanoTime() : agenda.firstNanos();
    } finally {
      lock.unlock();
    }
  }

  private void wakeAll() {
    wakeUps.forEach(LockSupport::unpark);
    wakeUps.clear();
  }

  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      agenda.add(clock.nanoTime(), task);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean inLoop() {
    return Thread.currentThread() == driver;
  }

  @Override
  public Timer newTimer(Runnable onFire) {
    return new Agenda.AgendaTimer(new Keeper(), onFire);
  }

  @Override
  public void unpark(Thread thread) {
    if (inLoop()) {
      wakeUps.add(thread);
    } else {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public ChunkPool chunks() {
    return chunks;
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  /** What timers need, kept out of the public API. */
  private final class Keeper implements Agenda.AgendaTimer.Keeper {
    @Override
    public void locked(Runnable step) {
      lock.lock();
      try {
        step.run();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Agenda.Entry schedule(long atNanos, Runnable task) {
      return agenda.add(atNanos, task);
    }

    @Override
    public void withdraw(Agenda.Entry entry) {
      agenda.withdraw(entry);
    }
  }
}
