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

  String label() {
    return contender.name() + " in " + cell.label();
  }
}
