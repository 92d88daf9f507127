package heddle.bench.result;

/**
 * One client in one cell in one round.
 *
 * @param round from 1
 * @param figures what was measured
 * @param soundness whether that counts
 * @param recording what was recorded beside the figures
 */
public record Run(int round, RunFigures figures, Soundness soundness, Recording recording) {

  /** A run that has recorded nothing beside its figures. */
  public Run(int round, RunFigures figures, Soundness soundness) {
    this(round, figures, soundness, Recording.NONE);
  }

  /** Whether it is in no median. */
  public boolean isInvalid() {
    return soundness instanceof Soundness.Invalid;
  }
}
