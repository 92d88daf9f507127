package heddle.transport;

import heddle.transport.time.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs what peers do wrong: at DEBUG, because it is no fault of this process, and only a few
 * records per second and place, because a peer could fill the log. Safe for use by many threads.
 */
public final class PeerLog {
  /** How many records one place writes per second. */
  public static final int MOST_PER_SECOND = 10;

  private static final long SECOND = 1_000_000_000;

  private final Logger logger;
  private final Clock clock;

  // When the present second began, how many records there were to write in it, and how many of the
  // second before were left out.
  private final AtomicLong begun;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger omitted = new AtomicInteger();

  /** A log of the class that writes to it. */
  public static PeerLog of(Class<?> owner) {
    return new PeerLog(System.getLogger(owner.getName()), Clock.system());
  }

  PeerLog(Logger logger, Clock clock) {
    this.logger = logger;
    this.clock = clock;
    this.begun = new AtomicLong(clock.nanoTime());
  }

  /** Logs one event, unless this second had too many; the next record says how many. */
  public void log(Supplier<String> message, @Nullable Throwable cause) {
    long now = clock.nanoTime();
    long since = begun.get();
    if (now - since >= SECOND && begun.compareAndSet(since, now)) {
      omitted.set(Math.max(0, count.getAndSet(0) - MOST_PER_SECOND));
    }
    if (count.getAndIncrement() < MOST_PER_SECOND) {
      SafeLog.log(logger, Level.DEBUG, "", new Entry(message, omitted.getAndSet(0)), cause);
    }
  }

  /** Makes its text only if it is written. */
  private record Entry(Supplier<String> message, int omitted) {
    @Override
    public String toString() {
      return omitted == 0
          ? message.get()
          : message.get() + " (" + omitted + " more were not logged)";
    }
  }
}
