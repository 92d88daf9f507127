package heddle.bench.load;

import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client under a closed load that is measured more than once: its connections stay from the
 * warm-up to the last window, while the callers are fresh in each. A virtual thread that began when
 * the code below it was interpreted carries those frames for as long as it lives, and each of its
 * parks costs more than it would in a program that is warm.
 *
 * <p>Used by one thread. {@link #close} closes the client.
 */
public final class ClosedSession implements AutoCloseable {

  private static final long TICK_MILLIS = 250;

  /** How long the callers of a window may take to their first answers: handshakes included. */
  private static final long FIRST_ANSWERS_MILLIS = 10_000;

  /** How long the end of a load waits for requests that are still on their way. */
  private static final long GRACE_MILLIS = 10_000;

  /** How long an order to measure may take beyond its window, when nothing is answered. */
  public static final Duration LONGEST_WAIT =
      Duration.ofMillis(FIRST_ANSWERS_MILLIS + 2 * GRACE_MILLIS);

  /**
   * Callers of a warm-up change after so many requests, so that the code by which a caller begins
   * is compiled too.
   */
  private static final long WARM_UP_SHIFT = 8;

  /** Until what a slow reader leaves unread has filled the windows. */
  private static final Duration FILLING = Duration.ofMillis(300);

  private static final Duration WARM_UP_SETTLE = Duration.ofMillis(30);
  private static final Extent WARM_UP_WINDOW = new Extent.Lasting(Duration.ofMillis(170));

  private final Driver driver;
  private final LoadPlan plan;
  private final int callers;
  private final Prepared prepared;
  private @Nullable Prepared slow;

  private ClosedSession(Driver driver, LoadPlan plan, int callers, Prepared prepared) {
    this.driver = driver;
    this.plan = plan;
    this.callers = callers;
    this.prepared = prepared;
  }

  /**
   * Starts the client, and closes it again when it cannot make the request.
   *
   * @param plan what is sent, how and by how many callers; its times do not matter here
   * @throws Exception when the client cannot start
   */
  public static ClosedSession open(Driver driver, Profile profile, LoadPlan plan) throws Exception {
    if (!(plan.pace() instanceof Pace.Closed(int callers))) {
      throw new IllegalArgumentException("a session is for a closed load, not " + plan.pace());
    }
    driver.start(new DriverConfig(plan.uri(), plan.wire(), profile));
    boolean isOpen = false;
    try {
      Prepared prepared = Prepared.of(driver, plan.request());
      isOpen = true;
      return new ClosedSession(driver, plan, callers, prepared);
    } finally {
      if (!isOpen) {
        driver.close();
      }
    }
  }

  /** Whether this is the same load, its times aside. */
  public boolean serves(LoadPlan other) {
    return plan.request().equals(other.request())
        && plan.wire().equals(other.wire())
        && plan.pace().equals(other.pace());
  }

  /**
   * Runs short windows, alike to the one that will be measured, until nothing changes any more.
   *
   * @param least at least for so long
   * @param most and no window begins after so long
   * @param isQuiet asked after each window whether anything has changed
   */
  public Warmth warmUp(Duration least, Duration most, BooleanSupplier isQuiet)
      throws InterruptedException {
    long begin = System.nanoTime();
    boolean answered = false;
    @Nullable Throwable failure = null;
    while (true) {
      Run run = new Run(WARM_UP_WINDOW, WARM_UP_SHIFT, LoadListener.NONE);
      run.measure(WARM_UP_SETTLE);
      answered |= run.load.isAnswered();
      failure = run.load.failure() == null ? failure : run.load.failure();
      boolean quiet = isQuiet.getAsBoolean();
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      if (took.compareTo(most) >= 0 || (quiet && took.compareTo(least) >= 0)) {
        return new Warmth(took, quiet, answered, failure == null ? "" : Tally.text(failure));
      }
    }
  }

  /**
   * Measures a window with fresh callers. It begins when each of them has had an answer, and a
   * little later.
   *
   * @param window says how long it goes on
   * @param settle how much later
   */
  public LoadReport measure(LoadPlan window, Duration settle, LoadListener listener)
      throws InterruptedException {
    Run run = new Run(window.extent(), Long.MAX_VALUE, listener);
    Duration duration = run.measure(settle);
    return run.report(window, duration);
  }

  /**
   * The same, while one more caller reads a large answer slowly with the same client. Where it
   * cannot, that is counted as an error.
   *
   * @param large its request: the same in each window of a session
   * @throws IllegalStateException when the client is not read from by its callers
   */
  public LoadReport measureBeside(
      DriverRequest large, LoadPlan window, Duration settle, LoadListener listener)
      throws Exception {
    Prepared made = slow == null ? Prepared.of(driver, large) : slow;
    slow = made;
    if (!(made instanceof Prepared.Blocking(Exchange exchange))) {
      throw new IllegalStateException("a client without a blocking API has no slow reader");
    }
    Run run = new Run(window.extent(), Long.MAX_VALUE, listener);
    try (SlowReader reader = new SlowReader(exchange)) {
      boolean isReading = reader.awaitReading(FIRST_ANSWERS_MILLIS);
      Duration duration = run.measure(settle.plus(FILLING));
      Throwable failure = reader.failure();
      if (failure != null) {
        run.tally.failed(failure);
      } else if (!isReading) {
        run.tally.failed("Unanswered", "the slow reader had no answer");
      }
      return run.report(window, duration);
    }
  }

  /** The same, but all counts from the first request on: so many requests, and not one more. */
  LoadReport measureAtOnce(LoadPlan window, LoadListener listener) throws InterruptedException {
    Run run = new Run(window.extent(), Long.MAX_VALUE, listener);
    run.startMeasuring();
    return run.report(window, run.measure(null));
  }

  /** Closes the client. */
  @Override
  public void close() throws IOException {
    driver.close();
  }

  /** One window, from its first caller to its last. */
  private final class Run {

    private final Gate gate;
    private final Tally tally = new Tally(plan.request());
    private final LoadListener listener;
    private final Ticker ticker;
    private final ClosedLoad load;

    Run(Extent extent, long shift, LoadListener listener) {
      this.gate = new Gate(extent);
      this.listener = listener;
      this.ticker = new Ticker(extent, tally, listener);
      this.load = new ClosedLoad(prepared, tally, gate, callers, shift);
    }

    void startMeasuring() {
      listener.measuring();
      ticker.restart();
      gate.startMeasuring();
    }

    /** How long the window lasted; it has begun already where nothing is to settle. */
    Duration measure(@Nullable Duration settle) throws InterruptedException {
      load.start();
      try {
        if (settle != null) {
          noteUnanswered(load.awaitReady(FIRST_ANSWERS_MILLIS));
          Thread.sleep(settle);
          startMeasuring();
        }
        long left = ticker.millisLeft();
        while (left > 0 && !load.awaitEnd(Math.min(left, TICK_MILLIS))) {
          ticker.tick();
          left = ticker.millisLeft();
        }
        gate.stop();
        Duration duration = ticker.elapsed();
        listener.measured();
        endCallers();
        return duration;
      } finally {
        gate.stop();
        load.interrupt();
      }
    }

    private void noteUnanswered(long count) {
      if (count > 0) {
        Throwable failure = load.failure();
        String cause = failure == null ? "" : "; one that failed: " + Tally.text(failure);
        for (long i = count; i > 0; i--) {
          tally.failed(
              "Unanswered",
              count + " of " + callers + " callers had no answer for " + FIRST_ANSWERS_MILLIS / 1000
                  + " s" + cause);
        }
      }
    }

    private void endCallers() throws InterruptedException {
      if (!load.awaitEnd(GRACE_MILLIS)) {
        load.interrupt();
        if (!load.awaitEnd(GRACE_MILLIS)) {
          tally.failed("Unanswered", "callers still waited 20 s after the end of the load");
        }
      }
    }

    LoadReport report(LoadPlan window, Duration duration) {
      if (tally.answeredCount() == 0 && tally.failedCount() == 0) {
        Throwable failure = load.failure();
        if (failure != null) {
          // It failed before the window began, and would go unseen.
          tally.failed(failure);
        }
      }
      return LoadReport.of(window, duration, tally, duration.toNanos() / 1e9);
    }
  }
}
