package heddle.cache;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Validates stored responses on virtual threads, at most once at a time for each
 * resource. Thread-safe.
 */
final class Revalidations {
  /** The most at a time; a later request begins those that found no place. */
  static final int MOST = 64;

  private static final System.Logger LOG = System.getLogger("heddle.cache");

  private final Set<String> running = ConcurrentHashMap.newKeySet();

  /** A validation. */
  interface Work {
    void run() throws IOException;
  }

  void start(String key, Work work) {
    if (running.size() >= MOST || !running.add(key)) {
      return;
    }
    boolean started = false;
    try {
      Thread.ofVirtual().name("heddle-cache").start(() -> run(key, work));
      started = true;
    } finally {
      if (!started) {
        running.remove(key);
      }
    }
  }

  private void run(String key, Work work) {
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      // The response stays as stale as it was; listeners of the client see the failed call.
      LOG.log(Level.DEBUG, "a stale response could not be validated: " + e, e);
    } finally {
      running.remove(key);
    }
  }
}
