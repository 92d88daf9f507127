package heddle.bench.experiment;

import heddle.bench.contender.Entrant;
import java.util.List;
import java.util.Locale;

/** Renders the list of experiments. */
public final class ExperimentList {

  private static final int COLUMNS = 78;
  private static final String INDENT = "    ";

  private ExperimentList() {}

  /** Renders what each experiment shows, its clients and how long it takes. */
  public static String render(List<Experiment> experiments) {
    StringBuilder out = new StringBuilder();
    for (Experiment each : experiments) {
      out.append(each.story().name()).append(": ").append(each.story().title()).append('\n');
      wrap(out, each.story().shows());
      wrap(out, "Clients: " + String.join(", ", names(each)) + ".");
      wrap(
          out,
          String.format(
              Locale.ROOT,
              "%d cells, %d rounds, %s at scale %s.",
              each.cells().size(),
              each.rounds(),
              each.takes(),
              each.story().scale()));
      out.append('\n');
    }
    return out.toString();
  }

  private static List<String> names(Experiment experiment) {
    return experiment.entrants().stream().map(Entrant::name).toList();
  }

  private static void wrap(StringBuilder out, String text) {
    StringBuilder line = new StringBuilder(INDENT);
    for (String word : text.strip().split("\\s+", -1)) {
      if (line.length() > INDENT.length() && line.length() + word.length() >= COLUMNS) {
        out.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder(INDENT);
      }
      line.append(word).append(' ');
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }
}
