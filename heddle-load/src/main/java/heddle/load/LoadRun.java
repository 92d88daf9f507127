package heddle.load;

import heddle.load.record.GeneratorCost;
import heddle.load.record.GeneratorWatch;
import heddle.load.record.IntervalLog;
import heddle.load.record.Latency;
import heddle.load.record.Validity;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One load from its first request to its report. Used by one thread, once. */
final class LoadRun {

  private static final long TICK_MILLIS = 250;

  /** The time between the first answers of the measured callers and the measurement. */
  private static final Duration SETTLE = Duration.ofMillis(100);

  private final Prepared prepared;
  private final LoadShape shape;
  private final Tally tally;
  private final Timing timing;
  private final Duration patience;
  private final boolean measuresClient;
  private final BooleanSupplier stop;
  private boolean gaveUp;
  private volatile DoubleSupplier paceLagP99Micros = () -> 0;
  private volatile DoubleSupplier ownLagP99Micros = () -> 0;
  private volatile LongSupplier inFlight = () -> 0;

  /**
   * Creates a run.
   *
   * @param measuresClient whether the client in this process is measured, and not the target
   */
  LoadRun(
      Prepared prepared,
      LoadShape shape,
      Tally tally,
      Timing timing,
      Duration patience,
      boolean measuresClient,
      BooleanSupplier stop) {
    this.prepared = prepared;
    this.shape = shape;
    this.tally = tally;
    this.timing = timing;
    this.patience = patience;
    this.measuresClient = measuresClient;
    this.stop = stop;
  }

  LoadReport run(LoadListener listener, Validity validity, @Nullable IntervalLog log)
      throws InterruptedException {
    try (Recording recording = new Recording(listener, validity, log)) {
      LoadReport report =
          switch (shape.pace()) {
            case Pace.Closed _ -> runClosed(recording);
            case Pace.Open open -> runOpen(open, recording);
            case Pace.Batch _ -> runBatches(recording);
            case Pace.Held _ -> runHeld(recording);
          };
      if (log != null) {
        log.end(timing.nanoTime());
      }
      GeneratorCost cost = recording.cost;
      List<String> doubts =
          cost == null ? List.of() : recording.doubts(cost, report.service(), report.sendLag());
      return report.ended(cutShort(), doubts, cost);
    }
  }

  /**
   * Held requests have no schedule to fall behind: pauses of the generator while they pile up, or
   * while other processes take their shares, are part of the cost of holding them.
   */
  static List<String> doubts(
      Pace pace, GeneratorCost cost, Validity validity, double lagP99Micros) {
    return pace instanceof Pace.Held
        ? List.of()
        : validity.doubts(cost, pace instanceof Pace.Open, lagP99Micros);
  }

  private boolean isPaced() {
    return shape.pace() instanceof Pace.Open;
  }

  /**
   * The lag of the generator. If a pool of threads carries the requests, they may wait for a thread
   * because the target is slow; then only the hand-over to the pool counts.
   */
  private double lagP99Micros(Latency sendLag) {
    if (!isPaced()) {
      return 0;
    }
    boolean waitsForThreads =
        shape.strand() instanceof Strand.Pool && prepared instanceof Prepared.Blocking;
    return waitsForThreads
        ? paceLagP99Micros.getAsDouble()
        : Math.max(paceLagP99Micros.getAsDouble(), sendLag.p99());
  }

  private String cutShort() {
    if (gaveUp) {
      return "nothing was answered for " + patience.toMillis() / 1e3 + " s";
    }
    return stop.getAsBoolean() ? "it was stopped" : "";
  }

