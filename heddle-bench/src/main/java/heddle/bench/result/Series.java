package heddle.bench.result;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run went on, in the order of time. It is never longer than {@link #MOST_SAMPLES}: in a long
 * run a sample stands for a longer time.
 *
 * @param samples one after the other, without a gap
 */
public record Series(List<Sample> samples) {

  /** No longer than that; a sample each 250 ms fills a minute and two thirds. */
  public static final int MOST_SAMPLES = 400;

  /** Of a run that nobody looked at. */
  public static final Series NONE = new Series(List.of());

  /** Keeps a copy. */
  public Series {
    samples = List.copyOf(samples);
  }

  /**
   * A piece of the measured part. What is the most is the most of what was seen when it was looked
   * at, some four times a second.
   *
   * @param seconds when it ended, from the start of the measured part
   * @param span how many seconds it lasted; above 0
   * @param requestsPerSecond successful answers a second in it
   * @param failures how many requests failed in it
   * @param inFlight the most requests that had begun and not ended
   * @param sendLagMicros by how much the latest request was sent late
   * @param heapBytes the most heap in use, garbage included
   * @param rssBytes the largest resident set; null where the kernel does not say
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
      @Nullable Long rssBytes,
      double cpuCores,
      int platformThreads) {

    /** This one and the next as one. */
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
          rssBytes == null || next.rssBytes == null
              ? null
              : Long.valueOf(Math.max(rssBytes, next.rssBytes)),
          (cpuCores * span + next.cpuCores * next.span) / whole,
          Math.max(platformThreads, next.platformThreads));
    }
  }

  /** The same with half as many samples: of each two one is made, and an odd one stays. */
  public Series thinned() {
    List<Sample> halved = new ArrayList<>();
    for (int i = 0; i < samples.size(); i += 2) {
      Sample first = samples.get(i);
      halved.add(i + 1 < samples.size() ? first.with(samples.get(i + 1)) : first);
    }
    return new Series(halved);
  }
}
