package heddle.bench.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import heddle.load.cluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Samples of a run in the order of time, at most {@link #MOST_SAMPLES}: in a long run a sample
 * covers a longer time.
 *
 * @param samples consecutive samples, without gaps
 */
public record Series(List<Sample> samples) {

  /** The largest number of samples; one sample per 250 ms covers 100 s. */
  public static final int MOST_SAMPLES = 400;

  /** The series of a run that was not sampled. */
  public static final Series NONE = new Series(List.of());

  /** Copies the list. */
  public Series {
    samples = List.copyOf(samples);
  }

  /** Reads what {@link #columns} has written. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Series ofColumns(Map<String, List<@Nullable Object>> columns) {
    return new Series(Json.rows(columns, Sample.class));
  }

  /** The samples in JSON: a list for each component, with one value per sample. */
  @JsonValue
  Map<String, List<@Nullable Object>> columns() {
    return Json.columns(samples);
  }

  /**
   * A piece of the measured part. Maxima are those of some four observations per second.
   *
   * @param seconds when it ended, from the start of the measured part
   * @param span how many seconds it lasted; above 0
   * @param requestsPerSecond successful answers a second in it
   * @param failures how many requests failed in it
   * @param inFlight the most unfinished requests
   * @param sendLagMicros the longest send lag of a request
   * @param heapBytes the most heap in use, garbage included
   * @param committedHeapBytes the most memory reserved for the heap; null if it was not recorded
   * @param heapAfterGcBytes in use after the last collection; null before the first
   * @param rssBytes the largest resident set; null if the kernel does not say
   * @param cpuCores CPU time of the process over the time that passed
   * @param platformThreads the most at once, the JVM's own included
   */
  public record Sample(
      double seconds,
      double span,
      double requestsPerSecond,
      long failures,
      long inFlight,
      double sendLagMicros,
      long heapBytes,
      @Nullable Long committedHeapBytes,
      @Nullable Long heapAfterGcBytes,
      @Nullable Long rssBytes,
      double cpuCores,
      int platformThreads) {

    /** Merges this sample and the next. */
    public Sample with(Sample next) {
      double whole = span + next.span;
      return new Sample(
          next.seconds,
          whole,
          (requestsPerSecond * span + next.requestsPerSecond * next.span) / whole,
          failures + next.failures,
          Math.max(inFlight, next.inFlight),
          Math.max(sendLagMicros, next.sendLagMicros),
          Math.max(heapBytes, next.heapBytes),
          most(committedHeapBytes, next.committedHeapBytes),
          next.heapAfterGcBytes == null ? heapAfterGcBytes : next.heapAfterGcBytes,
          most(rssBytes, next.rssBytes),
          (cpuCores * span + next.cpuCores * next.span) / whole,
          Math.max(platformThreads, next.platformThreads));
    }

    private static @Nullable Long most(@Nullable Long one, @Nullable Long other) {
      return one == null || other == null ? null : Long.valueOf(Math.max(one, other));
    }
  }

  /** The most memory reserved for the heap; null if there are no samples of it. */
  public @Nullable Long mostCommittedHeapBytes() {
    Long most = null;
    for (Sample each : samples) {
      Long own = each.committedHeapBytes;
      most = own == null || (most != null && most >= own) ? most : own;
    }
    return most;
  }

  /** A copy with half as many samples: each two are merged, and an odd one stays. */
  public Series thinned() {
    List<Sample> halved = new ArrayList<>();
    for (int i = 0; i < samples.size(); i += 2) {
      Sample first = samples.get(i);
      halved.add(i + 1 < samples.size() ? first.with(samples.get(i + 1)) : first);
    }
    return new Series(halved);
  }
}
