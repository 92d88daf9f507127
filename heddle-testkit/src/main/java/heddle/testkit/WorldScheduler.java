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
 * <p>The JDK has this place for a scheduler but does not open it: {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED} (or {@code =heddle.testkit} on the module path) does.
 */
final class WorldScheduler implements Executor, Runnable {
  /** Whether the loop has something to do; asked when it waits for its turn. */
  interface Loop {
    /** Something is due at the present time. */
    boolean isDue();

    /** Something can be done once every thread is parked. */
    boolean canMoveOn();

    Thread thread();
  }

  /** {@code ThreadBuilders.newVirtualThread(scheduler, name, characteristics, task)}, or null. */
  private static final @Nullable MethodHandle NEW_THREAD = findNewThread();

  private static final long IDLE_NANOS = 5_000_000_000L;

  private static final @Nullable VarHandle RANDOM_SEED =
      findField("threadLocalRandomSeed", long.class);
  private static final @Nullable VarHandle RANDOM_PROBE =
      findField("threadLocalRandomProbe", int.class);

  private final Random random;
  private final Thread driver;

  /** What has become able to run; from any thread. */
  private final ConcurrentLinkedQueue<Runnable> arrived = new ConcurrentLinkedQueue<>();

  /** Touched by the driver alone, until it has ended. */
  private final List<Runnable> ready = new ArrayList<>();

  /** Touched by the driver alone, until it has ended: the threads seen so far. */
  private final IdentityHashMap<Runnable, @Nullable Thread> threads = new IdentityHashMap<>();

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

  private static @Nullable VarHandle findField(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
          .findVarHandle(Thread.class, name, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Whether this JVM lets threads have a scheduler of ours. */
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
   * Waits until nobody can run, so that what comes from outside comes at the same point of the
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
      // Whoever is woken after the end still has to come to its own.
      Thread.ofPlatform().daemon().name("heddle-sim-late").start(thread);
      return;
    }
    arrived.add(thread);
    poke();
  }

  /** Something may have changed that lets the loop go on. */
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

  /** Now and then lets another thread of the world run first, as the seed has it. */
  @SuppressWarnings("ThreadPriorityCheck") // the scheduler that is relied on is this one
  void breathe() {
    // Only threads that are run here draw, one at a time, so that the source has one user.
    if (Thread.currentThread().isVirtual() && random.nextInt(4) == 0) {
      Thread.yield();
    }
  }

  // ---- the driver's thread

  @Override
  public void run() {
    while (true) {
      takeArrived();
      Runnable next = next();
      if (next != null) {
        next.run();
      } else if (loop().thread().getState() == Thread.State.TERMINATED) {
        stopped = true;
        takeArrived();
        ready.forEach(this::execute);
        return;
      } else {
        awaitArrival();
      }
    }
  }

  private void takeArrived() {
    for (Runnable each = arrived.poll(); each != null; each = arrived.poll()) {
      ready.add(each);
      if (!threads.containsKey(each)) {
        Thread thread = threadOf(each);
        threads.put(each, thread);
        seed(thread);
      }
    }
  }

  /** What a thread draws from {@code ThreadLocalRandom} follows from the seed too. */
  private void seed(@Nullable Thread thread) {
    if (thread != null && RANDOM_SEED != null && RANDOM_PROBE != null) {
      RANDOM_SEED.set(thread, random.nextLong());
      // Any but zero, which would have the thread draw a seed of its own.
      RANDOM_PROBE.set(thread, threads.size());
    }
  }

  private @Nullable Runnable next() {
    Loop its = loop();
    if (!ready.isEmpty()) {
      // A loop runs beside its threads: what is due does not wait until all of them are parked.
      if (loopWaits && random.nextInt(1 + ready.size()) == 0 && its.isDue()) {
        giveTurn(its);
      }
      return takeAny();
    }
    if (loopWaits && its.canMoveOn()) {
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

  private @Nullable Runnable takeAny() {
    if (ready.isEmpty()) {
      return null;
    }
    int last = ready.size() - 1;
    int chosen = random.nextInt(ready.size());
    Runnable taken = ready.get(chosen);
    ready.set(chosen, ready.get(last));
    ready.remove(last);
    return taken;
  }

  private void awaitArrival() {
    idle = true;
    Loop its = loop();
    if (arrived.isEmpty() && !(loopWaits && its.canMoveOn())) {
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

  /** The threads of the world, whoever started them, that have not ended; once the driver has. */
  List<Thread> left() {
    List<Thread> left = new ArrayList<>();
    for (Thread thread : threads.values()) {
      if (thread != null && thread.getState() != Thread.State.TERMINATED) {
        left.add(thread);
      }
    }
    return left;
  }
}
