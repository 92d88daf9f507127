package heddle.bench.race;

import heddle.bench.experiment.Cell;
import heddle.bench.result.Design;
import heddle.bench.result.Method;
import org.jspecify.annotations.Nullable;

/**
 * How a race compares its clients.
 *
 * @param method whether a client keeps its JVM
 * @param rounds how often each client runs in each cell; 1 to 100
 * @param seed the seed of the order in which clients run, and of the bootstrap
 * @param baseline the client that the others are compared with
 * @param control whether the baseline is also raced against itself; null for only if there are
 *     enough rounds
 */
public record RacePlan(
    Method method, int rounds, long seed, String baseline, @Nullable Boolean control) {

  /** One round of warm clients, compared with Heddle. */
  public static final RacePlan DEFAULT = new RacePlan(Method.WARM, 1, 1, "heddle", null);

  private static final int CONTROLLED_FROM = 3;

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public RacePlan {
    if (rounds < 1 || rounds > 100) {
      throw new IllegalArgumentException("rounds must be 1 to 100, not " + rounds);
    }
    if (baseline.isBlank()) {
      throw new IllegalArgumentException("the baseline must be a client, such as heddle");
    }
  }

  /** This plan with another method. */
  public RacePlan withMethod(Method other) {
    return new RacePlan(other, rounds, seed, baseline, control);
  }

  /** This plan with another number of rounds. */
  public RacePlan withRounds(int number) {
    return new RacePlan(method, number, seed, baseline, control);
  }

  /** This plan with another seed. */
  public RacePlan withSeed(long other) {
    return new RacePlan(method, rounds, other, baseline, control);
  }

  /** This plan with another baseline. */
  public RacePlan withBaseline(String client) {
    return new RacePlan(method, rounds, seed, client, control);
  }

  /** This plan with a control or without. */
  public RacePlan withControl(boolean wanted) {
    return new RacePlan(method, rounds, seed, baseline, wanted);
  }

  /** Whether the baseline is raced against itself. */
  boolean isControlled() {
    return control == null ? rounds >= CONTROLLED_FROM : control;
  }

  /** How often a client runs in a cell: in a quick race only once if the load mostly waits. */
  int rounds(Cell cell) {
    boolean isQuick = cell.times() == null && method == Method.WARM;
    return cell.isClosed() || !isQuick ? rounds : 1;
  }

  /** The design, as in results. */
  Design design(String profile, boolean hasControl) {
    return new Design(method, profile, rounds, seed, baseline, hasControl);
  }
}
