package heddle.bench.page;

import heddle.bench.result.FailedRequests;
import heddle.bench.result.Recording;
import heddle.bench.result.Series;
import heddle.load.record.Distribution;
import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** What a run of the sample has recorded; drawn. */
final class SampleRecording {

  private static final int REQUESTS = 2_000;
  private static final int SAMPLES = 160;

  private SampleRecording() {}

  /** Of a run with this median latency. */
  static Recording of(
      SplittableRandom random, double medianMicros, double rate, double memory, boolean isOpen) {
    Histogram response = new Histogram(3);
    Histogram service = new Histogram(3);
    Histogram lag = new Histogram(3);
    for (int i = 0; i < REQUESTS; i++) {
      // A long tail: nearly all are near the median, one in a hundred is far from it.
      double tail = Math.pow(random.nextDouble(1e-5, 1), -0.35);
      double taken = medianMicros * (0.7 + 0.4 * random.nextDouble()) * Math.max(1, tail / 1.3);
      double late = isOpen ? 40 * Math.pow(random.nextDouble(1e-4, 1), -0.8) : 0;
      service.recordValue((long) (1e3 * taken));
      response.recordValue((long) (1e3 * (taken + late)));
      lag.recordValue((long) (1e3 * late));
    }
    return new Recording(
        Distribution.of(response),
        Distribution.of(service),
        isOpen ? Distribution.of(lag) : Distribution.EMPTY,
        series(random, rate, memory, isOpen),
        null,
        List.of(),
        List.of());
  }

  private static Series series(
      SplittableRandom random, double rate, double memory, boolean isOpen) {
    List<Series.Sample> samples = new ArrayList<>();
    double heap = 8e6;
    for (int i = 1; i <= SAMPLES; i++) {
      heap += memory * 1.5e6;
      heap = heap > 90e6 * memory ? 9e6 : heap;
      boolean isStalled = isOpen && i > 80 && i < 86;
      samples.add(new Series.Sample(
          i * 0.25,
          0.25,
          rate * random.nextDouble(0.94, 1.06) * (isStalled ? 0.1 : 1),
          0,
          isStalled ? 1_900 : isOpen ? random.nextLong(950, 1_050) : 64,
          isOpen ? random.nextDouble(30, 90) * (isStalled ? 50 : 1) : 0,
          (long) heap,
          96L << 20,
          9L << 20,
          (long) ((70 + 50 * memory) * (1 << 20) * Math.min(1, 0.7 + i / 200.0)),
          Math.min(1, random.nextDouble(0.9, 1.02) * (isOpen ? 0.2 : 1)),
          (int) (18 + 4 * memory)));
    }
    return new Series(samples);
  }

  /** The same with requests that failed. */
  static Recording failing(Recording recording) {
    return new Recording(
        recording.response(),
        recording.service(),
        recording.sendLag(),
        recording.series(),
        recording.serverSeries(),
        List.of(
            new FailedRequests(
                30,
                new Failure(
                    FailureKind.REFUSED, "connect", "ConnectException", "</script> & refused")),
            new FailedRequests(7, new Failure(FailureKind.TIMEOUT, "head", "timeout", ""))),
        List.of("the connections of round 4 were begun twice"));
  }
}
