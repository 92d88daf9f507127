package heddle.testkit;

import heddle.transport.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** The clock of a simulated world: the machine's own, or one that only the loop moves. */
final class SimClock implements Clock {
  private final boolean virtual;

  /** Virtual mode only; written by the loop alone. */
  private volatile long now;

  /** The error of the time of day. */
  private final AtomicLong dayOffMillis = new AtomicLong();

  /** A hash of all that was delivered so far, and when. Written under the world's lock. */
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

  /** Of a virtual clock it starts at the epoch. */
  @Override
  public long epochMillis() {
    return virtual ? now / 1_000_000 + dayOffMillis.get() : Clock.system().epochMillis();
  }

  /** Moves the time of day alone. */
  void moveDay(long millis) {
    dayOffMillis.addAndGet(millis);
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
