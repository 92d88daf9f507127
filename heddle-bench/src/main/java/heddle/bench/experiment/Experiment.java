package heddle.bench.experiment;

import heddle.bench.contender.Entrant;
import heddle.bench.result.Method;
import heddle.bench.result.Story;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A race that has a name: what is raced, by whom, and what there is to be seen.
 *
 * @param story what it is about, with the scale at which its cells are
 * @param takes how long it takes at the scale and with the rounds of its file, roughly
 * @param method how its clients are run
 * @param rounds how often each is measured in each cell
 * @param baseline the name of the entrant that the others are compared to
 * @param entrants who takes part
 * @param cells what they are put under
 * @param target what they ask; null for servers that the race starts
 */
public record Experiment(
    Story story,
    String takes,
    Method method,
    int rounds,
    String baseline,
    List<Entrant> entrants,
    List<Cell> cells,
    @Nullable Target target) {

  /** Keeps copies. */
  public Experiment {
    entrants = List.copyOf(entrants);
    cells = List.copyOf(cells);
  }
}
