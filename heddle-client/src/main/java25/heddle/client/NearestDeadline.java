package heddle.client;

import org.jspecify.annotations.Nullable;

/** The deadline that calls on a thread inherit: a scoped value, which structured forks inherit. */
final class NearestDeadline {
  private static final ScopedValue<Deadlines.Bound> NEAREST = ScopedValue.newInstance();

  private NearestDeadline() {}

  /** Null if no operation with a deadline is running on this thread. */
  static Deadlines.@Nullable Bound get() {
    return NEAREST.isBound() ? NEAREST.get() : null;
  }

  /** Runs an operation whose calls find this deadline. */
  static <T extends @Nullable Object, X extends Throwable> T during(
      Deadlines.Bound deadline, Deadlines.Operation<? extends T, X> operation) throws X {
    return ScopedValue.where(NEAREST, deadline).call(operation::call);
  }
}
