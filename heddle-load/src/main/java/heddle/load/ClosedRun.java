package heddle.load;

import heddle.load.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One window of a closed load, from its first caller to its last. Used by one thread, once. */
final class ClosedRun {

  private static final long TICK_MILLIS = 250;

  /** How long the callers of a window may take to get their first answers, handshakes included. */
  static final long FIRST_ANSWERS_MILLIS = 10_000;

  /** How long the end of a load waits for requests in flight. */
  static final long GRACE_MILLIS = 10_000;

  /**
   * Callers of a warm-up are replaced after this many requests, so that the code that starts a
   * caller is compiled too.
   */
  private static final long WARM_UP_SHIFT = 8;

  private static final Duration WARM_UP_SETTLE = Duration.ofMillis(30);
  private static final Extent WARM_UP_WINDOW = new Extent.Lasting(Duration.ofMillis(170));

  private final Gate gate;
  private final Tally tally;
  private final LoadListener listener;
  private final Stop stop;
  private final Ticker ticker;
  private final ClosedLoad load;
  private final int callers;
  private final boolean isLasting;
  private boolean gaveUp;

  /**
   * When a window ends before its extent.
   *
   * @param asked polled a few times a second
   * @param patienceNanos the longest time without an answer
   * @param firstMillis how long the callers may take to get their first answers
   * @param graceMillis how long to wait for requests in flight at the end
   */
  record Stop(BooleanSupplier asked, long patienceNanos, long firstMillis, long graceMillis) {
    /** Never before its extent. */
    static final Stop NEVER =
        new Stop(() -> false, Long.MAX_VALUE, FIRST_ANSWERS_MILLIS, GRACE_MILLIS);
  }

  private ClosedRun(
      Prepared prepared,
      LoadShape shape,
      Tally tally,
      long shift,
      LoadListener listener,
      Stop stop) {
    if (!(shape.ownPace() instanceof Pace.Closed pace)) {
      throw new IllegalArgumentException("this is for a closed load, not " + shape.pace());
    }
    this.gate = new Gate(shape.ownExtent());
    this.tally = tally;
    this.listener = listener;
    this.stop = stop;
    this.callers = pace.callers();
    // If the extent is a number of requests, interrupted ones count as failures.
    this.isLasting = shape.extent() instanceof Extent.Lasting;
    this.load = new ClosedLoad(prepared, shape, pace, tally, gate, shift);
    this.ticker = new Ticker(Timing.system(), shape.ownExtent(), tally, listener, load::inFlight);
  }

  /** Creates a measured window. */
  static ClosedRun measured(
      Prepared prepared, LoadShape shape, Tally tally, LoadListener listener, Stop stop) {
    return new ClosedRun(prepared, shape, tally, Long.MAX_VALUE, listener, stop);
  }

  /**
   * Runs short windows like the one that will be measured until the code is warm.
   *
   * @param least the shortest time
   * @param most no window begins after this time
   * @param rest asked after each window whether the compilers are idle
   */
  static Warmth warmUp(
      Function<LoadShape, ClosedRun> windows,
      LoadShape shape,
      Duration least,
      Duration most,
      Warmth.Rest rest)
      throws InterruptedException {
    LoadShape window = shape.window(WARM_UP_WINDOW);
    long begin = System.nanoTime();
    boolean answered = false;
    @Nullable Throwable failure = null;
    while (true) {
      ClosedRun run = windows.apply(window);
      run.measure(WARM_UP_SETTLE);
      answered |= run.load.isAnswered();
      failure = run.load.failure() == null ? failure : run.load.failure();
      boolean quiet = rest.isAtRest() || run.stop.asked().getAsBoolean();
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      if (took.compareTo(most) >= 0 || (quiet && took.compareTo(least) >= 0)) {
        return new Warmth(took, quiet, answered, failure == null ? "" : Tally.text(failure));
      }
    }
  }

  /** Creates a window of a warm-up. */
  static ClosedRun warming(Prepared prepared, LoadShape window, Tally tally, Stop stop) {
    return new ClosedRun(prepared, window, tally, WARM_UP_SHIFT, LoadListener.NONE, stop);
  }

  /** Measures from the first request on, if the extent is an exact number of requests. */
  Duration measureAtOnce() throws InterruptedException {
    startMeasuring();
    return measure(null);
  }

  private void startMeasuring() {
    listener.measuring();
    ticker.restart();
    gate.startMeasuring();
  }

  /**
   * Measures the window and returns how long it lasted. With {@code settle} null it has already
   * begun.
   */
  Duration measure(@Nullable Duration settle) throws InterruptedException {
    load.start();
    try {
      if (settle != null) {
        noteUnanswered(awaitReady());
        Thread.sleep(settle);
        startMeasuring();
      }
      long left = ticker.millisLeft();
      while (left > 0 && !load.awaitEnd(Math.min(left, TICK_MILLIS)) && !isToStop()) {
        ticker.tick();
        left = ticker.millisLeft();
      }
      gate.stop();
      Duration duration = ticker.elapsed();
      ticker.tick();
      listener.measured();
      endCallers();
      noteEarlierFailure();
      return duration;
    } finally {
      gate.stop();
      load.interrupt();
    }
  }

  /** When the measurement began, by the clock of the machine. */
  Instant began() {
    return ticker.began();
  }

  private boolean isToStop() {
    gaveUp = ticker.nanosSinceAnswer() > stop.patienceNanos();
    return gaveUp || stop.asked().getAsBoolean();
  }

  /** Whether it ended because no more answers came. */
  boolean gaveUp() {
    return gaveUp;
  }

  /** The number of unfinished requests; may be called by any thread. */
  long inFlight() {
    return load.inFlight();
  }

  /** Returns how many callers had no first answer in time. */
  private long awaitReady() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stop.firstMillis());
    long left = load.awaitReady(Math.min(TICK_MILLIS, stop.firstMillis()));
    while (left > 0 && System.nanoTime() < end) {
      if (stop.asked().getAsBoolean()) {
        return 0;
      }
      left = load.awaitReady(TICK_MILLIS);
    }
    return left;
  }

  private void noteUnanswered(long count) {
    if (count > 0) {
      Throwable failure = load.failure();
      String cause = failure == null ? "" : "; one that failed: " + Tally.text(failure);
      tally.unanswered(
          count,
          count + " of " + callers + " callers had no answer for " + stop.firstMillis() / 1e3 + " s"
              + cause);
    }
  }

  private void endCallers() throws InterruptedException {
    if (!load.awaitEnd(stop.graceMillis())) {
      long waiting = load.running();
      load.interrupt();
      if (isLasting) {
        tally.unanswered(
            waiting, "no answer when the load was over, nor " + stop.graceMillis() + " ms later");
      }
      if (!load.awaitEnd(GRACE_MILLIS)) {
        tally.unanswered(1, "callers still waited after they were interrupted");
      }
    }
  }

  /** Records a failure from before the window, which would go unseen otherwise. */
  private void noteEarlierFailure() {
    Throwable failure = load.failure();
    if (failure != null && tally.answeredCount() == 0 && tally.failedCount() == 0) {
      tally.failed(failure);
    }
  }
}
