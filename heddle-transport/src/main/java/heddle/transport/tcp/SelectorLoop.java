package heddle.transport.tcp;

import heddle.transport.ChunkPool;
import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An event loop on a platform thread around one selector. A pass is: select and read, tasks,
 * timers, and last the wake-ups of the threads that the pass had news for, which get the core first
 * when they are several. Where a pass reads much, it wakes them in between too.
 */
final class SelectorLoop implements EventLoop, Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.transport");

  /** So much content comes in one system call, where it comes fast; less does not cost more. */
  private static final int READ_BUFFER_BYTES = 256 * 1024;

  /**
   * So much is read before those it is for have their turn. More would lie in memory that is not
   * used again ({@link ChunkPool}), and fall out of the caches before it is looked at.
   */
  private static final int HAND_OVER_BYTES = 1024 * 1024;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Clock clock = Clock.system();
  private final Selector selector;
  private final Thread thread;
  private final WakeRelay relay;
  private final TimerWheel wheel = new TimerWheel();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Sockets that are open but have no selection key yet, by which they would be found. */
  private final Set<ReadyHandler> unregistered = ConcurrentHashMap.newKeySet();

  /** The kernel writes here; copied in bulk to {@link #heapBuffer}, which is parsed. */
  private final ByteBuffer directBuffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);

  private final ByteBuffer heapBuffer = ByteBuffer.allocate(READ_BUFFER_BYTES);

  private final ChunkPool chunks = new ChunkPool();

  /** Threads to wake at the next hand-over; the loop's own. */
  private @Nullable Thread[] woken = new @Nullable Thread[64];

  private int wokenCount;

  /** How many bytes were read since the last hand-over; the loop's own. */
  private int unhanded;

  /**
   * Set before the loop looks at the tasks for the last time and selects, so that whoever adds a
   * task after that look sees it and wakes the selector.
   */
  private volatile boolean sleeping;

  private volatile boolean ending;

  /** Keeps apart the threads that run tasks in the loop's stead once it has ended. */
  private final ReentrantLock afterEnd = new ReentrantLock();

  /** Set when the loop itself runs no task any more. */
  private volatile boolean ended;

  SelectorLoop(String name) throws IOException {
    selector = Selector.open();
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
    relay = new WakeRelay(name + "-relay");
  }

  void start() {
    relay.start();
    thread.start();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (sleeping && !inLoop()) {
      sleeping = false;
      selector.wakeup();
    }
    if (ended) {
      // The loop may have looked at the queue for the last time: what is left is run here, so that
      // a channel closed after its loop still tells its listener.
      drainAfterEnd();
    }
  }

  @Override
  public boolean inLoop() {
    return Thread.currentThread() == thread;
  }

  @Override
  public Timer newTimer(Runnable onFire) {
    return new LoopTimer(this, onFire);
  }

  @Override
  public void unpark(Thread waiter) {
    if (!inLoop()) {
      LockSupport.unpark(waiter);
      return;
    }
    if (wokenCount == woken.length) {
      woken = Arrays.copyOf(woken, wokenCount * 2);
    }
    woken[wokenCount++] = waiter;
  }

  @Override
  public ChunkPool chunks() {
    return chunks;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  /**
   * From any thread: a socket is open that the loop has to close when it ends, even if it is never
   * registered.
   */
  void adopt(ReadyHandler handler) {
    unregistered.add(handler);
    if (ending) {
      // The loop may have looked for the last time.
      handler.onLoopEnd();
    }
  }

  /** On the loop: the socket is registered or closed. */
  void forget(ReadyHandler handler) {
    unregistered.remove(handler);
  }

  TimerWheel wheel() {
    return wheel;
  }

  Selector selector() {
    return selector;
  }

  /** The loop's buffer to read from a socket into, empty. */
  ByteBuffer directBuffer() {
    return directBuffer.clear();
  }

  /** On the loop: so many bytes were read from a socket. */
  void countRead(int bytes) {
    unhanded += bytes;
  }

  /** What was read into the direct buffer, as a heap buffer for the parsers. */
  ByteBuffer readBytes() {
    directBuffer.flip();
    heapBuffer.clear();
    heapBuffer.put(directBuffer);
    return heapBuffer.flip();
  }

  @Override
  public void run() {
    try {
      while (!ending) {
        runTasks();
        wheel.expire(clock.nanoTime());
        handOver();
        select();
      }
    } catch (IOException e) {
      LOG.log(
          Level.ERROR, "The selector of " + thread.getName() + " failed; its channels close", e);
    } finally {
      end();
    }
  }

  private void select() throws IOException {
    sleeping = true;
    long timeout = tasks.isEmpty() ? untilNextTimer() : 0;
    if (timeout == 0) {
      selector.selectNow(this::onReady);
    } else {
      // A timeout of 0 means for ever to select, which is what "never" becomes here.
      selector.select(this::onReady, timeout == Deadline.NEVER_NANOS ? 0 : toMillis(timeout));
    }
    sleeping = false;
  }

  private long untilNextTimer() {
    long next = wheel.nextNanos();
    return next == Deadline.NEVER_NANOS ? next : Math.max(0, next - clock.nanoTime());
  }

  private static long toMillis(long nanos) {
    return (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
  }

  private void onReady(SelectionKey key) {
    ReadyHandler handler = (ReadyHandler) key.attachment();
    try {
      handler.onReady(key.readyOps());
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "Handling " + handler + " failed on " + thread.getName(), e);
    }
    if (unhanded >= HAND_OVER_BYTES) {
      handOver();
    }
  }

  /** Wakes those there is news for, who go first where they are several. */
  private void handOver() {
    unhanded = 0;
    if (wakeAll() > 1 && Optimisations.YIELDING_LOOP) {
      letThemRun();
    }
  }

  /** On the loop: lets go of closed sockets at once instead of at the next select. */
  void releaseClosed() throws IOException {
    if (selector.isOpen()) {
      selector.selectNow(this::onReady);
    }
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      runGuarded(task);
    }
  }

  /** A task that fails must not take the loop and all its channels with it. */
  void runGuarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "A task failed on " + thread.getName(), e);
    }
  }

  /**
   * The woken write to their sockets first: the next select then finds many answers at once, where
   * the first of them would take the core from those who have yet to write.
   */
  @SuppressWarnings("ThreadPriorityCheck") // A matter of speed alone: nothing relies on it.
  private static void letThemRun() {
    Thread.yield();
  }

  /** Answers how many threads it has woken. */
  private int wakeAll() {
    int count = wokenCount;
    if (Optimisations.RELAYED_WAKE_UPS && count > 1 && !relay.isBusy()) {
      woken = relay.wake(woken, count);
    } else {
      for (int i = 0; i < count; i++) {
        LockSupport.unpark(woken[i]);
        woken[i] = null;
      }
    }
    wokenCount = 0;
    return count;
  }

  private void end() {
    ending = true;
    // A channel that was about to be registered is closed with those that are.
    runTasks();
    for (ReadyHandler handler : unregistered) {
      runGuarded(handler::onLoopEnd);
    }
    for (SelectionKey key : new ArrayList<>(selector.keys())) {
      runGuarded(((ReadyHandler) key.attachment())::onLoopEnd);
    }
    try {
      selector.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Closing the selector of " + thread.getName() + " failed", e);
    }
    // From here on a registration fails, which closes its channel.
    runTasks();
    wakeAll();
    ended = true;
    drainAfterEnd();
    relay.end();
  }

  /**
   * Never waits for the lock: whoever adds a task may hold a lock that a task of the holder needs.
   * The holder looks again after letting go, so a task that was added meanwhile is run.
   */
  private void drainAfterEnd() {
    while (!tasks.isEmpty() && afterEnd.tryLock()) {
      try {
        runTasks();
      } finally {
        afterEnd.unlock();
      }
    }
  }

  /** Ends the loop; its channels are closed. Does not wait. */
  void close() {
    ending = true;
    selector.wakeup();
  }

  /** Waits until the loop's thread is gone, at most the given time. */
  void join(long millis) throws InterruptedException {
    if (!inLoop()) {
      thread.join(millis);
    }
  }
}
