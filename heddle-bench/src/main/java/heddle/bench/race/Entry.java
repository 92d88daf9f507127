package heddle.bench.race;

import heddle.bench.load.LoadPlan;
import heddle.bench.server.Servers.Endpoint;

/** One contender in one cell. */
record Entry(Contender contender, Cell cell, Endpoint server) {

  boolean isJvm() {
    return contender instanceof JvmContender;
  }

  /** What is measured in a round. */
  LoadPlan plan(Windows windows) {
    return cell.isClosed()
        ? cell.plan(server, windows.settle(), windows.measured())
        : cell.plan(server, windows.openWarmUp(), windows.open());
  }

  /** What is run before the first round; its own warm-up is the shortest time for that. */
  LoadPlan warmUp(Windows windows) {
    return cell.plan(server, windows.leastWarmUp(), windows.measured());
  }

  String label() {
    return contender.name() + " in " + cell.label();
  }
}
