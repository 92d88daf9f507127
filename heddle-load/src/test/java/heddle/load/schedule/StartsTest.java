package heddle.load.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartsTest {

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  @Test
  void constantStartsDoNotDriftHoweverLongTheyGoOn() {
    // 7 a second divides no second evenly: intervals that are added up would drift.
    RateCurve curve = RateCurve.constant(7);
    for (long n : new long[] {0, 1, 6, 7, 8, 1_000_003, 604_800_000L}) {
      double exact = n * 1e9 / 7;
      assertEquals(exact, nanos(curve, n), 64, "start " + n);
    }
    Starts starts = Starts.even(RateCurve.constant(1_000));
    for (long n = 0; n < 100_000; n++) {
      assertEquals(n * 1_000_000, starts.next().orElseThrow());
    }
  }

  @Test
  void rampStartsWhereTheAreaBelowItIsWhole() {
    // From 0 to 100 a second in 10 s: n(t) = 5 t², so the n-th start is at √(n/5).
    RateCurve curve = new RateCurve(List.of(new Stage(0, 100, TEN_SECONDS)));
    for (int n = 0; n < 500; n++) {
      assertEquals(Math.sqrt(n / 5.0) * 1e9, nanos(curve, n), 2, "start " + n);
    }
    // And back: n(t) = 100 t - 5 t².
    RateCurve falling = new RateCurve(List.of(new Stage(100, 0, TEN_SECONDS)));
    for (int n = 0; n < 500; n++) {
      double exact = 10 - Math.sqrt(100 - n / 5.0);
      assertEquals(exact * 1e9, nanos(falling, n), 20, "start " + n);
    }
    assertEquals(OptionalLong.empty(), falling.nanosUntil(500));
  }

  @Test
  void stagesFollowEachOtherAndTheLastRateGoesOn() {
    Duration second = Duration.ofSeconds(1);
    RateCurve curve = new RateCurve(
        List.of(Stage.steady(2, second), Stage.steady(0, second), Stage.steady(4, second)));
    List<Long> millis = new ArrayList<>();
    Starts starts = Starts.even(curve);
    for (int i = 0; i < 8; i++) {
      millis.add(starts.next().orElseThrow() / 1_000_000);
    }
    assertEquals(List.of(0L, 500L, 2000L, 2250L, 2500L, 2750L, 3000L, 3250L), millis);
    assertEquals(Duration.ofSeconds(3), curve.duration());
    assertEquals(4, curve.peak());
  }

  @Test
  void inverseOfACurveIsItsInverse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      List<Stage> stages = new ArrayList<>();
      for (int s = random.nextInt(5); s >= 0; s--) {
        double from = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 1_000;
        double to = random.nextInt(3) == 0 ? from : random.nextDouble() * 1_000;
        stages.add(new Stage(from, to, Duration.ofMillis(1 + random.nextInt(20_000))));
      }
      stages.add(Stage.steady(1, Duration.ofSeconds(1)));
      RateCurve curve = new RateCurve(stages);
      double all = curve.requestsWithin(curve.duration());
      long before = 0;
      for (int k = 0; k < 20; k++) {
        double n = all * k / 20;
        long nanos = curve.nanosUntil(n).orElseThrow();
        double back = curve.requestsWithin(Duration.ofNanos(nanos));
        assertEquals(n, back, 1e-4, () -> "seed " + seed + ": " + stages);
        assertTrue(nanos >= before, () -> "seed " + seed + ": " + stages);
        before = nanos;
      }
    }
  }

  @Test
  void warmUpGoesBeforeTheFirstStage() {
    RateCurve ramp = new RateCurve(List.of(new Stage(10, 20, TEN_SECONDS))).after(TEN_SECONDS);
    assertEquals(100, ramp.requestsWithin(TEN_SECONDS), 1e-9);
    assertEquals(250, ramp.requestsWithin(TEN_SECONDS.multipliedBy(2)), 1e-9);
    RateCurve fromNothing = new RateCurve(List.of(new Stage(0, 20, TEN_SECONDS)));
    assertEquals(200, fromNothing.after(TEN_SECONDS).requestsWithin(TEN_SECONDS), 1e-9);
  }

  @Test
  void poissonIntervalsAreExponential() {
    RateCurve second = RateCurve.constant(1);
    double[] gaps = gaps(Starts.poisson(RateCurve.constant(1_000), 1), 20_000, second);
    assertExponential(Arrays.stream(gaps).map(gap -> gap * 1_000).toArray());
  }

  @Test
  void poissonArrivalsOfARampAreThoseOfItsArea() {
    // The time-rescaling theorem: through the area below the rate, any Poisson process has
    // exponential intervals of mean 1.
    RateCurve curve = new RateCurve(
        List.of(new Stage(50, 2_000, TEN_SECONDS), new Stage(2_000, 100, TEN_SECONDS)));
    assertExponential(gaps(Starts.poisson(curve, 99), 20_000, curve));
  }

  @Test
  void sameSeedGivesTheSameStartsAndAnotherOneOthers() {
    RateCurve curve = RateCurve.constant(10);
    Starts one = Starts.poisson(curve, 5);
    Starts same = Starts.poisson(curve, 5);
    Starts other = Starts.poisson(curve, 6);
    int different = 0;
    for (int i = 0; i < 100; i++) {
      OptionalLong next = one.next();
      assertEquals(next, same.next());
      different += next.equals(other.next()) ? 0 : 1;
    }
    assertEquals(100, different);
  }

  @Test
  void exponentialPausesHaveTheirMeanAndEachCallerItsOwn() {
    Think think = Think.exponential(Duration.ofMillis(100), 3);
    double sum = 0;
    Think.Pauses pauses = think.of(0);
    for (int i = 0; i < 20_000; i++) {
      sum += pauses.next().toNanos() / 1e6;
    }
    assertEquals(100, sum / 20_000, 3);
    assertEquals(think.of(7).next(), think.of(7).next());
    assertNotEquals(think.of(7).next(), think.of(8).next());
    assertEquals(
        Duration.ofMillis(5), Think.constant(Duration.ofMillis(5)).of(1).next());
  }

  @Test
  void ratesOutOfRangeAreRefusedWithWhatIsAllowed() {
    for (double rate : new double[] {0, -1, 1_000_001, Double.NaN}) {
      String message = String.valueOf(
          assertThrows(IllegalArgumentException.class, () -> RateCurve.constant(rate))
              .getMessage());
      assertTrue(message.contains("1000000") && message.contains("" + rate), message);
    }
    assertThrows(IllegalArgumentException.class, () -> new Stage(-1, 1, TEN_SECONDS));
    assertThrows(IllegalArgumentException.class, () -> new Stage(1, 1, Duration.ZERO));
    List<Stage> nothing = List.of(Stage.steady(0, TEN_SECONDS));
    assertThrows(IllegalArgumentException.class, () -> new RateCurve(nothing));
  }

  private static double nanos(RateCurve curve, long start) {
    return (double) curve.nanosUntil((double) start).orElseThrow();
  }

  /** Between starts, measured in the area below a curve. */
  private static double[] gaps(Starts starts, int count, RateCurve curve) {
    double[] gaps = new double[count];
    double before = 0;
    for (int i = 0; i < count; i++) {
      double now = curve.requestsWithin(Duration.ofNanos(starts.next().orElseThrow()));
      gaps[i] = now - before;
      before = now;
    }
    return gaps;
  }

  /** Kolmogorov and Smirnov: with the chance of 1 in 1,000 the distance is 1.95 / √n and more. */
  private static void assertExponential(double[] gaps) {
    double[] sorted = gaps.clone();
    Arrays.sort(sorted);
    double distance = 0;
    for (int i = 0; i < sorted.length; i++) {
      double expected = 1 - Math.exp(-sorted[i]);
      distance = Math.max(distance, Math.abs(expected - (i + 0.5) / sorted.length));
    }
    double most = 1.95 / Math.sqrt(sorted.length);
    assertTrue(distance < most, "distance " + distance + ", at most " + most);
  }
}
