package heddle.bench.result;

import heddle.bench.result.Series.Sample;
import heddle.load.record.Distribution;
import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import heddle.load.record.Stripes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Recordings for tests. */
public final class Recordings {

  private Recordings() {}

  /** Something in every field; the same for the same seed. */
  public static Recording of(long seed, int samples) {
    Random random = new Random(seed);
    return new Recording(
        distribution(random, 500),
        distribution(random, 500),
        distribution(random, 600),
        new Series(samples(random, samples)),
        new Series(samples(random, samples)),
        List.of(
            new FailedRequests(3 + seed, new Failure(FailureKind.STATUS, "", "status 503", "")),
            new FailedRequests(
                2, new Failure(FailureKind.REFUSED, "connect", "ConnectException", "no, \"x\""))),
        List.of("it was stopped"));
  }

  /** A recording of nothing but these failures and remarks. */
  public static Recording failed(List<FailedRequests> failures, List<String> remarks) {
    return new Recording(
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Series.NONE,
        null,
        failures,
        remarks);
  }

  /** Durations from 1 ns to an hour. */
  static Distribution distribution(Random random, int count) {
    Stripes stripes = Stripes.single();
    for (int i = 0; i < count; i++) {
      stripes.record((long) Math.exp(random.nextDouble() * 28.9));
    }
    return Distribution.of(stripes.snapshot());
  }

  /** A quarter of a second each. */
  static List<Sample> samples(Random random, int count) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      samples.add(new Sample(
          i / 4.0,
          0.25,
          random.nextDouble() * 1_000,
          random.nextInt(5),
          random.nextInt(64),
          random.nextDouble() * 500,
          random.nextLong(1L << 30),
          random.nextLong(1L << 31),
          i == 1 ? null : random.nextLong(1L << 29),
          i % 3 == 0 ? null : random.nextLong(1L << 33),
          random.nextDouble() * 2,
          random.nextInt(20)));
    }
    return samples;
  }
}
