package heddle.bench.gauge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.Series;
import heddle.bench.result.Series.Sample;
import heddle.load.LoadProgress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SamplerTest {

  private static final long MILLI = 1_000_000;

  private long millis;
  private long heap = 100;

  /** Half a core is busy all the time. */
  private final Sampler sampler = new Sampler(
      () -> new Look(7 + millis * MILLI, millis * MILLI / 2, heap, 900, 70L, 5_000L, 12));

  private LoadProgress at(long newMillis, long answered, long failed, long inFlight, double lag) {
    millis = newMillis;
    Duration elapsed = Duration.ofMillis(millis);
    return new LoadProgress(elapsed, 0.5, answered, failed, 0, inFlight, lag);
  }

  @Test
  void samplesTellWhatHappenedBetweenThem() {
    sampler.progress(at(250, 100, 1, 64, 30));
    heap = 300;
    sampler.progress(at(500, 150, 1, 60, 20));
    sampler.end(at(1_000, 150, 5, 0, 0));
    assertEquals(
        List.of(
            new Sample(0.25, 0.25, 400, 1, 64, 30, 100, 900L, 70L, 5_000L, 0.5, 12),
            new Sample(0.5, 0.25, 200, 0, 60, 20, 300, 900L, 70L, 5_000L, 0.5, 12),
            new Sample(1, 0.5, 0, 4, 0, 0, 300, 900L, 70L, 5_000L, 0.5, 12)),
        sampler.series().samples());
    assertEquals(250, sampler.meanHeapBytes());
  }

  @Test
  void whatWasSeenBetweenTwoSamplesIsInTheNext() {
    sampler.progress(at(10, 0, 0, 5_000, 1));
    sampler.progress(at(20, 0, 0, 0, 900));
    sampler.progress(at(249, 0, 0, 2, 3));
    Sample only = sampler.series().samples().getFirst();
    assertEquals(1, sampler.series().samples().size());
    assertEquals(5_000, only.inFlight());
    assertEquals(900, only.sendLagMicros());
  }

  @Test
  void shortRestAtTheEndIsAPartOfTheLastSample() {
    sampler.progress(at(250, 100, 0, 1, 0));
    sampler.end(at(260, 160, 0, 1, 0));
    List<Sample> samples = sampler.series().samples();
    assertEquals(1, samples.size(), samples::toString);
    assertEquals(0.26, samples.getFirst().span(), 1e-9);
    assertEquals(160 / 0.26, samples.getFirst().requestsPerSecond(), 1e-6);
  }

  @Test
  void runOfADayTakesNoMoreSamplesThanOneOfMinutesAndLosesNoAnswer() {
    long tick = 0;
    for (; tick < 4 * 86_400; tick++) {
      sampler.progress(at((tick + 1) * 250, 10 * (tick + 1), tick + 1, tick % 1_000, 0));
      if (tick % 97 == 0) {
        assertTrue(sampler.series().samples().size() < Series.MOST_SAMPLES);
      }
    }
    sampler.end(at(tick * 250 + 100, 10 * tick + 7, tick, 0, 0));
    List<Sample> samples = sampler.series().samples();
    assertTrue(samples.size() >= Series.MOST_SAMPLES / 2 - 1, () -> samples.size() + " samples");
    double answered = 0;
    long failed = 0;
    double end = 0;
    for (Sample each : samples) {
      assertEquals(end, each.seconds() - each.span(), 1e-3);
      end = each.seconds();
      answered += each.requestsPerSecond() * each.span();
      failed += each.failures();
    }
    assertEquals(10.0 * tick + 7, answered, 1e-2);
    assertEquals(tick, failed);
    assertEquals(86_400.1, end, 1e-6);
  }
}
