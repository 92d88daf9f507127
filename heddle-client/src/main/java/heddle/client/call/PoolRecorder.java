package heddle.client.call;

import heddle.client.jfr.ClientEvents.PoolEvent;
import heddle.client.jfr.ClientEvents.PoolState;
import heddle.client.jfr.FlightRecording;
import heddle.client.pool.ConnectionPool;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Origin;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.FlightRecorder;

/**
 * Records the state of a pool periodically, as a flight recording asks for it. Begins with the
 * first call that finds the flight recorder in use; ends when this is closed or the pool garbage.
 */
final class PoolRecorder {
  private enum State {
    /** No call has found the flight recorder in use. */
    IDLE,
    RECORDING,
    CLOSED
  }

  private final WeakReference<ConnectionPool> pool;

  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

  /** Run by the flight recorder. */
  private final Runnable hook = this::record;

  PoolRecorder(ConnectionPool pool) {
    this.pool = new WeakReference<>(pool);
  }

  /** Starts recording if the flight recorder is in use; called when a call begins. */
  void lookForRecordings() {
    if (state.get() == State.IDLE
        && FlightRecording.isPossible()
        && state.compareAndSet(State.IDLE, State.RECORDING)) {
      FlightRecorder.addPeriodicEvent(PoolEvent.class, hook);
      if (state.get() == State.CLOSED) {
        FlightRecorder.removePeriodicEvent(hook); // close may have removed it before it was added
      }
    }
  }

  void close() {
    if (state.getAndSet(State.CLOSED) == State.RECORDING) {
      FlightRecorder.removePeriodicEvent(hook);
    }
  }

  /** On a thread of the flight recorder. */
  private void record() {
    ConnectionPool recorded = pool.get();
    if (recorded == null) {
      close();
      return;
    }
    for (RouteSnapshot held : recorded.snapshot().routes()) {
      PoolEvent event = new PoolEvent();
      event.draining = held.draining();
      describe(event, held.route().origin(), held);
      event.commit();
    }
  }

  static void describe(PoolState event, Origin origin, RouteSnapshot held) {
    event.origin = origin.toString();
    event.open = held.open();
    event.idle = held.idle();
    event.inUse = held.inUse();
    event.pending = held.pending();
    event.inFlight = held.inFlight();
    event.inFlightLimit = held.inFlightLimit();
    event.arrivalRate = held.arrivalRate();
    event.meanTimeInUse = held.meanTimeInUse().toNanos();
    event.neededInFlight = held.neededInFlight();
  }
}
