package heddle.client;

import heddle.transport.Clock;
import heddle.transport.Deadline;
import java.time.Duration;

/**
 * Deadlines that calls inherit from what they are a part of: each call takes the nearer of its own
 * and the one it is made within.
 *
 * <pre>{@code
 * String page = Deadlines.within(Duration.ofSeconds(2), () -> {
 *   String user = client.send(Request.get(users)).string();
 *   return client.send(Request.get(orders + user)).string();
 * });
 * }</pre>
 *
 * <p>A deadline holds for the calling thread, for {@link HttpClient#sendAsync} from it, and for the
 * forks of a {@code StructuredTaskScope} that is opened within; not for other threads that are
 * started. What {@linkplain HttpClient.Builder#interceptor interceptors} call is held to the
 * deadline of the call that they are steps of.
 */
public final class Deadlines {
  /** A deadline, and the clock on whose scale it is. */
  private record Bound(Deadline deadline, Clock clock) {
    Deadline on(Clock other) {
      if (other == clock || deadline.isNever()) {
        return deadline;
      }
      return new Deadline(other.nanoTime() + deadline.remainingNanos(clock));
    }
  }

  private static final ScopedValue<Bound> NEAREST = ScopedValue.newInstance();

  /** Set for good once a deadline was bound: spares those who never do so the look. */
  private static volatile boolean used;

  private Deadlines() {}

  /**
   * Runs an operation whose calls must end within a time from now. Where such a time holds already,
   * the nearer of the two does. Only calls of clients end: the operation itself is not interrupted.
   *
   * @param time more than zero
   * @return what the operation returns
   * @throws IllegalArgumentException if the time is zero or negative
   * @throws X what the operation throws
   */
  public static <T, X extends Throwable> T within(
      Duration time, ScopedValue.CallableOp<? extends T, X> operation) throws X {
    return within(time, Clock.system(), operation);
  }

  /**
   * As {@link #within(Duration, ScopedValue.CallableOp)}, with another clock than the system's,
   * such as that of a network in virtual time.
   */
  public static <T, X extends Throwable> T within(
      Duration time, Clock clock, ScopedValue.CallableOp<? extends T, X> operation) throws X {
    if (!time.isPositive()) {
      throw new IllegalArgumentException(
          "a deadline must be more than nothing away, but is " + time);
    }
    return inherit(Deadline.after(time, clock).earlier(current(clock)), clock, operation);
  }

  /** Runs an operation whose calls inherit a deadline, not after one that holds already. */
  static <T, X extends Throwable> T inherit(
      Deadline deadline, Clock clock, ScopedValue.CallableOp<? extends T, X> operation) throws X {
    used = true;
    return ScopedValue.where(NEAREST, new Bound(deadline, clock)).call(operation);
  }

  /** The deadline that calls made now on this thread inherit, on the scale of a clock. */
  static Deadline current(Clock clock) {
    return used && NEAREST.isBound() ? NEAREST.get().on(clock) : Deadline.never();
  }
}