  private LoadReport runClosed(Recording recording) throws InterruptedException {
    boolean isLasting = shape.extent() instanceof Extent.Lasting;
    var ending = new ClosedRun.Stop(
        stop,
        isLasting ? Long.MAX_VALUE : patience.toNanos(),
        patience.toMillis(),
        Math.min(patience.toMillis(), ClosedRun.GRACE_MILLIS));
    if (!shape.warmUp().isZero()) {
      ClosedRun.warmUp(
          window -> ClosedRun.warming(prepared, window, new Tally(-1), ending),
          shape,
          shape.warmUp(),
          shape.warmUp(),
          () -> true);
    }
    ClosedRun run = ClosedRun.measured(prepared, shape, tally, recording, ending);
    inFlight = run::inFlight;
    Duration duration = shape.warmUp().isZero() ? run.measureAtOnce() : run.measure(SETTLE);
    gaveUp = run.gaveUp();
    return LoadReport.of(shape, run.began(), duration, tally);
  }

  private LoadReport runOpen(Pace.Open pace, Recording recording) throws InterruptedException {
    Schedule schedule = new Schedule(pace, shape.extent(), shape.warmUp(), shape.segment());
    try (Launch launch = Launch.of(prepared, shape.strand(), timing)) {
      int maxInFlight = shape.segment().share(pace.maxInFlight());
      OpenLoad load =
          new OpenLoad(tally, schedule, launch, maxInFlight, timing, recording::sentAll);
      Ticker ticker = new Ticker(timing, shape.ownExtent(), tally, recording, load::inFlight);
      inFlight = load::inFlight;
      paceLagP99Micros = load::paceLagP99Micros;
      ownLagP99Micros = load::ownLagP99Micros;
      Thread pacing = load.start();
      try {
        while (!load.awaitWarm(TICK_MILLIS) && !stop.getAsBoolean()) {
          // The generator is warm when the first counted request is sent.
        }
        recording.measuring();
        // As scheduled: the first request of a segment may be later than that of the whole load.
        ticker.restart(load.beginNanos() + shape.warmUp().toNanos());
        awaitAnswers(load, ticker);
        Duration duration = ticker.elapsed();
        double answering = secondsOfAnswering(load);
        ticker.tick();
        recording.measured();
        if (!stop.getAsBoolean()) {
          tally.unanswered(
              load.unfinished(),
              "no answer " + patience.toMillis() / 1e3 + " s after the last request");
        }
        return LoadReport.of(shape, ticker.began(), duration, tally)
            .withSending(load.sent(), Math.max(load.secondsOfSending(shape.warmUp()), answering));
      } finally {
        load.stop();
        pacing.interrupt();
      }
    }
  }

  /**
   * A client that accepts requests on time and answers them later has not reached their rate: if it
   * is measured, the time counts until its last answer, without that of the shortest one, which the
   * server takes.
   */
  private double secondsOfAnswering(OpenLoad load) {
    if (!measuresClient || tally.answeredCount() == 0) {
      return 0;
    }
    long answering = timing.nanoTime() - load.beginNanos() - shape.warmUp().toNanos();
    return Math.max(0, answering - tally.services().getMinValue()) / 1e9;
  }

  /** The patience starts when the last request was handed over. */
  private void awaitAnswers(OpenLoad load, Ticker ticker) throws InterruptedException {
    long pacedAt = Long.MAX_VALUE;
    while (!load.awaitEnd(TICK_MILLIS) && !stop.getAsBoolean()) {
      ticker.tick();
      if (pacedAt == Long.MAX_VALUE && load.isPaced()) {
        pacedAt = timing.nanoTime();
      }
      if (pacedAt != Long.MAX_VALUE && timing.nanoTime() - pacedAt > patience.toNanos()) {
        return;
      }
    }
  }

  private LoadReport runBatches(Recording recording) throws InterruptedException {
    int size = shape.ownPace().inFlight();
    try (Launch launch = Launch.of(prepared, shape.strand(), timing)) {
      BatchLoad load = new BatchLoad(launch, size, timing, stop, patience.toMillis());
      Ticker ticker = new Ticker(timing, shape.ownExtent(), tally, recording, load::mostInFlight);
      inFlight = load::inFlight;
      load.warmUp(shape.warmUp(), new Tally(-1));
      recording.measuring();
      ticker.restart();
      load.measure(shape.ownExtent(), tally, ticker::tick);
      Duration duration = ticker.elapsed();
      ticker.tick();
      recording.measured();
      return load.into(LoadReport.of(shape, ticker.began(), duration, tally));
    }
  }

