package heddle.bench.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import heddle.bench.record.FailureClassifier;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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

  /** How long an order to measure may take beyond its window, when nothing is answered. */
  public static final Duration LONGEST_WAIT =
      Duration.ofMillis(ClosedRun.FIRST_ANSWERS_MILLIS + 2 * ClosedRun.GRACE_MILLIS);

  /** Until what a slow reader leaves unread has filled the windows. */
  private static final Duration FILLING = Duration.ofMillis(300);

  private static final int PRETENDED_ANSWERS = 100;
  private static final int PRETENDED_STATUS = 200;

  private final Driver driver;
  private final LoadPlan plan;
  private final Prepared prepared;
  private final FailureClassifier classifier;
  private @Nullable Prepared slow;

  private ClosedSession(
      Driver driver, LoadPlan plan, Prepared prepared, FailureClassifier classifier) {
    this.driver = driver;
    this.plan = plan;
    this.prepared = prepared;
    this.classifier = classifier;
  }

  /**
   * Starts the client, and closes it again when it cannot make the request.
   *
   * @param plan what is sent, how and by how many callers; its times do not matter here
   * @throws Exception when the client cannot start
   */
  public static ClosedSession open(Driver driver, Profile profile, LoadPlan plan) throws Exception {
    return open(driver, profile, plan, FailureClassifier.ofAnyClient());
  }

  /** The same with one who names failures. */
  public static ClosedSession open(
      Driver driver, Profile profile, LoadPlan plan, FailureClassifier classifier)
      throws Exception {
    if (!(plan.pace() instanceof Pace.Closed)) {
      throw new IllegalArgumentException("a session is for a closed load, not " + plan.pace());
    }
    driver.start(new DriverConfig(plan.uri(), plan.wire(), profile));
    boolean isOpen = false;
    try {
      Prepared prepared = Prepared.of(driver, plan.request());
      isOpen = true;
      return new ClosedSession(driver, plan, prepared, classifier);
    } finally {
      if (!isOpen) {
        driver.close();
      }
    }
  }

  /** Whether this is the same load, its times aside. */
  public boolean serves(LoadPlan other) {
    return isConnectedFor(other)
        && plan.pace().equals(other.pace())
        && plan.strand().equals(other.strand());
  }

  /** Whether another load asks the same over the same connections, whatever its pace. */
  public boolean isConnectedFor(LoadPlan other) {
    return plan.request().equals(other.request()) && plan.wire().equals(other.wire());
  }

  /** Runs a load of another pace over the connections that there are. */
  public LoadReport runBeyond(LoadPlan other, LoadListener listener) throws InterruptedException {
    return LoadRunner.run(prepared, other, classifier, listener);
  }

  /**
   * Runs short windows, alike to the one that will be measured, until nothing changes any more.
   *
   * @param least at least for so long
   * @param most and no window begins after so long
   * @param rest asked after each window whether anything has changed
   */
  public Warmth warmUp(Duration least, Duration most, Warmth.Rest rest)
      throws InterruptedException {
    return ClosedRun.warmUp(
        window -> ClosedRun.warming(prepared, window, tally(), ClosedRun.Stop.NEVER),
        plan.shape(),
        least,
        most,
        rest);
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
    Tally tally = tally();
    ClosedRun run = run(window, tally, listener);
    Duration duration = run.measure(settle);
    return LoadReport.of(window.shape(), run.began(), duration, tally);
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
    Tally tally = tally();
    ClosedRun run = run(window, tally, listener);
    try (SlowReader reader = new SlowReader(exchange)) {
      boolean isReading = reader.awaitReading(ClosedRun.FIRST_ANSWERS_MILLIS);
      Duration duration = run.measure(settle.plus(FILLING));
      Throwable failure = reader.failure();
      if (failure != null) {
        tally.failed(failure);
      } else if (!isReading) {
        tally.unanswered(1, "the slow reader had no answer");
      }
      return LoadReport.of(window.shape(), run.began(), duration, tally);
    }
  }

  /**
   * Tells the listener of a window in which nothing is sent, and reports answers that never came.
   * What follows a load can so be tried without one.
   */
  public LoadReport pretend(LoadPlan window, LoadListener listener) {
    Tally tally = tally();
    Duration duration = Duration.ofMillis(PRETENDED_ANSWERS);
    listener.measuring();
    for (int i = 1; i <= PRETENDED_ANSWERS; i++) {
      long length = Math.max(0, plan.request().expectedLength());
      tally.answered(new Answer(PRETENDED_STATUS, length), Duration.ofMillis(i).toNanos());
    }
    listener.progress(new LoadProgress(duration, 1, PRETENDED_ANSWERS, 0, 0, 0, 0));
    listener.measured();
    return LoadReport.of(window.shape(), Instant.now(), duration, tally);
  }

  private ClosedRun run(LoadPlan window, Tally tally, LoadListener listener) {
    return ClosedRun.measured(prepared, window.shape(), tally, listener, ClosedRun.Stop.NEVER);
  }

  private Tally tally() {
    return new Tally(plan.request().expectedLength(), classifier, false);
  }

  /** Closes the client. */
  @Override
  public void close() throws IOException {
    driver.close();
  }
}
