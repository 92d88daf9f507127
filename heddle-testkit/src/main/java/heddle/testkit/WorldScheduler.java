package heddle.testkit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the virtual threads of a deterministic world, its loop among them, on one platform thread:
 * one at a time, each until it parks or yields, and which of those that can run comes next is drawn
 * from the seed. Threads that they start, such as those of the code under test, live here too.
 *
 * <p>The JDK has a hook for such a scheduler but does not export it: {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED} (or {@code =heddle.testkit} on the module path) opens it.
 */
final class WorldScheduler implements Executor, Runnable {
  /** Whether the loop has something to do; asked when it waits for its turn. */
  interface Loop {
    /** Something is due at the present time. */
    boolean isDue();

    /** Whether something can be done once every thread is parked. */
    Answer canMoveOn();

    Thread thread();
  }

  /** Of a loop that must not keep the driver waiting. */
  enum Answer {
    YES,
    NO,
    /** The state is being changed: ask again. */
    UNKNOWN
  }

  /** {@code ThreadBuilders.newVirtualThread(scheduler, name, characteristics, task)}, or null. */
  private static final @Nullable MethodHandle NEW_THREAD = findNewThread();

  private static final long IDLE_NANOS = 5_000_000_000L;
  private static final long MONITOR_NANOS = 200_000_000;

  /** How long the driver sleeps between two looks at what others hold: they need the core too. */
  private static final long LOOK_AGAIN_NANOS = 20_000;

  /** The most time between two looks that counts: after a longer gap the driver saw nothing. */
  private static final long MOST_BETWEEN_LOOKS_NANOS = 200_000;

  private static final @Nullable VarHandle RANDOM_SEED =
      findField(Thread.class, "threadLocalRandomSeed", long.class);
  private static final @Nullable VarHandle RANDOM_PROBE =
      findField(Thread.class, "threadLocalRandomProbe", int.class);

  // Of a virtual thread; Thread.getState() is the same for one that has yielded and for one that
  // was blocked a moment ago.
  private static final @Nullable VarHandle STATE = findField(virtualThread(), "state", int.class);
  private static final int BLOCKED = stateNamed("BLOCKED");
  private static final int UNBLOCKED = stateNamed("UNBLOCKED");

  private final Random random;
  private final Thread driver;

  /** Tasks that have become runnable; added by any thread. */
  private final ConcurrentLinkedQueue<Runnable> arrived = new ConcurrentLinkedQueue<>();

  /** A thread of the world: the JDK's task that continues it, and the thread itself. */
  private record Runner(Runnable task, @Nullable Thread thread, int number) {
    boolean isIn(Thread.State state) {
      return thread != null && thread.getState() == state;
    }
  }

  /** Used only by the driver, until it has ended. */
  private final List<Runner> ready = new ArrayList<>();

  /** Used only by the driver, until it has ended: the threads that have not ended. */
  private final IdentityHashMap<Runnable, Runner> runners = new IdentityHashMap<>();

  /** Used only by the driver: how many threads it has seen. */
  private int seen;

  /** Written by the driver: the thread that runs now. */
  private volatile @Nullable Thread running;

  /** Written by the driver: a hash of which thread has run when so far. */
  private volatile long history;

  private volatile boolean idle;
  private volatile boolean stopped;

  /** The loop is parked until its turn comes. */
  private volatile boolean loopWaits;

  private @Nullable Loop loop;

