package heddle.bench.drivers.ablated;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** On which threads the answers of asynchronous calls are read, and their ends are told. */
enum Readers {
  /** On the call's own. */
  OWN("executor-own"),
  /** All on one platform thread. */
  ONE("executor-1"),
  /** On two. */
  TWO("executor-2"),
  /** On as many as there are answers at a time; they are used again. */
  CACHED("executor-cached"),
  /** On a further virtual thread for each. */
  VIRTUAL("executor-virtual");

  private static final ThreadFactory DAEMONS =
      Thread.ofPlatform().daemon().name("heddle-reader-", 1).factory();

  private final String label;

  Readers(String label) {
    this.label = label;
  }

  /** The name that it is chosen by. */
  String label() {
    return label;
  }

  /** The executor; null where there is none between. */
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
