package heddle.bench.page;

import heddle.bench.result.Design;
import heddle.bench.result.Effect;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.stats.Judge;
import heddle.bench.stats.Resolution;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The summary of a race.
 *
 * @param baseline the client that the others are compared with
 * @param hint why there are no verdicts; empty if there may be
 * @param tallies how often the others are behind and ahead, by figure
 * @param resolutions the resolution that the control has shown, by figure
 * @param matrices every client in every cell, by figure
 */
record Summary(
    String baseline,
    String hint,
    List<Tally> tallies,
    List<Finding> resolutions,
    List<Matrix> matrices) {

  /**
   * The verdicts of all comparisons by a figure.
   *
   * @param title the title of the figure
   * @param sentence the counts in words
   * @param ratios the least and the largest ratio to the baseline, and which way is better
   * @param parts the parts of the bar that are not empty
   */
  record Tally(String title, String sentence, String ratios, List<Part> parts) {}

  /** A share of the comparisons: a part of the bar, with its symbol. */
  record Part(String mark, String words, String width) {}

  /** A figure and a text about it. */
  record Finding(String title, String text) {}

  /** Clients by cells, by one figure. */
  record Matrix(String title, String direction, List<Column> columns, List<MatrixRow> rows) {}

  /** A cell: the address of its section and its name. */
  record Column(String id, String name) {}

  /** A client in all cells. */
  record MatrixRow(String client, String css, List<BaselineComparison> entries) {}

  static Summary of(List<CellResults> cells, Design design) {
    List<Tally> tallies = new ArrayList<>();
    List<Finding> resolutions = new ArrayList<>();
    List<Matrix> matrices = new ArrayList<>();
    for (Figure figure : Headlines.ranked(cells)) {
      List<CellResults> ranked = cells.stream()
          .filter(cell -> Headlines.ranked(cell.info().kind()).contains(figure))
          .toList();
      List<Effect> effects =
          ranked.stream().flatMap(cell -> cell.effects(figure).stream()).toList();
      if (!effects.isEmpty()) {
        tallies.add(tally(figure, effects, design.baseline()));
        // For a single cell, the ranking already shows this.
        if (ranked.size() > 1) {
          matrices.add(matrix(ranked, figure));
        }
        told(figure, effects, resolutions);
      }
    }
    String hint = design.rounds() < Judge.LEAST_ROUNDS && !tallies.isEmpty()
        ? design.rounds() + (design.rounds() == 1 ? " round is" : " rounds are")
            + " too few for a verdict, which takes three with a control: what follows are ratios"
            + " that another race may turn round."
        : "";
    return new Summary(design.baseline(), hint, tallies, resolutions, matrices);
  }

  boolean hasTallies() {
    return !tallies.isEmpty();
  }

  boolean hasMatrices() {
    return !matrices.isEmpty();
  }

  boolean hasResolutions() {
    return !resolutions.isEmpty();
  }

  private static Tally tally(Figure figure, List<Effect> effects, String baseline) {
    Map<Mark, Integer> counts = new EnumMap<>(Mark.class);
    effects.forEach(each -> counts.merge(Mark.of(each.verdict()), 1, Integer::sum));
    List<Part> parts = new ArrayList<>();
    for (Mark mark : List.of(Mark.WORSE, Mark.SAME, Mark.UNSURE, Mark.BETTER)) {
      int count = counts.getOrDefault(mark, 0);
      if (count > 0) {
        String words =
            switch (mark) {
              case WORSE -> count + " behind " + baseline;
              case SAME -> count + " no different";
              case UNSURE -> count + " too noisy to say";
              case BETTER -> count + " ahead of " + baseline;
            };
        parts.add(new Part(mark.css(), words, RatioAxis.percent(100.0 * count / effects.size())));
      }
    }
    String of = effects.size() == 1 ? "1 comparison" : effects.size() + " comparisons";
    String sentence =
        of + ": " + String.join(", ", parts.stream().map(Part::words).toList());
    return new Tally(Label.of(figure).title(), sentence, ratios(figure, effects, baseline), parts);
  }

  private static String ratios(Figure figure, List<Effect> effects, String baseline) {
    List<Double> medians =
        effects.stream().map(each -> each.ratio().median()).sorted().toList();
    String least = Unit.times(medians.getFirst());
    String most = Unit.times(medians.getLast());
    return "ratios to " + baseline + ": " + (least.equals(most) ? least : least + " to " + most)
        + ", " + Label.direction(figure);
  }

  private static void told(Figure figure, List<Effect> effects, List<Finding> resolutions) {
    List<Double> shares = effects.stream()
        .map(Effect::resolution)
        .filter(each -> each != null)
        .map(Resolution::share)
        .sorted()
        .toList();
    if (!shares.isEmpty()) {
      String finest = Unit.SHARE.show(shares.getFirst());
      String coarsest = Unit.SHARE.show(shares.getLast());
      resolutions.add(new Finding(
          Label.of(figure).title(), finest.equals(coarsest) ? finest : finest + " to " + coarsest));
    }
  }

  private static Matrix matrix(List<CellResults> cells, Figure figure) {
    List<CellResults> shown =
        cells.stream().filter(cell -> !cell.effects(figure).isEmpty()).toList();
    Set<String> clients = new LinkedHashSet<>();
    shown.forEach(cell -> cell.compared(figure).forEach(each -> clients.add(each.client())));
    List<MatrixRow> rows = new ArrayList<>();
    for (String client : clients) {
      List<BaselineComparison> entries =
          shown.stream().map(cell -> entry(cell, client, figure)).toList();
      rows.add(new MatrixRow(client, CellResults.isOurs(client) ? "ours" : "", entries));
    }
    return new Matrix(
        Label.of(figure).title(),
        Label.direction(figure),
        shown.stream()
            .map(cell -> new Column(CellSection.id(cell), cell.info().name()))
            .toList(),
        rows);
  }

  private static BaselineComparison entry(CellResults cell, String client, Figure figure) {
    for (Measurement each : cell.clients()) {
      Effect effect = each.client().equals(client) ? each.effect(figure) : null;
      if (effect != null) {
        return BaselineComparison.of(effect);
      }
    }
    return BaselineComparison.NOTHING;
  }
}
