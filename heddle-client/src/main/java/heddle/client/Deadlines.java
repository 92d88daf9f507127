package heddle.client;

import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines that calls inherit from the operation they are part of: a call has to end by its own
 * deadline or the inherited one, whichever is earlier.
 *
 * <pre>{@code
 * String page = Deadlines.within(Duration.ofSeconds(2), () -> {
 *   String user = client.send(Request.get(users)).string();
 *   return client.send(Request.get(orders + user)).string();
 * });
 * }</pre>
 *
 * <p>A deadline applies to the calling thread, to {@link HttpClient#sendAsync} called from it, and
 * on Java 25 and later to the forks of a {@code StructuredTaskScope} that is opened within; it does
 * not apply to other threads that are started, and on Java 21 to 24 not to forks either: call
 * {@code within} in each. Calls that {@linkplain HttpClient.Builder#interceptor interceptors} make
 * inherit the deadline of the call that they intercept.
 */
public final class Deadlines {
  /**
   * What is to be done by a deadline.
   *
   * @param <T> what it returns
   * @param <X> what it throws
   */
  @FunctionalInterface
  public interface Operation<T extends @Nullable Object, X extends Throwable> {
    /** Does it, on the calling thread. */
    T call() throws X;
  }

  /** A deadline, and the clock on whose scale it is. */
  record Bound(Deadline deadline, Clock clock) {
    Deadline on(Clock other) {
      return other == clock || deadline.isNever()
          ? deadline
          : new Deadline(other.nanoTime() + deadline.remainingNanos(clock));
    }
  }

  /** Set once any deadline was bound: until then, calls skip the lookup of the nearest. */
  private static volatile boolean used;

  private Deadlines() {}

  /**
   * Runs an operation whose calls must end within a time from now, and by the deadline of an
   * enclosing operation. The operation itself is not interrupted.
   *
   * @param time must be positive
   * @return what the operation returns
   * @throws IllegalArgumentException if the time is not positive
   * @throws X what the operation throws
   */
  public static <T extends @Nullable Object, X extends Throwable> T within(
      Duration time, Operation<? extends T, X> operation) throws X {
    return within(time, Clock.system(), operation);
  }

  /** As {@link #within(Duration, Operation)}, by a clock, such as a simulated one. */
  public static <T extends @Nullable Object, X extends Throwable> T within(
      Duration time, Clock clock, Operation<? extends T, X> operation) throws X {
    if (!time.isPositive()) {
      throw new IllegalArgumentException(
          "the time to a deadline must be positive, but was " + time);
    }
    return inherit(Deadline.after(time, clock).earlier(current(clock)), clock, operation);
  }

  /** Runs an operation whose calls inherit a deadline, not after the one that applies already. */
  static <T extends @Nullable Object, X extends Throwable> T inherit(
      Deadline deadline, Clock clock, Operation<? extends T, X> operation) throws X {
    used = true;
    return NearestDeadline.during(new Bound(deadline, clock), operation);
  }

  /** The deadline that calls made now on this thread inherit, on the scale of a clock. */
  static Deadline current(Clock clock) {
    Bound nearest = used ? NearestDeadline.get() : null;
    return nearest == null ? Deadline.never() : nearest.on(clock);
  }
}
