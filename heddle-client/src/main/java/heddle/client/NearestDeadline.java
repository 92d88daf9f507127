package heddle.client;

import org.jspecify.annotations.Nullable;

/**
 * The deadline that calls on a thread inherit: on Java 21 a value of the thread. Java 25 loads the
 * class of the same name in {@code src/main/java25}, whose value goes on to structured forks.
 */
final class NearestDeadline {
  // Not inheritable: a pool's thread that was started within would keep the deadline for ever.
  private static final ThreadLocal<Deadlines.@Nullable Bound> NEAREST = new ThreadLocal<>();

  private NearestDeadline() {}

  /** Null if no operation with a deadline is running on this thread. */
  static Deadlines.@Nullable Bound get() {
    return NEAREST.get();
  }

  /** Runs an operation whose calls find this deadline. */
  static <T extends @Nullable Object, X extends Throwable> T during(
      Deadlines.Bound deadline, Deadlines.Operation<? extends T, X> operation) throws X {
    Deadlines.Bound outer = NEAREST.get();
    NEAREST.set(deadline);
    try {
      return operation.call();
    } finally {
      if (outer == null) {
        NEAREST.remove();
      } else {
        NEAREST.set(outer);
      }
    }
  }
}
