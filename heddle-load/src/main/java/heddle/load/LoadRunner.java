package heddle.load;

import heddle.bench.driver.Driver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.Profile;
import heddle.load.record.FailureClassifier;

/**
 * Runs a load with one client under test.
 *
 * <pre>{@code
 * LoadPlan plan = new LoadPlan(uri, new Pace.Closed(64), new Extent.Requests(10_000));
 * LoadReport report = new LoadRunner(new HeddleDriver()).run(plan, LoadListener.NONE);
 * }</pre>
 *
 * <p>A runner starts its driver, runs one plan, and closes the driver. It is used once. To load a
 * service rather than compare clients, use {@link Load}.
 */
public final class LoadRunner {

  private final Driver driver;
  private final Profile profile;
  private final FailureClassifier classifier;

  /** Creates a runner that raises the client's limits to the load. */
  public LoadRunner(Driver driver) {
    this(driver, Profile.TUNED);
  }

  /** Creates a runner that configures the client with a profile. */
  public LoadRunner(Driver driver, Profile profile) {
    this(driver, profile, FailureClassifier.ofAnyClient());
  }

  /** Creates a runner with a classifier of failures. */
  public LoadRunner(Driver driver, Profile profile, FailureClassifier classifier) {
    this.driver = driver;
    this.profile = profile;
    this.classifier = classifier;
  }

  /**
   * Runs the plan to its end on the calling thread.
   *
   * @throws InterruptedException if the thread is interrupted; the load then ends at once
   * @throws Exception if the client cannot start; failed requests are counted, never thrown
   */
  public LoadReport run(LoadPlan plan, LoadListener listener) throws Exception {
    try (driver) {
      return runAndStayOpen(plan, listener);
    }
  }

  /**
   * The same, but the caller must close the driver, which may take long if requests are in
   * progress.
   */
  public LoadReport runAndStayOpen(LoadPlan plan, LoadListener listener) throws Exception {
    driver.start(new DriverConfig(plan.uri(), plan.wire(), profile));
    return run(Prepared.of(driver, plan.request()), plan, classifier, listener);
  }

  /** Runs a plan with an open client. */
  static LoadReport run(
      Prepared prepared, LoadPlan plan, FailureClassifier classifier, LoadListener listener)
      throws InterruptedException {
    return Load.of(prepared)
        .shape(plan.shape())
        .expectedLength(plan.request().expectedLength())
        .classifier(classifier)
        .listener(listener)
        .measuringTheClient()
        .run();
  }
}
