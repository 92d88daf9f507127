package heddle.load.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The rate of an open load over time: one stage after the other, then constant at the rate at which
 * the last one ended. Immutable.
 *
 * <p>The n-th start is computed from n alone, never from the start before it, so that errors do not
 * add up.
 *
 * @param stages at least one; the rate may jump between two of them
 */
public record RateCurve(List<Stage> stages) {

  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** Throws {@link IllegalArgumentException} if no stage would send anything. */
  public RateCurve {
    stages = List.copyOf(stages);
    if (stages.stream().allMatch(stage -> stage.requests() == 0)) {
      throw new IllegalArgumentException(
          "the rate must be above 0 and at most 1000000 a second in one stage at least");
    }
  }

  /**
   * A constant rate.
   *
   * @param requestsPerSecond above 0 and at most 1,000,000
   */
  public static RateCurve constant(double requestsPerSecond) {
    if (!(requestsPerSecond > 0 && requestsPerSecond <= Stage.MOST)) {
      throw new IllegalArgumentException(
          "the rate must be above 0 and at most 1000000 a second, not " + requestsPerSecond);
    }
    return new RateCurve(List.of(Stage.steady(requestsPerSecond, A_SECOND)));
  }

  /** Whether the rate is constant. */
  public boolean isConstant() {
    double first = stages.getFirst().from();
    return stages.stream().allMatch(stage -> stage.from() == first && stage.to() == first);
  }

  /** The highest rate, in requests a second. */
  public double peak() {
    return stages.stream()
        .mapToDouble(stage -> Math.max(stage.from(), stage.to()))
        .max()
        .orElseThrow();
  }

  /** The total duration of the stages. */
  public Duration duration() {
    return stages.stream().map(Stage::duration).reduce(Duration.ZERO, Duration::plus);
  }

  /** This curve after a warm-up at its initial rate, or at its peak if it begins with 0. */
  public RateCurve after(Duration lead) {
    if (lead.isZero() || isConstant()) {
      return this;
    }
    double first = stages.getFirst().from();
    List<Stage> all = new ArrayList<>();
    all.add(Stage.steady(first > 0 ? first : peak(), lead));
    all.addAll(stages);
    return new RateCurve(all);
  }

  /** How many requests should have started this long after the beginning; a real number. */
  public double requestsWithin(Duration time) {
    double left = time.toNanos() / 1e9;
    double requests = 0;
    for (Stage stage : stages) {
      if (left <= stage.seconds()) {
        return requests + stage.requestsWithin(left);
      }
      requests += stage.requests();
      left -= stage.seconds();
    }
    return requests + left * stages.getLast().to();
  }

  /**
   * When this many requests should have started: the inverse of {@link #requestsWithin}, in
   * nanoseconds from the beginning; empty if that never happens.
   */
  public OptionalLong nanosUntil(double requests) {
    double left = requests;
    long begin = 0;
    for (Stage stage : stages) {
      if (left < stage.requests()) {
        return OptionalLong.of(begin + Math.round(stage.secondsUntil(left) * 1e9));
      }
      left -= stage.requests();
      begin += stage.duration().toNanos();
    }
    double rate = stages.getLast().to();
    double nanos = left / rate * 1e9;
    return rate > 0 && nanos < Long.MAX_VALUE / 2.0
        ? OptionalLong.of(begin + Math.round(nanos))
        : OptionalLong.empty();
  }
}
