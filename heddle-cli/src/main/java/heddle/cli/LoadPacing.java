package heddle.cli;

import heddle.bench.client.Calibration;
import heddle.cli.value.RateStages;
import heddle.cli.value.SpanConverter;
import heddle.load.Extent;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of a load that say when requests are sent. */
final class LoadPacing {

  @Option(
      names = {"-c", "--concurrency"},
      paramLabel = "C",
      defaultValue = "64",
      description = "Callers, each a virtual thread (default 64); with a rate, connections.")
  private int concurrency;

  @ArgGroup
  private @Nullable Length length;

  @Option(
      names = {"-r", "-q", "--rate"},
      paramLabel = "RATE",
      description = "Requests per second in all, not per caller as in hey; sent whether"
          + " or not earlier ones were answered.")
  private @Nullable Double rate;

  @Option(
      names = "--stages",
      paramLabel = "STAGES",
      converter = RateStages.class,
      description = "A changing rate: 100@10s,100-500@30s holds 100 per second for 10 s and"
          + " then rises to 500.")
  private @Nullable RateCurve stages;

  @Option(
      names = "--arrivals",
      paramLabel = "constant|poisson",
      defaultValue = "constant",
      description = "Evenly spread (default), or at random like independent users.")
  private Arrivals arrivals = Arrivals.CONSTANT;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "" + Pace.Open.DEFAULT_SEED,
      description = "The seed of random arrivals and pauses.")
  private long seed = Pace.Open.DEFAULT_SEED;

  @Option(
      names = "--max-in-flight",
      paramLabel = "N",
      description = "With a rate: drop and count requests above this limit (default 100000).")
  private @Nullable Integer maxInFlight;

  @Option(
      names = "--think",
      paramLabel = "[exp:]TIME",
      description = "Pause of a caller after an answer; exp: for exponential pauses.")
  private @Nullable String think;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Batches of N requests; each starts when the last has ended.")
  private @Nullable Integer batch;

  @Option(
      names = "--hold",
      paramLabel = "N",
      description = "Hold N requests at once for -d: shows how many are reached.")
  private @Nullable Integer hold;

  @Option(
      names = "--strand",
      paramLabel = "virtual|thread|pool:N",
      defaultValue = "virtual",
      description = "The thread of a request: a virtual thread (default), a platform thread, or"
          + " one of N.")
  private String strand = "virtual";

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = SpanConverter.class,
      description = "Run this long before anything counts (default: none).")
  private Duration warmUp = Duration.ZERO;

  /** The extent: one of the two options. */
  private static final class Length {
    @Option(
        names = {"-n", "--requests"},
        paramLabel = "N",
        description = "Send this many requests.")
    private @Nullable Long requests;

    @Option(
        names = {"-d", "--duration"},
        paramLabel = "TIME",
        converter = SpanConverter.class,
        description = "Send for this long: 500ms, 10s, 2m.")
    private @Nullable Duration duration;
  }

  /** Throws {@link IllegalArgumentException} if options contradict each other. */
  LoadShape shape(Segment segment) {
    return new LoadShape(pace(), extent(), warmUp, Strand.parse(strand), segment);
  }

  private Pace pace() {
    requireOne();
    RateCurve curve = rate == null ? stages : RateCurve.constant(rate);
    if (curve != null) {
      int most = maxInFlight == null ? Pace.Open.DEFAULT_MAX_IN_FLIGHT : maxInFlight;
      refuse(think != null, "--think is for callers that wait for answers: drop it or the rate");
      return new Pace.Open(curve, arrivals, seed, concurrency, most);
    }
    refuse(arrivals != Arrivals.CONSTANT, "--arrivals needs a rate: give -r or --stages");
    refuse(maxInFlight != null, "--max-in-flight needs a rate: give -r or --stages");
    if (batch != null || hold != null) {
      refuse(think != null, "--think is for callers that wait for answers");
    }
    if (batch != null) {
      return new Pace.Batch(batch);
    }
    return hold == null ? new Pace.Closed(concurrency, think()) : new Pace.Held(hold);
  }

  private void requireOne() {
    List<String> given = new ArrayList<>();
    note(given, rate, "-r");
    note(given, stages, "--stages");
    note(given, batch, "--batch");
    note(given, hold, "--hold");
    refuse(given.size() > 1, "give one of " + String.join(" and ", given) + ", not both");
  }

  private static void note(List<String> given, @Nullable Object value, String option) {
    if (value != null) {
      given.add(option);
    }
  }

  private static void refuse(boolean wrong, String text) {
    if (wrong) {
      throw new IllegalArgumentException(text);
    }
  }

  private Think think() {
    if (think == null) {
      return Think.NONE;
    }
    boolean exponential = think.startsWith("exp:");
    Duration mean = new SpanConverter().convert(exponential ? think.substring(4) : think);
    return new Think(mean, exponential, seed);
  }

  private Extent extent() {
    if (length != null && length.requests != null) {
      return new Extent.Requests(length.requests);
    }
    if (length != null && length.duration != null) {
      return new Extent.Lasting(length.duration);
    }
    if (stages != null) {
      return new Extent.Lasting(stages.duration());
    }
    throw new IllegalArgumentException("give -n REQUESTS or -d DURATION");
  }

  /** Measures what the generator itself costs: as callers, then at a rate. */
  List<Calibration> calibrations() throws InterruptedException {
    Strand threads = Strand.parse(strand);
    Duration time =
        length == null || length.duration == null ? Duration.ofSeconds(2) : length.duration;
    return List.of(
        Calibration.closed(concurrency, threads, time),
        Calibration.open(rate == null ? 10_000 : rate, threads, time));
  }
}
