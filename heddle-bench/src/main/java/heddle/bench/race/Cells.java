package heddle.bench.race;

import heddle.bench.driver.Wire;
import heddle.bench.experiment.Ask;
import heddle.bench.experiment.Cell;
import heddle.bench.experiment.Target;
import heddle.bench.server.Servers;
import heddle.load.Pace;
import heddle.load.Pace.Arrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The cells of a race. */
final class Cells {

  /** Stands for all cells. */
  static final String EVERY = "all";

  private static final int MIB = 1 << 20;

  /** Few enough for two cores, and more than one so that requests overlap. */
  private static final int LARGE_CALLERS = 4;

  private static final int HELLO_BYTES = 6;
  private static final Ask HELLO = Ask.get("/hello", HELLO_BYTES);

  /** The default cells. */
  private static final Set<String> USUAL = Set.of("h1-64", "h2tls-1x100");

  /** All cells, grouped as reports group them. */
  static final List<Cell> ALL = all();

  private Cells() {}

  private static List<Cell> all() {
    List<Cell> cells = new ArrayList<>();
    cells.add(hello("h1-64", false, Wire.http1(64)));
    cells.add(hello("h1-512", false, Wire.http1(512)));
    cells.add(paced("paced-1k"));
    large(cells, "h1", Wire.http1(LARGE_CALLERS), false);
    cells.add(hello("h1tls-64", true, Wire.http1(64)));
    large(cells, "h1tls", Wire.http1(LARGE_CALLERS), true);
    cells.add(hello("h2-1x100", false, Wire.http2(1, 100)));
    cells.add(hello("h2-4x64", false, Wire.http2(4, 64)));
    large(cells, "h2", Wire.http2(1, LARGE_CALLERS), false);
    cells.add(hello("h2tls-1x100", true, Wire.http2(1, 100)));
    cells.add(hello("h2tls-4x64", true, Wire.http2(4, 64)));
    large(cells, "h2tls", Wire.http2(1, LARGE_CALLERS), true);
    cells.add(slowReader("slow-reader-h2", false));
    cells.add(slowReader("slow-reader-h2tls", true));
    return List.copyOf(cells);
  }

  /** One stream of the connection is the slow reader's; the other streams share the connection. */
  private static Cell slowReader(String label, boolean tls) {
    Wire wire = Wire.http2(1, 100);
    Pace pace = new Pace.Closed(wire.exchanges() - 1);
    return new Cell(label, tls, wire, HELLO, pace, Servers.LARGE_BYTES);
  }

  private static Cell hello(String label, boolean tls, Wire wire) {
    return new Cell(label, tls, wire, HELLO, new Pace.Closed(wire.exchanges()), 0);
  }

  /** Twice as many connections as requests in flight, so that the pool is not the bottleneck. */
  private static Cell paced(String label) {
    Pace pace = new Pace.Open(1_000, 2_000, Arrivals.CONSTANT);
    Ask late = Ask.get("/delay/1000", HELLO_BYTES);
    return new Cell(label, false, Wire.http1(2_000), late, pace, 0);
  }

  private static void large(List<Cell> cells, String how, Wire wire, boolean tls) {
    Pace pace = new Pace.Closed(wire.exchanges());
    cells.add(new Cell("get-1m-" + how, tls, wire, Ask.get("/bytes/" + MIB, MIB), pace, 0));
    cells.add(new Cell("post-1m-" + how, tls, wire, Ask.post("/sink", MIB), pace, 0));
  }

  /**
   * Returns the cells with these names, in the order of {@link #ALL}: the default ones if there are
   * no names, and all for {@link #EVERY}. A prefix that ends before a hyphen stands for all cells
   * with that prefix.
   */
  static List<Cell> find(List<String> names) throws RaceException {
    for (String name : names) {
      if (!name.equals(EVERY) && ALL.stream().noneMatch(cell -> isNamed(cell, name))) {
        String known = ALL.stream().map(Cell::label).collect(Collectors.joining(", "));
        throw new UnknownNameException(
            "there is no cell " + name + ": choose among " + known + " and all");
      }
    }
    if (names.isEmpty()) {
      return ALL.stream().filter(cell -> USUAL.contains(cell.label())).toList();
    }
    return names.contains(EVERY)
        ? ALL
        : ALL.stream()
            .filter(cell -> names.stream().anyMatch(name -> isNamed(cell, name)))
            .toList();
  }

  /**
   * Returns the cells in which a server of the user's can be asked: small requests over what its
   * URI says.
   *
   * @param names the names of some of them; empty for the usual ones
   */
  static List<Cell> of(Target target, List<String> names) throws RaceException {
    List<Cell> possible = ALL.stream()
        .filter(cell -> cell.tls() == target.isTls() && cell.isSmall())
        .toList();
    Set<String> wanted = names.isEmpty()
        ? target.isTls() ? Set.of("h1tls-64", "h2tls-1x100") : Set.of("h1-64")
        : Set.copyOf(names);
    List<Cell> cells = possible.stream()
        .filter(cell -> wanted.contains(cell.label()))
        .map(cell -> cell.asking(Ask.get(target.path(), -1)))
        .toList();
    if (cells.size() < wanted.size()) {
      throw new RaceException("the cells for " + target.base() + " are "
          + possible.stream().map(Cell::label).collect(Collectors.joining(", ")) + ", not "
          + String.join(", ", names));
    }
    return cells;
  }

  private static boolean isNamed(Cell cell, String name) {
    return cell.label().equals(name) || cell.label().startsWith(name + "-");
  }
}
