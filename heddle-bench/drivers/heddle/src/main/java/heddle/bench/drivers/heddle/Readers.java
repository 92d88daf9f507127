package heddle.bench.drivers.heddle;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The threads on which answers of asynchronous calls are read and completed. */
enum Readers {
  /** On the call's thread. */
  OWN("own"),
  /** All on one platform thread. */
  ONE("1"),
  /** On two. */
  TWO("2"),
  /** On as many as there are concurrent answers; idle threads are reused. */
  CACHED("cached"),
  /** On another virtual thread per answer. */
  VIRTUAL("virtual");

  private static final ThreadFactory DAEMONS =
      Thread.ofPlatform().daemon().name("heddle-reader-", 1).factory();

  /** The system property with the name of one of these. */
  static final String PROPERTY = "heddle.bench.readers";

  private final String label;

  Readers(String label) {
    this.label = label;
  }

  /**
   * Returns those of that name.
   *
   * @throws IllegalArgumentException if there are none; the message lists all names
   */
  static Readers named(String name) {
    for (Readers each : values()) {
      if (each.label.equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException("there are no readers \"" + name + "\": choose among "
        + Stream.of(values()).map(each -> each.label).collect(Collectors.joining(", ")));
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
