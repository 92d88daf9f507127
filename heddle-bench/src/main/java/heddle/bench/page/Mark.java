package heddle.bench.page;

import heddle.bench.stats.Verdict;

/**
 * How a verdict is drawn: by colour and by shape, either of which is sufficient.
 *
 * <p>The name is the class of the style sheet and the id of the symbol in the page.
 */
enum Mark {
  /** A triangle that points up. */
  BETTER,
  /** A triangle that points down. */
  WORSE,
  /** A full disc. */
  SAME,
  /** An empty ring. */
  UNSURE;

  static Mark of(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Better _ -> BETTER;
      case Verdict.Worse _ -> WORSE;
      case Verdict.NoDifference _ -> SAME;
      case Verdict.TooNoisy _ -> UNSURE;
    };
  }

  /** The name in the page. */
  String css() {
    return switch (this) {
      case BETTER -> "better";
      case WORSE -> "worse";
      case SAME -> "same";
      case UNSURE -> "unsure";
    };
  }
}
