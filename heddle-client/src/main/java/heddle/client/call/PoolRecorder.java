package heddle.client.call;

import heddle.client.jfr.ClientEvents.PoolEvent;
import heddle.client.jfr.FlightRecording;
import heddle.client.pool.ConnectionPool;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.FlightRecorder;

/**
 * Records the state of a pool periodically, as a flight recording asks for it. Begins with the
 * first call that finds the flight recorder in use; ends when closed or when the pool is garbage.
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
    } else {
      recorded.snapshot().routes().forEach(CallEvents::record);
    }
  }
}