  WorldScheduler(long seed) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
    this.driver = Thread.ofPlatform().daemon().name("heddle-sim-world").unstarted(this);
  }

  private static @Nullable MethodHandle findNewThread() {
    try {
      Method method = Class.forName("java.lang.ThreadBuilders")
          .getDeclaredMethod(
              "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      return null;
    }
  }

  private static @Nullable VarHandle findField(Class<?> of, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(of, MethodHandles.lookup())
          .findVarHandle(of, name, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static Class<?> virtualThread() {
    return Thread.ofVirtual().unstarted(() -> {}).getClass();
  }

  /** The value of a state of virtual threads; an unused one if the JDK has no such state. */
  private static int stateNamed(String name) {
    try {
      Class<?> of = virtualThread();
      return (int) MethodHandles.privateLookupIn(of, MethodHandles.lookup())
          .findStaticVarHandle(of, name, int.class)
          .get();
    } catch (ReflectiveOperationException e) {
      return Integer.MIN_VALUE;
    }
  }

  /** Whether this JVM allows a custom scheduler of virtual threads. */
  static boolean isAvailable() {
    return NEW_THREAD != null;
  }

  Thread newThread(String name, Runnable task) {
    MethodHandle maker = NEW_THREAD;
    if (maker == null) {
      throw new IllegalStateException("a world is deterministic only in a JVM that was started with"
          + " --add-opens java.base/java.lang=ALL-UNNAMED");
    }
    try {
      return (Thread) maker.invoke((Executor) this, name, 0, task);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot make a thread of the world", e);
    }
  }

  void begin(Loop newLoop) {
    loop = newLoop;
    driver.start();
    newLoop.thread().start();
    awaitIdle();
  }

  /**
   * Waits until no thread can run, so that a call from outside comes at the same point of the
   * world's history each time. Gives up after a few seconds: a thread may never park.
   */
  void awaitIdle() {
    long end = System.nanoTime() + IDLE_NANOS;
    while (!isIdle() && !stopped && System.nanoTime() < end) {
      LockSupport.parkNanos(20_000);
    }
  }

  private boolean isIdle() {
    return idle && driver.getState() == Thread.State.WAITING && arrived.isEmpty();
  }

  /** From any thread, at any time: the JDK has a thread to run. */
  @Override
  public void execute(Runnable thread) {
    if (stopped) {
      // A thread that is woken after the end must still run to its own end.
      Thread.ofPlatform().daemon().name("heddle-sim-late").start(thread);
      return;
    }
    arrived.add(thread);
    poke();
  }

  /** Wakes the driver, in case the loop can go on. */
  void poke() {
    if (idle) {
      LockSupport.unpark(driver);
    }
  }

  /** Parks the loop until it is its turn: on the loop. */
  void awaitTurn() {
    loopWaits = true;
    poke();
    while (loopWaits) {
      LockSupport.park(this);
    }
  }

  /** Now and then runs another thread of the world first, as the seed decides. */
  @SuppressWarnings("ThreadPriorityCheck") // the scheduler that is relied on is this one
  void breathe() {
    // Only threads that are run here draw, one at a time, so that the source has one user.
    if (Thread.currentThread() == running && random.nextInt(4) == 0) {
      Thread.yield();
    }
  }

  // ---- the driver's thread

  @Override
  public void run() {
    while (true) {
      takeArrived();
      Runner next = next();
      if (next != null) {
        run(next);
      } else if (loop().thread().getState() == Thread.State.TERMINATED) {
        stopped = true;
        takeArrived();
        ready.forEach(each -> execute(each.task()));
        return;
      } else {
        awaitArrival();
      }
    }
  }

  private void run(Runner next) {
    history = history * 0x5851F42D4C957F2DL + next.number();
    running = next.thread();
    do {
      next.task().run();
    } while (isHeldUp(next) && awaitMonitor(next));
    running = null;
    if (next.isIn(Thread.State.TERMINATED)) {
      runners.remove(next.task());
    }
  }

  /** Whether a thread that has stopped running waits for a monitor, or has waited for it. */
  private static boolean isHeldUp(Runner stopped) {
    if (STATE == null || stopped.thread() == null) {
      return stopped.isIn(Thread.State.BLOCKED);
    }
    int state = (int) STATE.get(stopped.thread());
    return state == BLOCKED || state == UNBLOCKED;
  }

  /**
   * A thread waits for a monitor that is held outside of the world: by another world that loads the
   * same class, say. The seed does not decide how long, so nothing else happens meanwhile. Gives up
   * after a while, because a thread of this world could hold it.
   *
   * @return whether the thread can go on
   */
  private boolean awaitMonitor(Runner blocked) {
    long waited = 0;
    long looked = System.nanoTime();
    while (!arrived.remove(blocked.task())) {
      if (waited > MONITOR_NANOS) {
        return false;
      }
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
      long now = System.nanoTime();
      waited += Math.min(now - looked, MOST_BETWEEN_LOOKS_NANOS);
      looked = now;
    }
    return true;
  }

  private void takeArrived() {
    for (Runnable each = arrived.poll(); each != null; each = arrived.poll()) {
      ready.add(runners.computeIfAbsent(each, this::newRunner));
    }
  }

  private Runner newRunner(Runnable task) {
    Runner added = new Runner(task, threadOf(task), ++seen);
    seed(added.thread());
    return added;
  }

  /** What a thread draws from {@code ThreadLocalRandom} follows from the seed too. */
  private void seed(@Nullable Thread thread) {
    if (thread != null && RANDOM_SEED != null && RANDOM_PROBE != null) {
      RANDOM_SEED.set(thread, random.nextLong());
      // Any but zero, which would make the thread draw a seed itself.
      RANDOM_PROBE.set(thread, seen);
    }
  }

  private @Nullable Runner next() {
    Loop its = loop();
    if (!ready.isEmpty()) {
      // The loop takes turns with its threads: due tasks do not wait until all threads are parked.
      if (loopWaits && random.nextInt(1 + ready.size()) == 0 && its.isDue()) {
        giveTurn(its);
      }
      return takeAny();
    }
    if (loopWaits && its.canMoveOn() == Answer.YES) {
      giveTurn(its);
      takeArrived();
      return takeAny();
    }
    return null;
  }

  private Loop loop() {
    return Objects.requireNonNull(loop);
  }

  private void giveTurn(Loop its) {
    loopWaits = false;
    LockSupport.unpark(its.thread());
  }

  private @Nullable Runner takeAny() {
    if (ready.isEmpty()) {
      return null;
    }
    int last = ready.size() - 1;
    int chosen = random.nextInt(ready.size());
    Runner taken = ready.get(chosen);
    ready.set(chosen, ready.get(last));
    ready.remove(last);
    return taken;
  }

  /**
   * Never waits for the loop's answer: the driver could then miss that a thread can run, for which
   * all others may be waiting.
   */
  private void awaitArrival() {
    idle = true;
    Answer answer = loopWaits ? loop().canMoveOn() : Answer.NO;
    while (arrived.isEmpty() && answer == Answer.UNKNOWN) {
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
      answer = loop().canMoveOn();
    }
    if (answer == Answer.NO && arrived.isEmpty()) {
      LockSupport.park(this);
    }
    idle = false;
  }

  // ---- what a world asks for

  void join() throws InterruptedException {
    driver.join();
  }

  /** The thread that the JDK's task continues: what the task, a lambda of the JDK, has captured. */
  private static @Nullable Thread threadOf(Runnable task) {
    for (Field field : task.getClass().getDeclaredFields()) {
      try {
        field.setAccessible(true);
        if (field.get(task) instanceof Thread thread) {
          return thread;
        }
      } catch (IllegalAccessException | InaccessibleObjectException e) {
        return null;
      }
    }
    return null;
  }

  /** A hash of which thread has run when so far; from outside, once no thread can run. */
  long history() {
    if (Thread.currentThread() != running) {
      awaitIdle();
    }
    return history;
  }

  /** All threads of the world that have not ended; call it once the driver has ended. */
  List<Thread> left() {
    List<Thread> left = new ArrayList<>();
    for (Runner each : runners.values()) {
      Thread thread = each.thread();
      if (thread != null && !each.isIn(Thread.State.TERMINATED)) {
        left.add(thread);
      }
    }
    return left;
  }
}
