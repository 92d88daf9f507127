package heddle.bench.race;

import heddle.bench.experiment.Cell;
import heddle.bench.result.Design;
import heddle.bench.result.Method;
import heddle.bench.stats.Judge;
import org.jspecify.annotations.Nullable;

/**
 * How a race compares its clients.
 *
 * @param method whether a client keeps its JVM
 * @param rounds how often each client runs in each cell at least; 1 to 100
 * @param mostRounds how often it runs at most while there is no verdict on its CPU time and time is
 *     left; at least {@code rounds}, and 100 at most
 * @param seed the seed of the order in which clients run, and of the bootstrap
 * @param baseline the client that the others are compared with
 * @param control whether the baseline is also raced against itself; null for only if there are
 *     enough rounds
 */
public record RacePlan(
    Method method,
    int rounds,
    int mostRounds,
    long seed,
    String baseline,
    @Nullable Boolean control) {

  /**
   * Warm clients in five rounds, and in more if that may give a verdict, compared with Heddle,
   * which is compared with itself too.
   */
  public static final RacePlan DEFAULT = new RacePlan(Method.WARM, 5, 15, 1, "heddle", null);

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public RacePlan {
    if (rounds < 1 || rounds > 100) {
      throw new IllegalArgumentException("rounds must be 1 to 100, not " + rounds);
    }
    if (mostRounds < rounds || mostRounds > 100) {
      throw new IllegalArgumentException(
          "the most rounds must be " + rounds + " to 100, not " + mostRounds);
    }
    if (baseline.isBlank()) {
      throw new IllegalArgumentException("the baseline must be a client, such as heddle");
    }
  }

  /** This plan with another method. */
  public RacePlan withMethod(Method other) {
    return new RacePlan(other, rounds, mostRounds, seed, baseline, control);
  }

  /** This plan with exactly this number of rounds. */
  public RacePlan withRounds(int number) {
    return new RacePlan(method, number, number, seed, baseline, control);
  }

  /** This plan with another seed. */
  public RacePlan withSeed(long other) {
    return new RacePlan(method, rounds, mostRounds, other, baseline, control);
  }

  /** This plan with another baseline. */
  public RacePlan withBaseline(String client) {
    return new RacePlan(method, rounds, mostRounds, seed, client, control);
  }

  /** This plan with a control or without. */
  public RacePlan withControl(boolean wanted) {
    return new RacePlan(method, rounds, mostRounds, seed, baseline, wanted);
  }

  /** Whether the baseline is raced against itself. */
  boolean isControlled() {
    return control == null ? rounds >= Judge.LEAST_ROUNDS : control;
  }

  /** How often a client runs in a cell: in a quick race only once if the load mostly waits. */
  int rounds(Cell cell) {
    boolean isQuick = cell.times() == null && method == Method.WARM;
    return cell.isClosed() || !isQuick ? rounds : 1;
  }

  /** Whether a cell gets another round after this one while a verdict is missing. */
  boolean goesOnAfter(int round, Cell cell) {
    return method == Method.WARM && cell.isClosed() && round < mostRounds && isControlled();
  }

  /** The design, as in results. */
  Design design(String profile, boolean hasControl) {
    return new Design(method, profile, rounds, seed, baseline, hasControl);
  }
}
