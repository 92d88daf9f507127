package heddle.client.call;

import heddle.client.jfr.FlightRecording;
import heddle.client.spi.ExchangeListener;
import heddle.transport.SafeLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The listeners of a client, and flight recordings. Safe for use by many threads. */
final class Observers {
  private static final Logger LOG = System.getLogger("heddle.client");

  private final ExchangeListener[] listeners;
  private final AtomicLong faults;

  Observers(List<ExchangeListener> listeners) {
    this(List.copyOf(listeners).toArray(ExchangeListener[]::new), new AtomicLong());
  }

  private Observers(ExchangeListener[] listeners, AtomicLong faults) {
    this.listeners = listeners;
    this.faults = faults;
  }

  /** These and one more listener, for one call. */
  Observers and(ExchangeListener listener) {
    ExchangeListener[] all = Arrays.copyOf(listeners, listeners.length + 1);
    all[listeners.length] = listener;
    return new Observers(all, faults);
  }

  /** Whether a listener or a recording wants to know of a call that begins now. */
  boolean lookAtCalls() {
    return listeners.length > 0 || FlightRecording.wantsCalls();
  }

  /** Whether a listener or a recording wants to know of a connection that is opened now. */
  boolean lookAtConnections() {
    return listeners.length > 0 || FlightRecording.wantsConnections();
  }

  /** Calls all listeners, one after the other. Does not throw. */
  void tell(Consumer<ExchangeListener> news) {
    for (ExchangeListener listener : listeners) {
      guard(listener, () -> news.accept(listener));
    }
  }

  /** Runs a method of a user's object; what it throws is caught and logged. */
  void guard(Object owner, Runnable code) {
    try {
      code.run();
    } catch (Throwable e) {
      fault(owner, e);
    }
  }

  /** A user's object has thrown: the first time it is logged, and then ever more rarely. */
  void fault(Object owner, Throwable e) {
    long count = faults.incrementAndGet();
    if (Long.bitCount(count) == 1) {
      SafeLog.log(LOG, Level.WARNING, "", new Fault(owner, count), e);
    }
  }

  /** Makes its text only if it is written. */
  private record Fault(Object owner, long count) {
    @Override
    public String toString() {
      return "%s threw; this was exception %d of this client's listeners and policies, which are"
              .formatted(owner.getClass().getName(), count)
          + " logged ever more rarely and have no effect on calls";
    }
  }
}
