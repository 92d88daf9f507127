package heddle.bench.stats;

/** What can be said of a client beside the baseline, and from what. */
public sealed interface Verdict {

  /** What it rests on, such as {@code 0.52 (0.49 to 0.55) lies beyond the resolution of 4%}. */
  String reason();

  /** Better than the baseline: faster, or with less. */
  record Better(String reason) implements Verdict {}

  /** Worse than the baseline: slower, or with more. */
  record Worse(String reason) implements Verdict {}

  /** No difference beyond what this machine resolves. */
  record NoDifference(String reason) implements Verdict {}

  /** The figures are too few or too far apart for a word. */
  record TooNoisy(String reason) implements Verdict {}
}