  private LoadReport runHeld(Recording recording) throws InterruptedException {
    int count = shape.ownPace().inFlight();
    if (!(shape.extent() instanceof Extent.Lasting(Duration time))) {
      throw new IllegalArgumentException("a load that holds requests needs a duration");
    }
    try (Launch launch = Launch.of(prepared, shape.strand(), timing)) {
      HeldLoad load = new HeldLoad(launch, count, timing, tally, stop);
      Ticker ticker = new Ticker(timing, shape.ownExtent(), tally, recording, load::inFlight);
      recording.measuring();
      ticker.restart();
      inFlight = load::inFlight;
      LoadReport.Held held = load.hold(time, ticker::tick);
      Duration duration = ticker.elapsed();
      ticker.tick();
      recording.measured();
      return LoadReport.of(shape, ticker.began(), duration, tally).withHeld(held);
    }
  }

  /** Writes the log and watches the generator while the measured part runs. */
  private final class Recording implements LoadListener, LoadListener.Recorded, AutoCloseable {

    private final LoadListener listener;
    private final Validity validity;
    private final @Nullable IntervalLog log;
    private volatile @Nullable GeneratorWatch watch;
    private @Nullable GeneratorCost cost;

    /** The cost until the last request of an open load was handed over. */
    private volatile @Nullable GeneratorCost sending;

    Recording(LoadListener listener, Validity validity, @Nullable IntervalLog log) {
      this.listener = listener;
      this.validity = validity;
      this.log = log;
    }

    @Override
    public void measuring() {
      if (log != null) {
        log.add("response", tally::responses);
        log.add("service", tally::services);
        log.add("lag", tally::sendLags);
        log.begin("heddle load: " + shape, timing.nanoTime());
      }
      watch = new GeneratorWatch();
      listener.recording(this);
      listener.measuring();
    }

    /** Called when the last request of an open load was handed over. */
    void sentAll() {
      GeneratorWatch watching = watch;
      sending = watching == null ? null : watching.cost();
    }

    List<String> doubts(GeneratorCost found, Latency service, Latency sendLag) {
      Validity allowed = validity.forAnswersOf(service.p50());
      if (!measuresClient || shape.pace() instanceof Pace.Held) {
        return LoadRun.doubts(shape.pace(), found, allowed, lagP99Micros(sendLag));
      }
      GeneratorCost whileSending = sending;
      return allowed.doubtsAboutClient(
          whileSending == null ? found : whileSending, ownLagP99Micros.getAsDouble());
    }

    @Override
    public void progress(LoadProgress progress) {
      if (log != null) {
        log.tick(timing.nanoTime());
      }
      listener.progress(progress);
    }

    @Override
    public void measured() {
      GeneratorWatch watching = watch;
      if (watching != null) {
        cost = watching.cost();
      }
      // Last, so that the work of the listener is not counted as a lag of the generator.
      listener.measured();
    }

    @Override
    public Map<Integer, Histogram> responses() {
      return tally.responsesByStatus();
    }

    @Override
    public Histogram sendLags() {
      return tally.sendLags();
    }

    @Override
    public long inFlight() {
      return inFlight.getAsLong();
    }

    @Override
    public long dropped() {
      return tally.droppedCount();
    }

    @Override
    public List<ErrorCause> errors() {
      return tally.errors();
    }

    @Override
    public List<String> doubts() {
      GeneratorWatch watching = watch;
      return watching == null
          ? List.of()
          : doubts(watching.cost(), tally.service(), tally.sendLag());
    }

    @Override
    public void close() {
      GeneratorWatch watching = watch;
      if (watching != null) {
        watching.close();
      }
    }
  }
}
