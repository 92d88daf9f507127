package heddle.testkit;

import heddle.transport.Clock;

/** The clock of a simulated world: the machine's own, or one that only the loop moves. */
final class SimClock implements Clock {
  private final boolean virtual;

  /** Virtual mode only; written by the loop alone. */
  private volatile long now;

  SimClock(boolean virtual) {
    this.virtual = virtual;
  }

  boolean isVirtual() {
    return virtual;
  }

  @Override
  public long nanoTime() {
    return virtual ? now : Clock.system().nanoTime();
  }

  void advanceTo(long nanos) {
    now = Math.max(now, nanos);
  }
}
