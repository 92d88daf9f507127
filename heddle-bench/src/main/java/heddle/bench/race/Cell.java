package heddle.bench.race;

import heddle.bench.load.Extent;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import heddle.bench.load.Pace.Arrivals;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A kind of load that all clients are put under.
 *
 * @param label its name in options and reports
 * @param path what is asked of the server
 * @param pace when requests are sent
 */
record Cell(String label, String path, Pace pace) {

  /**
   * All cells. The open load may use twice as many connections as are in flight at a time, so that
   * the pool is no bottleneck.
   */
  static final List<Cell> ALL = List.of(
      new Cell("h1-64", "/hello", new Pace.Closed(64)),
      new Cell("h1-512", "/hello", new Pace.Closed(512)),
      new Cell("paced-1k", "/delay/1000", new Pace.Open(1_000, 2_000, Arrivals.CONSTANT)));

  /** The cells with these names, in the order of {@link #ALL}; all where no name is given. */
  static List<Cell> find(List<String> names) throws RaceException {
    List<String> known = ALL.stream().map(Cell::label).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new RaceException(known.stream()
            .collect(Collectors.joining(", ", "there is no cell " + name + ": choose among ", "")));
      }
    }
    List<Cell> found = new ArrayList<>(ALL);
    found.removeIf(cell -> !names.isEmpty() && !names.contains(cell.label));
    return found;
  }

  boolean isClosed() {
    return pace instanceof Pace.Closed;
  }

  /** How often a client runs here: an open load mostly waits, and once says enough. */
  int rounds(int asked) {
    return isClosed() ? asked : 1;
  }

  URI uri(URI server) {
    return server.resolve(path);
  }

  /** The load as it is measured. */
  LoadPlan plan(URI server, Windows windows) {
    return isClosed()
        ? new LoadPlan(uri(server), pace, new Extent.Lasting(windows.closed()), Windows.SETTLE)
        : new LoadPlan(uri(server), pace, new Extent.Lasting(windows.open()), windows.openWarmUp());
  }

  /**
   * The load for so long, to get warm by. It has both parts that the measured load has, or the
   * compiler would find a part that it has never seen just when that is measured.
   */
  LoadPlan warmUp(URI server, Duration time) {
    Duration half = time.dividedBy(2);
    return new LoadPlan(uri(server), pace, new Extent.Lasting(half), half);
  }
}
