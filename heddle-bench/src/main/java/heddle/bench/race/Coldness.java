package heddle.bench.race;

import heddle.bench.result.Figure;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether a client that was to be warm was: how much of its CPU time went to its compilers. */
final class Coldness {

  /** Beyond this a run is noisy, and said to be. */
  private static final double NOTABLE = 0.1;

  /**
   * Beyond this it does not count: code that is about to be replaced costs several times what it
   * will cost then. Where a load keeps a core busy, compilers that never rest have two fifths.
   */
  private static final double RUINOUS = 0.3;

  private Coldness() {}

  /** Why a run with these figures is noisy; empty where it is not. */
  static List<String> disturbing(Map<Figure, Double> figures) {
    return between(figures, NOTABLE, RUINOUS);
  }

  /** Why a run with these figures does not count; empty where it does. */
  static List<String> refusing(Map<Figure, Double> figures) {
    return between(figures, RUINOUS, Double.POSITIVE_INFINITY);
  }

  private static List<String> between(Map<Figure, Double> figures, double least, double most) {
    Double share = figures.get(Figure.COMPILING);
    return share == null || share <= least || share > most
        ? List.of()
        : List.of(String.format(
            Locale.ROOT, "not warm: its compilers took %.0f%% of its CPU time", 100 * share));
  }
}
