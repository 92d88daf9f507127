package heddle.bench.load;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.record.FailureClassifier;
import heddle.bench.record.IntervalLog;
import heddle.bench.record.Validity;
import heddle.bench.schedule.RateCurve;
import heddle.bench.schedule.Segment;
import heddle.bench.schedule.Strand;
import heddle.bench.schedule.Think;
import heddle.bench.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A load on anything that a program can call: the requests of a client, or code of its own.
 *
 * <pre>{@code
 * LoadReport report = Load.of(() -> {
 *       try (Response response = client.send(request)) {
 *         return new Answer(response.status().code(), response.bytes().length);
 *       }
 *     })
 *     .rate(500)
 *     .poisson()
 *     .warmUp(Duration.ofSeconds(5))
 *     .lasting(Duration.ofSeconds(30))
 *     .run();
 * if (report.isValid()) {
 *   System.out.println(report.latency().p99() + " µs");
 * }
 * }</pre>
 *
 * <p>An open load ({@link #rate}) sends when its schedule says so, whatever becomes of earlier
 * requests, and counts the response time from there: a target that stands still is charged for all
 * who would have come meanwhile. A closed load ({@link #callers}) sends when its callers have had
 * their answers, and so never sees more than one late answer for each caller; it shows how much a
 * target can do, not how long others wait for it.
 *
 * <p>Described and run by one thread, once; {@link #stop} may be called by any. What is recorded
 * takes the same memory however long the load goes on.
 */
public final class Load {

  private static final int DEFAULT_CALLERS = 64;
  private static final Duration LOOK_AT_CLOCK = Duration.ofMillis(100);

  private final Prepared prepared;
  private Pace pace = new Pace.Closed(DEFAULT_CALLERS);
  private @Nullable Extent extent;
  private Duration warmUp = Duration.ZERO;
  private Strand strand = Strand.VIRTUAL;
  private Segment segment = Segment.WHOLE;
  private @Nullable Instant startAt;
  private LoadListener listener = LoadListener.NONE;
  private FailureClassifier classifier = FailureClassifier.ofAnyClient();
  private Validity validity = Validity.DEFAULT;
  private long expectedLength = -1;
  private Duration patience = Duration.ofSeconds(60);
  private Timing timing = Timing.system();
  private @Nullable IntervalLog log;
  private volatile boolean stopped;

  private Load(Prepared prepared) {
    this.prepared = prepared;
  }

  static Load of(Prepared prepared) {
    return new Load(prepared);
  }

  /** A load on code that blocks; called by many threads at once. */
  public static Load of(Exchange exchange) {
    return new Load(new Prepared.Blocking(exchange));
  }

  /** A load on code that answers later; called by many threads at once. */
  public static Load ofAsync(AsyncExchange exchange) {
    return new Load(new Prepared.Async(exchange));
  }

  /** When requests are sent; 64 callers by default. */
  public Load pace(Pace newPace) {
    pace = newPace;
    return this;
  }

  /** A closed load of so many callers that do not pause. */
  public Load callers(int count) {
    return pace(new Pace.Closed(count));
  }

  /** A closed load of so many callers that pause after each answer. */
  public Load callers(int count, Think think) {
    return pace(new Pace.Closed(count, think));
  }

  /** An open load of so many requests a second, evenly spread. */
  public Load rate(double requestsPerSecond) {
    return rate(RateCurve.constant(requestsPerSecond));
  }

  /** An open load at a rate that changes. */
  public Load rate(RateCurve curve) {
    return pace(new Pace.Open(
        curve,
        Pace.Arrivals.CONSTANT,
        Pace.Open.DEFAULT_SEED,
        Pace.Open.DEFAULT_MAX_IN_FLIGHT,
        Pace.Open.DEFAULT_MAX_IN_FLIGHT));
  }

  /**
   * Lets the requests of the open load described so far come at random, as people do, and the same
   * in every run.
   *
   * @throws IllegalStateException when it is no open load
   */
  public Load poisson() {
    Pace.Open open = open();
    return pace(new Pace.Open(
        open.rate(), Pace.Arrivals.POISSON, open.seed(), open.inFlight(), open.maxInFlight()));
  }

  /**
   * How many requests of the open load described so far may have begun and not ended; more are
   * dropped and counted. 100,000 by default.
   *
   * @throws IllegalStateException when it is no open load
   */
  public Load maxInFlight(int count) {
    Pace.Open open = open();
    return pace(new Pace.Open(open.rate(), open.arrivals(), open.seed(), count, count));
  }

  private Pace.Open open() {
    if (pace instanceof Pace.Open open) {
      return open;
    }
    throw new IllegalStateException("this is for an open load: call rate first");
  }

  /** So many requests at once, again and again. */
  public Load batches(int size) {
    return pace(new Pace.Batch(size));
  }

  /** So many requests at once, held until the time is up. */
  public Load held(int count) {
    return pace(new Pace.Held(count));
  }

  /** Until so many requests were sent. */
  public Load requests(long count) {
    extent = new Extent.Requests(count);
    return this;
  }

  /** For so long. */
  public Load lasting(Duration duration) {
    extent = new Extent.Lasting(duration);
    return this;
  }

  /** Runs the load so long before anything counts; not at all by default. */
  public Load warmUp(Duration time) {
    warmUp = time;
    return this;
  }

  /** What carries requests that block; virtual threads by default. */
  public Load strand(Strand newStrand) {
    strand = newStrand;
    return this;
  }

  /**
   * Which share of the load this process makes, where others make the rest; all of it by default.
   * Everything else is said of the whole load.
   */
  public Load segment(Segment share) {
    segment = share;
    return this;
  }

  /**
   * Begins, warm-up included, at this time by the clock of the machine, so that several processes
   * begin together; at once where it has passed, and by default.
   */
  public Load startAt(Instant time) {
    startAt = time;
    return this;
  }

  /** All of these at once. */
  public Load shape(LoadShape shape) {
    pace = shape.pace();
    extent = shape.extent();
    warmUp = shape.warmUp();
    strand = shape.strand();
    segment = shape.segment();
    return this;
  }

  /** How many bytes of content a good answer has; any number by default. */
  public Load expectedLength(long bytes) {
    expectedLength = bytes;
    return this;
  }

  /** Who follows the load; on the thread that runs it. */
  public Load listener(LoadListener newListener) {
    listener = newListener;
    return this;
  }

  /** Who names failures, where the client tells more than the JDK's exceptions do. */
  public Load classifier(FailureClassifier newClassifier) {
    classifier = newClassifier;
    return this;
  }

  /**
   * Also writes an interval log, a line a second each for {@code response}, {@code service} and
   * {@code lag}. The caller closes it.
   */
  public Load intervalLog(IntervalLog newLog) {
    log = newLog;
    return this;
  }

  /** How late a request in a hundred may be sent before the figures are in doubt; 10 ms. */
  public Load maxLag(Duration lag) {
    validity = new Validity(lag);
    return this;
  }

  /**
   * How long an open load or a batch waits for answers to its last requests, and for how long a
   * load of so many requests goes on when none is answered; 60 s by default.
   */
  public Load patience(Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException("patience must be above zero, not " + time);
    }
    patience = time;
    return this;
  }

  /** The time of a simulated world, for tests. */
  Load timing(Timing newTiming) {
    timing = newTiming;
    return this;
  }

  /**
   * Runs the load to its end on the calling thread.
   *
   * @throws IllegalStateException when nobody said how long it is to go on
   * @throws IllegalArgumentException when its parts do not go together
   * @throws InterruptedException when the thread is interrupted; the load then ends at once
   */
  public LoadReport run() throws InterruptedException {
    if (extent == null) {
      throw new IllegalStateException("a load needs requests(n) or lasting(duration)");
    }
    LoadShape shape = new LoadShape(pace, extent, warmUp, strand, segment);
    boolean isLate = !(pace instanceof Pace.Closed || pace instanceof Pace.Held)
        || strand instanceof Strand.Pool;
    Tally tally = new Tally(expectedLength, classifier, isLate);
    if (!awaitStart()) {
      return LoadReport.of(shape, Instant.now(), Duration.ZERO, tally)
          .withCutShort("it was stopped before it began");
    }
    var run = new LoadRun(prepared, shape, tally, timing, patience, () -> stopped);
    return run.run(listener, validity, log);
  }

  /** Whether it was not stopped meanwhile. Asks the clock often: it may be set on the way. */
  private boolean awaitStart() throws InterruptedException {
    Instant time = startAt;
    while (time != null && !stopped) {
      Duration left = Duration.between(Instant.now(), time);
      if (!left.isPositive()) {
        return true;
      }
      Thread.sleep(left.compareTo(LOOK_AT_CLOCK) < 0 ? left : LOOK_AT_CLOCK);
    }
    return time == null || !stopped;
  }

  /**
   * Ends the load early; may be called by any thread. {@link #run} then returns what was measured
   * so far, as a report that is {@linkplain LoadReport#isPartial partial}.
   */
  public void stop() {
    stopped = true;
  }
}
