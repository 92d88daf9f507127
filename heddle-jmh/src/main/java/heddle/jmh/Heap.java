package heddle.jmh;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** The heap of this process, its virtual threads included. */
final class Heap {
  private static final int COLLECTIONS = 4;

  private Heap() {}

  /**
   * Returns the bytes that are used after a few collections, because references are cleared in
   * several steps.
   */
  static long live() throws InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
