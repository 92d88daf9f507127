package heddle.load.cluster.process;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The processes that this one has started. None outlives it; if it is killed by a signal that
 * cannot be caught, those on a {@link Leash} end by themselves. Safe for use by many threads.
 */
public final class Children {

  private static final long PATIENCE_MILLIS = 2_000;
  private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Children::endAll, "heddle-children"));
  }

  private static volatile boolean ending;

  private Children() {}

  /**
   * Starts a process.
   *
   * @throws IOException if it cannot be started, or this JVM is about to end
   */
  public static Process start(ProcessBuilder builder) throws IOException {
    if (ending) {
      throw new IOException("no process is started while this one ends: " + builder.command());
    }
    Process process = builder.start();
    ALIVE.add(process);
    // The shutdown may have begun meanwhile, and have missed this one.
    if (ending) {
      kill(process);
    }
    return process;
  }

  /** Asks the process to end; if it does not, kills it with its descendants. */
  public static void end(Process process) {
    process.destroy();
    try {
      process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kill(process);
    }
  }

  /** Kills the process and its descendants at once. */
  public static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    ALIVE.remove(process);
  }

  private static void endAll() {
    ending = true;
    ALIVE.forEach(Children::kill);
  }
}
