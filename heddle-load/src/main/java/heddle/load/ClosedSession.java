package heddle.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Profile;
import heddle.load.record.FailureClassifier;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A client under a closed load that is measured more than once: its connections stay open from the
 * warm-up to the last window, while each window has fresh callers. A virtual thread that was
 * started while its code was interpreted keeps those frames for its lifetime, and each of its parks
 * costs more than in a warm program.
 *
 * <p>Used by one thread. {@link #close} closes the client.
 */
public final class ClosedSession implements AutoCloseable {

  /** How long a measurement may take beyond its window if there are no answers. */
  public static final Duration LONGEST_WAIT =
      Duration.ofMillis(ClosedRun.FIRST_ANSWERS_MILLIS + 2 * ClosedRun.GRACE_MILLIS);

  /**
   * How long it takes until the unread content of a slow reader has filled the flow-control
   * windows.
   */
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
   * Starts the client, and closes it again if it cannot create the request.
   *
   * @param plan the load; its times are not used
   * @throws Exception if the client cannot start
   */
  public static ClosedSession open(Driver driver, Profile profile, LoadPlan plan) throws Exception {
    return open(driver, profile, plan, FailureClassifier.ofAnyClient());
  }

  /** The same with a classifier of failures. */
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

  /** Whether this is the same load, apart from its times. */
  public boolean serves(LoadPlan other) {
    return isConnectedFor(other)
        && plan.pace().equals(other.pace())
        && plan.strand().equals(other.strand());
  }

  /** Whether another load sends the same request over the same connections, at any pace. */
  public boolean isConnectedFor(LoadPlan other) {
    return plan.request().equals(other.request()) && plan.wire().equals(other.wire());
  }

  /** Runs a load of another pace over the existing connections. */
  public LoadReport runBeyond(LoadPlan other, LoadListener listener) throws InterruptedException {
    return LoadRunner.run(prepared, other, classifier, listener);
  }

  /**
   * Runs short windows like the one that will be measured until the code is warm.
   *
   * @param least the shortest time
   * @param most no window begins after this time
   * @param rest asked after each window whether the compilers are idle
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
   * Measures a window with fresh callers. It begins a little after each of them has had an answer.
   *
   * @param window the load, with the length of the window
   * @param settle how long after the first answers it begins
   */
  public LoadReport measure(LoadPlan window, Duration settle, LoadListener listener)
      throws InterruptedException {
    Tally tally = tally();
    ClosedRun run = run(window, tally, listener);
    Duration duration = run.measure(settle);
    return LoadReport.of(window.shape(), run.began(), duration, tally);
  }

  /**
   * The same, while an additional caller slowly reads a large answer with the same client. If that
   * fails, it counts as an error.
   *
   * @param large the request of the slow reader, the same in each window of a session
   * @throws IllegalStateException if the client has no blocking API
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
   * Notifies the listener of a window in which nothing is sent, and returns a report of unanswered
   * requests, so that the code that follows a load can run without one.
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
