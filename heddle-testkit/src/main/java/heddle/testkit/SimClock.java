package heddle.testkit;

import heddle.transport.Clock;

/** The clock of a simulated world: the machine's own, or one that only the loop moves. */
final class SimClock implements Clock {
  private final boolean virtual;

  /** Virtual mode only; written by the loop alone. */
  private volatile long now;

  /** Written under the world's lock: stands for all that was delivered so far, and when. */
  private volatile long history;

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

  /** Notes that something was delivered; under the world's lock. */
  void note(long what) {
    history = history * 0x5851F42D4C957F2DL + nanoTime() * 31 + what;
  }

  long history() {
    return history;
  }

  void advanceTo(long nanos) {
    now = Math.max(now, nanos);
  }
}
