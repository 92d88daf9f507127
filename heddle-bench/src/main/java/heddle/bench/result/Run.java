package heddle.bench.result;

/**
 * One client in one cell in one round.
 *
 * @param round from 1
 * @param figures what was measured
 * @param soundness whether the figures count
 * @param recording what was recorded in addition to the figures
 */
public record Run(int round, RunFigures figures, Soundness soundness, Recording recording) {

  /** Creates a run with figures only. */
  public Run(int round, RunFigures figures, Soundness soundness) {
    this(round, figures, soundness, Recording.NONE);
  }

  /** Whether it is excluded from medians. */
  public boolean isInvalid() {
    return soundness instanceof Soundness.Invalid;
  }
}
