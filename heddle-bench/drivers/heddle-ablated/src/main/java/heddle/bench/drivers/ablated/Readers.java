package heddle.bench.drivers.ablated;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** The threads on which answers of asynchronous calls are read and completed. */
enum Readers {
  /** On the call's thread. */
  OWN("executor-own"),
  /** All on one platform thread. */
  ONE("executor-1"),
  /** On two. */
  TWO("executor-2"),
  /** On as many as there are concurrent answers; idle threads are reused. */
  CACHED("executor-cached"),
  /** On another virtual thread per answer. */
  VIRTUAL("executor-virtual");

  private static final ThreadFactory DAEMONS =
      Thread.ofPlatform().daemon().name("heddle-reader-", 1).factory();

  private final String label;

  Readers(String label) {
    this.label = label;
  }

  /** Its name in options. */
  String label() {
    return label;
  }

  /** The executor; null for the call's thread. */
  @Nullable
  ExecutorService open() {
    return switch (this) {
      case OWN -> null;
      case ONE -> Executors.newFixedThreadPool(1, DAEMONS);
      case TWO -> Executors.newFixedThreadPool(2, DAEMONS);
      case CACHED -> Executors.newCachedThreadPool(DAEMONS);
      case VIRTUAL -> Executors.newVirtualThreadPerTaskExecutor();
    };
  }
}
