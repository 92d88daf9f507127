package heddle.load;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.load.record.FailureClassifier;
import heddle.load.record.IntervalLog;
import heddle.load.record.Validity;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import heddle.load.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A load on anything that a program can call: requests of a client, or any other code.
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
 * <p>An open load ({@link #rate}) sends each request at its scheduled time, no matter whether
 * earlier requests have ended, and measures the response time from the schedule: a stall of the
 * target shows in the response times of all requests that were due meanwhile. A closed load ({@link
 * #callers}) sends when its callers have had their answers, and therefore sees at most one late
 * answer per caller; it shows how much a target can do, not how long users wait for it.
 *
 * <p>Configured and run by one thread, once; {@link #stop} may be called by any thread. Recording
 * takes constant memory, no matter how long the load runs.
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
  private boolean measuresClient;
  private Timing timing = Timing.system();
  private @Nullable IntervalLog log;
  private volatile boolean stopped;

  private Load(Prepared prepared) {
    this.prepared = prepared;
  }

  static Load of(Prepared prepared) {
    return new Load(prepared);
  }

  /** Creates a load on blocking code, which many threads call at once. */
  public static Load of(Exchange exchange) {
    return new Load(new Prepared.Blocking(exchange));
  }

  /** Creates a load on asynchronous code, which many threads call at once. */
  public static Load ofAsync(AsyncExchange exchange) {
    return new Load(new Prepared.Async(exchange));
  }

  /** Sets when requests are sent; 64 callers by default. */
  public Load pace(Pace newPace) {
    pace = newPace;
    return this;
  }

  /** Makes it a closed load with this number of callers that do not pause. */
  public Load callers(int count) {
    return pace(new Pace.Closed(count));
  }

  /** Makes it a closed load with this number of callers that pause after each answer. */
  public Load callers(int count, Think think) {
    return pace(new Pace.Closed(count, think));
  }

  /** Makes it an open load with this rate, evenly spread. */
  public Load rate(double requestsPerSecond) {
    return rate(RateCurve.constant(requestsPerSecond));
  }

  /** Makes it an open load with a changing rate. */
  public Load rate(RateCurve curve) {
    return pace(new Pace.Open(
        curve,
        Pace.Arrivals.CONSTANT,
        Pace.Open.DEFAULT_SEED,
        Pace.Open.DEFAULT_MAX_IN_FLIGHT,
        Pace.Open.DEFAULT_MAX_IN_FLIGHT));
  }

  /**
   * Makes the requests of the open load arrive at random, like those of independent users; the
   * arrivals are the same in every run.
   *
   * @throws IllegalStateException if it is not an open load
   */
  public Load poisson() {
    Pace.Open open = open();
    return pace(new Pace.Open(
        open.rate(), Pace.Arrivals.POISSON, open.seed(), open.inFlight(), open.maxInFlight()));
  }

  /**
   * Sets how many unfinished requests the open load may have; further ones are dropped and counted.
   * 100,000 by default.
   *
   * @throws IllegalStateException if it is not an open load
   */
  public Load maxInFlight(int count) {
    Pace.Open open = open();
    return pace(new Pace.Open(open.rate(), open.arrivals(), open.seed(), count, count));
  }

  private Pace.Open open() {
    if (pace instanceof Pace.Open open) {
      return open;
    }
    throw new IllegalStateException("only an open load has this setting: call rate first");
  }

  /** Makes it a load of batches of this many concurrent requests. */
  public Load batches(int size) {
    return pace(new Pace.Batch(size));
  }

  /** Makes it a load that holds this many concurrent requests until the time is up. */
  public Load held(int count) {
    return pace(new Pace.Held(count));
  }

  /** Runs the load until this many requests were sent. */
  public Load requests(long count) {
    extent = new Extent.Requests(count);
    return this;
  }

  /** Runs the load for this long. */
  public Load lasting(Duration duration) {
    extent = new Extent.Lasting(duration);
    return this;
  }

  /** Sets the warm-up, during which nothing counts; none by default. */
  public Load warmUp(Duration time) {
    warmUp = time;
    return this;
  }

  /** Sets the kind of threads for blocking requests; virtual threads by default. */
  public Load strand(Strand newStrand) {
    strand = newStrand;
    return this;
  }

  /**
   * Sets the share of the load that this process makes if other processes make the rest; all of it
   * by default. All other settings describe the whole load.
   */
  public Load segment(Segment share) {
    segment = share;
    return this;
  }

  /**
   * Sets when the load begins, warm-up included, by the clock of the machine, so that several
   * processes begin together. At once by default, or if the time has passed.
   */
  public Load startAt(Instant time) {
    startAt = time;
    return this;
  }

  /** Sets pace, extent, warm-up, strand and segment. */
  public Load shape(LoadShape shape) {
    pace = shape.pace();
    extent = shape.extent();
    warmUp = shape.warmUp();
    strand = shape.strand();
    segment = shape.segment();
    return this;
  }

  /** Sets how many bytes of content a good answer has; any number by default. */
  public Load expectedLength(long bytes) {
    expectedLength = bytes;
    return this;
  }

  /** Sets the listener, which is called on the thread that runs the load. */
  public Load listener(LoadListener newListener) {
    listener = newListener;
    return this;
  }

  /** Sets the classifier of failures, for clients that tell more than the JDK's exceptions. */
  public Load classifier(FailureClassifier newClassifier) {
    classifier = newClassifier;
    return this;
  }

  /**
   * Sets an interval log, which gets one line per second for each of {@code response}, {@code
   * service} and {@code lag}. The caller closes it.
   */
  public Load intervalLog(IntervalLog newLog) {
    log = newLog;
    return this;
  }

  /**
   * Sets the limit of the send lag at the 99th percentile, above which the figures are in doubt; 10
   * ms by default.
   */
  public Load maxLag(Duration lag) {
    validity = new Validity(lag);
    return this;
  }

  /**
   * Sets how long an open load waits for answers to its last requests, and how long a batch, or a
   * load with a number of requests, continues without any answer; 60 s by default.
   */
  public Load patience(Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException("patience must be positive, but was " + time);
    }
    patience = time;
    return this;
  }

  /**
   * Makes the client in this process the one that is measured, and not the target. That it falls
   * behind is then a result; only a generator that is late although its process has CPU time to
   * spare, or that is stopped, makes the figures doubtful. The rate of an open load then counts
   * until the last answer.
   */
  public Load measuringTheClient() {
    measuresClient = true;
    return this;
  }

  /** Sets the clock and the threads of the schedule, such as simulated ones. */
  public Load timing(Timing newTiming) {
    timing = newTiming;
    return this;
  }

  /**
   * Runs the load to its end on the calling thread.
   *
   * @throws IllegalStateException if neither {@link #requests} nor {@link #lasting} was called
   * @throws IllegalArgumentException if its settings contradict each other
   * @throws InterruptedException if the thread is interrupted; the load then ends at once
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
          .ended("it was stopped before it began", List.of(), null);
    }
    var run = new LoadRun(prepared, shape, tally, timing, patience, measuresClient, () -> stopped);
    return run.run(listener, validity, log);
  }

  /**
   * Waits for the start; returns false if it was stopped meanwhile. Reads the clock often, because
   * it may be adjusted meanwhile.
   */
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
