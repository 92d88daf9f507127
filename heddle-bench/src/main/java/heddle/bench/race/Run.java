package heddle.bench.race;

import heddle.bench.load.LoadPlan;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One client once, in one process: in all closed cells one after the other, so that they share the
 * time that a JVM takes to get warm, or in one open cell.
 *
 * @param cells the loads, in this order; all closed or one that is open, and one at a time for wrk
 * @param client the client's name
 * @param round from 1
 */
record Run(List<Cell> cells, String client, int round) {

  Run {
    cells = List.copyOf(cells);
  }

  boolean isWrk() {
    return client.equals(Wrk.NAME);
  }

  boolean isClosed() {
    return cells.getFirst().isClosed();
  }

  String label() {
    return client + " in "
        + cells.stream().map(Cell::label).collect(Collectors.joining(" and "))
        + ", round " + round;
  }

  /** The loads to be measured. */
  List<LoadPlan> plans(URI server, Windows windows) {
    return cells.stream().map(cell -> cell.plan(server, windows)).toList();
  }

  /** What a JVM does before closed loads are measured: the same, unmeasured. */
  List<LoadPlan> warmUps(URI server, Windows windows) {
    if (!isClosed() || windows.closedWarmUp().isZero()) {
      return List.of();
    }
    Duration each = windows.closedWarmUp().dividedBy(cells.size());
    return cells.stream().map(cell -> cell.warmUp(server, each)).toList();
  }

  /** How long the loads take. */
  Duration load(Windows windows) {
    if (isWrk()) {
      return Duration.ofSeconds(Wrk.seconds(windows.closed()));
    }
    return isClosed()
        ? windows.closedJvm(cells.size())
        : windows.openWarmUp().plus(windows.open()).plus(Windows.OPEN_TAIL);
  }

  /** How long the run should take. */
  Duration planned(Windows windows, Duration startUp) {
    return isWrk() ? load(windows) : load(windows).plus(startUp);
  }
}
