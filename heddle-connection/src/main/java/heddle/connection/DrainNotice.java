package heddle.connection;

import heddle.transport.SafeLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done for an {@link UpgradedStream} when its server begins to close: on a new
 * virtual thread, because it is user code. Safe for use by many threads.
 */
public final class DrainNotice {
  private static final Logger LOG = System.getLogger(DrainNotice.class.getName());

  /** Stands for the task once the server has begun to close. */
  private static final Object DRAINING = new Object();

  private final AtomicReference<@Nullable Object> task = new AtomicReference<>();

  /** Sets the task, and runs it if the server has begun to close. */
  public void set(Runnable newTask) {
    Object before = task.get();
    while (before != DRAINING && !task.compareAndSet(before, newTask)) {
      before = task.get();
    }
    if (before == DRAINING) {
      start(newTask);
    }
  }

  /** The server begins to close. From any thread; does not wait. */
  public void send() {
    if (task.getAndSet(DRAINING) instanceof Runnable known) {
      start(known);
    }
  }

  private static void start(Runnable known) {
    try {
      Thread.ofVirtual().name("heddle-drain").start(() -> run(known));
    } catch (RuntimeException | Error e) {
      SafeLog.log(LOG, Level.ERROR, "No thread can be started to run ", known, e);
    }
  }

  private static void run(Runnable known) {
    try {
      known.run();
    } catch (RuntimeException | Error e) {
      SafeLog.log(
          LOG,
          Level.ERROR,
          "The task failed that ends a protocol as the server closes: ",
          known,
          e);
    }
  }
}
