package heddle.bench.result;

/**
 * What was asked of a race.
 *
 * @param method how clients were run
 * @param profile how they were set up
 * @param rounds how often each was measured in each cell
 * @param seed of the order of the runs, and of the bootstrap
 * @param baseline the client that the others are compared to
 * @param hasControl whether the baseline was raced against itself too
 */
public record Design(
    Method method, String profile, int rounds, long seed, String baseline, boolean hasControl) {

  private static final String CONTROL = "(control)";

  /** The name of the baseline where it is raced against itself, such as heddle(control). */
  public String control() {
    return baseline + CONTROL;
  }
}
