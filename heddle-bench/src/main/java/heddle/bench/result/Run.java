package heddle.bench.result;

/**
 * One client in one cell in one round.
 *
 * @param round from 1
 * @param figures what was measured
 * @param soundness whether that counts
 */
public record Run(int round, RunFigures figures, Soundness soundness) {

  /** Whether it is in no median. */
  public boolean isInvalid() {
    return soundness instanceof Soundness.Invalid;
  }
}
