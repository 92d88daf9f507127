package heddle.bench.experiment;

import heddle.bench.contender.Entrant;
import heddle.bench.result.Method;
import heddle.bench.result.Story;
import heddle.bench.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named race: its cells, its entrants, and what it shows.
 *
 * @param story what it is about, and the scale of its cells
 * @param takes how long it takes at the scale and with the rounds of its file, roughly
 * @param method how its clients are run
 * @param rounds how often each is measured in each cell
 * @param baseline the name of the entrant that the others are compared with
 * @param entrants the participants
 * @param tools the load generators in C that take part where they are installed
 * @param cells their loads
 * @param target the server that they use; null for servers that the race starts
 */
public record Experiment(
    Story story,
    String takes,
    Method method,
    int rounds,
    String baseline,
    List<Entrant> entrants,
    List<Tool> tools,
    List<Cell> cells,
    @Nullable Target target) {

  /** Copies the lists. */
  public Experiment {
    entrants = List.copyOf(entrants);
    tools = List.copyOf(tools);
    cells = List.copyOf(cells);
  }
}
