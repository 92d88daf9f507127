package heddle.bench.result;

/**
 * The design of a race.
 *
 * @param method how clients were run
 * @param profile their profile
 * @param rounds how often each was measured in each cell
 * @param seed the seed of the order of the runs, and of the bootstrap
 * @param baseline the client that the others are compared with
 * @param hasControl whether the baseline was also raced against itself
 */
public record Design(
    Method method, String profile, int rounds, long seed, String baseline, boolean hasControl) {

  private static final String CONTROL = "(control)";

  /** The name of the control, such as heddle(control). */
  public String control() {
    return baseline + CONTROL;
  }
}
