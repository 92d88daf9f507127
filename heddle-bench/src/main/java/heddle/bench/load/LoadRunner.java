package heddle.bench.load;

import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.Profile;
import java.time.Duration;

/**
 * Runs a load with one client.
 *
 * <pre>{@code
 * LoadPlan plan = new LoadPlan(uri, new Pace.Closed(64), new Extent.Requests(10_000));
 * LoadReport report = new LoadRunner(new HeddleDriver()).run(plan, LoadListener.NONE);
 * }</pre>
 *
 * <p>A runner starts its driver, runs one plan, and closes the driver. It is used once.
 */
public final class LoadRunner {

  private static final long TICK_MILLIS = 250;

  /** Between the first answers of the callers that are measured and the first that counts. */
  private static final Duration SETTLE = Duration.ofMillis(100);

  /** How long an open load waits for answers after its last request was sent. */
  private static final long OPEN_GRACE_MILLIS = 60_000;

  private final Driver driver;
  private final Profile profile;

  /** A runner that raises the client's limits to the load. */
  public LoadRunner(Driver driver) {
    this(driver, Profile.TUNED);
  }

  /** A runner that sets the client up as {@code profile} says. */
  public LoadRunner(Driver driver, Profile profile) {
    this.driver = driver;
    this.profile = profile;
  }

  /**
   * Runs the plan to its end on the calling thread.
   *
   * @throws InterruptedException when the thread is interrupted; the load then ends at once
   * @throws Exception when the client cannot start; failed requests are counted, never thrown
   */
  public LoadReport run(LoadPlan plan, LoadListener listener) throws Exception {
    return switch (plan.pace()) {
      case Pace.Closed _ -> runClosed(plan, listener);
      case Pace.Open open -> {
        driver.start(new DriverConfig(plan.uri(), plan.wire(), profile));
        try (driver) {
          yield runOpen(plan, open, listener);
        }
      }
    };
  }

  private LoadReport runClosed(LoadPlan plan, LoadListener listener) throws Exception {
    try (ClosedSession session = ClosedSession.open(driver, profile, plan)) {
      if (plan.warmUp().isZero()) {
        return session.measureAtOnce(plan, listener);
      }
      session.warmUp(plan.warmUp(), plan.warmUp(), () -> true);
      return session.measure(plan, SETTLE, listener);
    }
  }

  private LoadReport runOpen(LoadPlan plan, Pace.Open pace, LoadListener listener)
      throws Exception {
    Tally tally = new Tally(plan.request());
    OpenLoad load = new OpenLoad(tally, new Schedule(pace, plan.extent(), plan.warmUp()));
    Ticker ticker = new Ticker(plan.extent(), tally, listener);
    load.start(driver, plan.request());
    try {
      load.awaitWarm();
      listener.measuring();
      ticker.restart();
      long deadline = System.nanoTime() + plannedMillis(plan, pace) * 1_000_000;
      while (!load.awaitEnd(TICK_MILLIS) && System.nanoTime() < deadline) {
        ticker.tick();
      }
      Duration duration = ticker.elapsed();
      listener.measured();
      for (long i = load.unfinished(); i > 0; i--) {
        tally.failed("Unanswered", "no answer 60 s after the last request");
      }
      double interval = 1 / pace.requestsPerSecond();
      double sending = (load.lastSendNanos() - plan.warmUp().toNanos()) / 1e9 + interval;
      return LoadReport.of(plan, duration, tally, Math.max(sending, load.sent() * interval));
    } finally {
      load.stop();
    }
  }

  private static long plannedMillis(LoadPlan plan, Pace.Open pace) {
    long sending =
        switch (plan.extent()) {
          case Extent.Requests(long count) -> (long) (1000 * count / pace.requestsPerSecond());
          case Extent.Lasting(Duration lasting) -> lasting.toMillis();
        };
    return sending + OPEN_GRACE_MILLIS;
  }
}
