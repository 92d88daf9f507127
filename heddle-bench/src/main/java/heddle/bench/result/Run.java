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

  private static final double COLD = 0.1;

  /** Creates a run with figures only. */
  public Run(int round, RunFigures figures, Soundness soundness) {
    this(round, figures, soundness, Recording.NONE);
  }

  /**
   * Whether the JVM's compilers took more than a tenth of the CPU time: the figures are those of
   * code that was about to be replaced, and are not compared with others.
   */
  public boolean isCold() {
    Double share = figures.of(Figure.COMPILING);
    return share != null && share > COLD;
  }

  /** Whether it is excluded from medians. */
  public boolean isInvalid() {
    return soundness instanceof Soundness.Invalid;
  }
}
