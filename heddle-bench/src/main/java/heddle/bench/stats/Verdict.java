package heddle.bench.stats;

/** The verdict on a client compared with the baseline, with its reason. */
public sealed interface Verdict {

  /** The reason, such as {@code 0.52 (0.49 to 0.55) lies beyond the resolution of 4%}. */
  String reason();

  /** Better than the baseline: faster, or using less. */
  record Better(String reason) implements Verdict {}

  /** Worse than the baseline: slower, or using more. */
  record Worse(String reason) implements Verdict {}

  /** No difference beyond what this machine resolves. */
  record NoDifference(String reason) implements Verdict {}

  /** The figures are too few or too far apart for a verdict. */
  record TooNoisy(String reason) implements Verdict {}
}
