package heddle.transport.tcp;

import heddle.transport.ChunkPool;
import heddle.transport.EventLoop;
import heddle.transport.SafeLog;
import heddle.transport.Timer;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event loop on a platform thread around one selector. A pass is: select and read, tasks,
 * timers, and last the wake-ups of waiting threads; in between too, if it reads much.
 *
 * <p>Whatever a handler, task, timer or logger throws costs at most the channel that it belongs to.
 * If the selector fails, or passes fail one after the other, the thread ends: a new one opens a new
 * selector, closes the channels that were registered with the old one, and goes on with the same
 * tasks, timers and listening sockets.
 */
final class SelectorLoop implements EventLoop, Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.transport");

  /** What one system call reads, where content comes fast; it costs no more if less comes. */
  private static final int READ_BUFFER_BYTES = 256 * 1024;

  /** How much is read before its readers wake: more would outgrow {@link ChunkPool} and caches. */
  private static final int HAND_OVER_BYTES = 1024 * 1024;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A write of this size or more is large: its thread keeps a carrier busy for a while. */
  private static final int LARGE_WRITE_BYTES = 16 * 1024;

  /** After a large write, threads are started without delay for this long. */
  private static final long LARGE_WRITE_NANOS = 100 * NANOS_PER_MILLI;

  /** After this many failed passes in a row the loop gives its selector up. */
  private static final int MAX_FAILED_PASSES = 8;

  /** Without memory, which a new selector does not cure: all pauses last more than a second. */
  private static final int MAX_PASSES_WITHOUT_MEMORY = 20;

  // How long the loop waits before it tries again what failed: doubled each time.
  private static final long MIN_PAUSE_NANOS = NANOS_PER_MILLI;
  private static final long MAX_PAUSE_NANOS = 100 * NANOS_PER_MILLI;

  /** The value of {@link #sleepsUntil} while the loop does not sleep: earlier than any time. */
  private static final long AWAKE = Long.MIN_VALUE;

  private static final long AT_ONCE = AWAKE + 1;

  /** The maximum number of tasks left to a sleeping loop. Each holds a few hundred bytes. */
  private static final int MOST_LEFT = 256;

  /** The loop of a channel failed, which closed it. The loop is replaced: new channels work. */
  static final class LoopFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    LoopFailedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Opens selectors. */
  interface Selectors {
    Selector open() throws IOException;
  }

  private final String name;
  private final Clock clock;
  private final Selectors selectors;

  // Made once: a pass needs no memory for the one, and without any, channels close with the other.
  private final Consumer<SelectionKey> onReady = this::onReady;
  private final IOException lost;

  // Written by the loop's thread: the selector, closed while there is none, and the successor.
  private volatile Selector selector;
  private volatile Thread thread;

  private final WakeRelay relay;
  private final ParkedThreads parked;
  private final TimerWheel wheel = new TimerWheel();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** All open sockets of this loop, registered or not: a failed selector does not name its own. */
  private final OpenSockets sockets = new OpenSockets();

  // The kernel writes to the direct one; copied in bulk to the other, which is parsed.
  private final ByteBuffer directBuffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
  private final ByteBuffer heapBuffer = ByteBuffer.allocate(READ_BUFFER_BYTES);
  private final ChunkPool chunks = new ChunkPool();

  // The loop's own: threads to unpark and tasks that start threads, for the next hand-over, and
  // bytes read since the last.
  private @Nullable Object[] woken = new @Nullable Object[64];
  private int wokenCount;
  private int unhanded;

  /** When the last large write to one of the loop's sockets ended. */
  private volatile long largeWriteNanos;

  /**
   * Until when the loop sleeps in its selector if nothing wakes it; {@link #AWAKE} if it does not.
   * Set before the loop looks at the tasks for the last time and selects: a thread that adds a task
   * after that wakes the selector.
   */
  private volatile long sleepsUntil = AWAKE;

  /** Counts the tasks left to the next pass. Approximate, because threads update it unlocked. */
  private int left;

  /** Written by the loop: changes whenever it finds sockets ready or wakes threads. */
  private volatile int news;

  private volatile boolean ending;

  /** Set when the JVM begins to end. */
  private volatile boolean exiting;

  /** Set when memory or stack ran out: see {@link ReadyHandler#redoLostWork}. */
  private volatile boolean workLost;

  // The loop's own: what the thread before this one ended with, whether the selector has to be
  // replaced, and how long to wait before the next attempt to go on.
  private @Nullable Throwable failure;
  private boolean selectorLost;
  private long pauseNanos = MIN_PAUSE_NANOS;

  // Set when the loop itself runs no task any more; other threads then do, one at a time.
  private volatile boolean ended;
  private final ReentrantLock afterEnd = new ReentrantLock();

  SelectorLoop(String name) throws IOException {
    this(name, Clock.system(), Selector::open);
  }

  SelectorLoop(String name, Clock clock, Selectors selectors) throws IOException {
    this.name = name;
    this.clock = clock;
    this.selectors = selectors;
    selector = selectors.open();
    thread = newThread();
    relay = new WakeRelay(name + "-relay");
    parked = new ParkedThreads("heddle-watch:" + name, clock);
    largeWriteNanos = clock.nanoTime() - LARGE_WRITE_NANOS;
    lost = new LoopFailedException("the event loop " + name + " failed", null);
    SafeLog.load();
  }

  private Thread newThread() {
    return Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  void start() {
    relay.start();
    parked.start();
    thread.start();
  }

  @Override
  public void execute(Runnable task) {
    execute(task, AT_ONCE);
  }

  /**
   * Runs a task on the loop, soon after the given time at the latest, which costs less than at once
   * if the loop sleeps: it is woken only if it would sleep longer, or if many tasks were left.
   *
   * @param byNanos on the clock's scale; {@link Deadline#NEVER_NANOS} for no limit
   */
  void execute(Runnable task, long byNanos) {
    tasks.add(task);
    long until = sleepsUntil;
    if (until != AWAKE && !inLoop() && (byNanos < until || ++left % MOST_LEFT == 0)) {
      sleepsUntil = AWAKE;
      selector.wakeup();
    }
    if (ended) {
      // The loop may have looked for the last time; a channel that closes still tells its listener.
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
    wakeLater(waiter);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Runs immediately if there was a large write recently. Otherwise a small request could wait
   * for many large responses: a carrier runs the threads that the relay has started on it before
   * those that the loop starts.
   */
  @Override
  public void startThread(Runnable start) {
    if (!inLoop() || clock.nanoTime() - largeWriteNanos < LARGE_WRITE_NANOS) {
      start.run();
    } else {
      wakeLater(start);
    }
  }

  /** Adds a thread to unpark, or a {@code Runnable} that starts one, to the next hand-over. */
  private void wakeLater(Object one) {
    if (wokenCount == woken.length) {
      try {
        woken = Arrays.copyOf(woken, wokenCount * 2);
      } catch (OutOfMemoryError e) {
        // Not together with the others, but woken.
        WakeRelay.wake(one);
        return;
      }
    }
    woken[wokenCount++] = one;
  }

  /** Called after each write to one of the loop's sockets. From any thread. */
  void countWritten(int bytes) {
    if (bytes >= LARGE_WRITE_BYTES) {
      largeWriteNanos = clock.nanoTime();
    }
  }

  @Override
  public void park(Object blocker, long untilNanos) {
    Thread current = Thread.currentThread();
    if (!current.isVirtual()) {
      parked.parkPlatform(blocker, untilNanos);
      return;
    }
    ParkedThreads.Slot slot = parked.enter(current, untilNanos);
    try {
      LockSupport.park(blocker);
    } finally {
      parked.leave(current, slot);
    }
  }

  @Override
  public ChunkPool chunks() {
    return chunks;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  /** From any thread: a socket is open that the loop has to close when it ends. */
  void adopt(ReadyHandler handler) {
    sockets.add(handler);
    if (ending) {
      // The loop may have looked for the last time.
      handler.onLoopEnd();
    }
  }

  /** On the loop: the socket is closed. */
  void forget(ReadyHandler handler) {
    sockets.remove(handler);
  }

  /** From any thread, and without memory: a task could not be added. */
  void workLost() {
    workLost = true;
    selector.wakeup();
  }

  private void noteLostWork(Throwable failed) {
    if (failed instanceof VirtualMachineError) {
      workLost = true;
    }
  }

  /** A count that stays the same while the loop makes no thread ready. From any thread. */
  int news() {
    return news;
  }

  private void countNews(int many) {
    if (many > 0) {
      int before = news;
      news = before + 1;
    }
  }

  /** For callers without memory for a new exception. */
  IOException lost() {
    return lost;
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

  /** On the loop. */
  void countRead(int bytes) {
    unhanded += bytes;
  }

  /** On the loop: the threads it has woken are not to wait for the end of this pass. */
  void handOverSoon() {
    unhanded = HAND_OVER_BYTES;
  }

  /** What was read into the direct buffer, as a heap buffer for the parsers. */
  ByteBuffer readBytes() {
    directBuffer.flip();
    heapBuffer.clear();
    heapBuffer.put(directBuffer);
    return heapBuffer.flip();
  }

  /** Goes on whatever fails: without memory any statement may throw, but those in the handler. */
  @Override
  public void run() {
    boolean over = false;
    while (!over) {
      try {
        over = serveOrReplace();
      } catch (Throwable e) {
        selectorLost = true;
        failure = e;
      }
    }
  }

  /** Answers whether this thread is done: the loop has ended, or another thread goes on. */
  private boolean serveOrReplace() {
    try {
      if (selectorLost) {
        replaceSelector();
      }
      serve();
      end();
    } catch (Throwable e) {
      selectorLost = true;
      failure = e;
      pause();
      SafeLog.log(LOG, Level.ERROR, "The loop failed and is replaced: ", name, e);
    }
    return ended || startSuccessor();
  }

  /** A new thread goes on; false if there is none to be had, so that this one has to. */
  private boolean startSuccessor() {
    try {
      Thread next = newThread();
      thread = next;
      next.start();
      return true;
    } catch (Throwable e) {
      thread = Thread.currentThread();
      SafeLog.log(LOG, Level.ERROR, "No new thread can be started for ", name, e);
      return false;
    }
  }

  /** Passes until the loop is to end. What passes throw is borne as long as some succeed. */
  private void serve() throws IOException {
    int failures = 0;
    while (!ending) {
      try {
        runTasks();
        expireTimers();
        handOver();
        select();
        failures = 0;
        pauseNanos = MIN_PAUSE_NANOS;
      } catch (RuntimeException | Error e) {
        noteLostWork(e);
        boolean noMemory = e instanceof OutOfMemoryError;
        int most = noMemory ? MAX_PASSES_WITHOUT_MEMORY : MAX_FAILED_PASSES;
        if (!selector.isOpen() || ++failures >= most) {
          throw e;
        }
        pause();
        SafeLog.log(LOG, Level.ERROR, "A pass failed of ", name, e);
      } finally {
        sleepsUntil = AWAKE;
      }
    }
  }

  /**
   * Reads before it tells a timer that its time is up: what the timer waits for may have arrived
   * while this thread, or the whole process, was held up.
   */
  private void expireTimers() throws IOException {
    long now = clock.nanoTime();
    if (now >= wheel.nextNanos()) {
      countNews(selector.selectNow(onReady));
    }
    wheel.expire(now);
  }

  private void pause() {
    LockSupport.parkNanos(this, pauseNanos);
    pauseNanos = Math.min(2 * pauseNanos, MAX_PAUSE_NANOS);
  }

  /** Closes the channels of the selector that failed, and opens another one. */
  private void replaceSelector() {
    IOException why = whyLost();
    sockets.forEach(handler -> runGuarded(() -> handler.onLoopLost(why)));
    closeSelector();
    while (!ending && selectorLost) {
      try {
        selector = selectors.open();
        selectorLost = false;
      } catch (IOException | RuntimeException | Error e) {
        // Wake-ups, closing and timers need no selector.
        runTasks();
        wheel.expire(clock.nanoTime());
        handOver();
        pause();
        SafeLog.log(LOG, Level.ERROR, "No selector can be opened yet for ", name, e);
      }
    }
    workLost = true;
  }

  private IOException whyLost() {
    Throwable cause = failure;
    try {
      return new LoopFailedException(lost.getMessage() + ": " + cause, cause);
    } catch (OutOfMemoryError e) {
      return lost;
    }
  }

  private void select() throws IOException {
    sleepsUntil = wheel.nextNanos();
    if (workLost) {
      redoLostWork();
    }
    // An earlier look at the selector may have used up the wake-up of close().
    long timeout = tasks.isEmpty() && !ending ? untilNextTimer() : 0;
    if (workLost) {
      timeout = Math.min(timeout, MAX_PAUSE_NANOS);
    }
    if (timeout == 0) {
      countNews(selector.selectNow(onReady));
    } else if (exiting) {
      int ready = selector.selectNow(onReady);
      countNews(ready);
      if (ready == 0) {
        LockSupport.parkNanos(this, Math.min(timeout, NANOS_PER_MILLI));
      }
    } else {
      // A timeout of 0 means for ever to select, which is what "never" becomes here.
      boolean never = timeout == Deadline.NEVER_NANOS;
      countNews(selector.select(onReady, never ? 0 : Math.ceilDiv(timeout, NANOS_PER_MILLI)));
    }
  }

  /** As long as there is no memory for it, each pass tries again. */
  private void redoLostWork() {
    workLost = false;
    try {
      sockets.forEach(ReadyHandler::redoLostWork);
    } catch (RuntimeException | Error e) {
      taskFailed(e);
    }
  }

  /**
   * Has the selector look at a key's interest again: it keeps changed keys in a queue, which is
   * lost if it cannot grow, and setting the same interest again would change nothing.
   */
  static void renewInterest(SelectionKey key) {
    int interest = key.interestOps();
    key.interestOps(0);
    key.interestOps(interest);
  }

  private long untilNextTimer() {
    long next = wheel.nextNanos();
    return next == Deadline.NEVER_NANOS ? next : Math.max(0, next - clock.nanoTime());
  }

  private void onReady(SelectionKey key) {
    ReadyHandler handler = (ReadyHandler) key.attachment();
    try {
      handler.onReady(key.readyOps());
    } catch (RuntimeException | Error e) {
      failed(handler, e);
    }
    if (unhanded >= HAND_OVER_BYTES) {
      handOver();
    }
  }

  /** Needs no memory to go on: what fails here costs its channel alone. */
  private void failed(ReadyHandler handler, Throwable why) {
    noteLostWork(why);
    try {
      handler.onFailure(why);
    } catch (RuntimeException | Error e) {
      SafeLog.log(LOG, Level.ERROR, "Giving up failed of ", handler, e);
    }
    SafeLog.log(LOG, Level.ERROR, "Handling failed of ", handler, why);
  }

  /**
   * Wakes the threads that there is news for, and starts those of new requests. If there are
   * several they run first, and write to their sockets: the next select then finds many answers at
   * once, where the first of them would take the core from those who have yet to write.
   */
  @SuppressWarnings("ThreadPriorityCheck") // A matter of speed alone: nothing relies on it.
  private void handOver() {
    unhanded = 0;
    int count = wakeAll();
    countNews(count);
    if (count > 1) {
      Thread.yield();
    }
  }

  /** On the loop: lets go of closed sockets at once instead of at the next select. */
  void releaseClosed() throws IOException {
    if (selector.isOpen()) {
      selector.selectNow(onReady);
    }
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      runGuarded(task);
    }
  }

  void runGuarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      taskFailed(e);
    }
  }

  void taskFailed(Throwable why) {
    noteLostWork(why);
    SafeLog.log(LOG, Level.ERROR, "A task failed on ", name, why);
  }

  /** Answers how many threads it has woken. */
  private int wakeAll() {
    int count = wokenCount;
    if (count > 1 && !relay.isBusy()) {
      woken = relay.wakeAll(woken, count);
    } else {
      for (int i = 0; i < count; i++) {
        WakeRelay.wake(woken[i]);
        woken[i] = null;
      }
    }
    wokenCount = 0;
    return count;
  }

  private void end() {
    ending = true;
    runTasks();
    sockets.forEach(handler -> runGuarded(handler::onLoopEnd));
    closeSelector();
    // From here on a registration fails, which closes its channel.
    runTasks();
    ended = true;
    drainAfterEnd();
    wakeAll();
    relay.end();
    parked.end();
  }

  private void closeSelector() {
    try {
      selector.close();
    } catch (IOException | RuntimeException | Error e) {
      SafeLog.log(LOG, Level.WARNING, "Closing the selector failed of ", name, e);
    }
  }

  /**
   * Never waits for the lock: the thread that adds a task may hold one that a task of the holder
   * needs. The holder looks again after unlocking.
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

  /**
   * Called when the JVM begins to end, while which others may still use the loop. It goes on, but
   * no longer waits in a system call: the JVM would give a thread in one 300 ms to come back.
   */
  void jvmEnds() {
    exiting = true;
    selector.wakeup();
  }

  /** Ends the loop; its channels are closed. Does not wait. */
  void close() {
    ending = true;
    selector.wakeup();
  }

  /** Waits until the loop's thread is gone, at most the given time for each that it has. */
  void join(long millis) throws InterruptedException {
    Thread joined = null;
    while (!inLoop() && joined != thread) {
      joined = thread;
      joined.join(millis);
    }
  }
}
