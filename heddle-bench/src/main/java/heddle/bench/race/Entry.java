package heddle.bench.race;

import heddle.bench.contender.Contender;
import heddle.bench.contender.JvmContender;
import heddle.bench.driver.Wire;
import heddle.bench.experiment.Cell;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.Outcome;
import heddle.bench.result.Run;
import heddle.bench.server.Servers.Endpoint;
import heddle.load.LoadPlan;
import heddle.load.schedule.Strand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One contender in one cell. */
record Entry(Contender contender, Cell cell, Endpoint server) {

  /** A copy with another server. */
  Entry at(Endpoint other) {
    return new Entry(contender, cell, other);
  }

  boolean isJvm() {
    return contender instanceof JvmContender;
  }

  /** Why the contender does not take part; null if it does. */
  @Nullable
  String refusal() throws IOException, InterruptedException {
    return contender.refusal(plan(Windows.scaled(1)), cell.besideBytes() > 0);
  }

  /** Runs the measurement of a round. */
  Outcome measure(Windows windows, Runnable tick) throws IOException, InterruptedException {
    if (cell.isFirst() && contender instanceof JvmContender client) {
      Wire trusting = cell.wire().withTrust(server.trust());
      return client.first(cell.first(server), trusting, cell.jvmFlags());
    }
    if (server.bases().size() > 1 && contender instanceof JvmContender client) {
      List<LoadPlan> shares =
          cell.shares(server, strand(), windows.before(cell), windows.extent(cell));
      return client.measureShares(shares, cell.jvmFlags(), tick);
    }
    return cell.besideBytes() > 0 && contender instanceof JvmContender client
        ? client.measureBeside(plan(windows), cell.beside(server), tick)
        : contender.measure(plan(windows), tick);
  }

  private LoadPlan plan(Windows windows) {
    return cell.plan(server, strand(), windows.before(cell), windows.extent(cell));
  }

  /**
   * The load that runs before the first round, or null; its own warm-up is the shortest time for
   * that.
   */
  @Nullable
  LoadPlan warmUp(Windows windows) {
    // The client cannot tell when a server's compilers are idle.
    Duration least =
        cell.kind() == LoadKind.SERVED ? windows.mostWarmUp(cell) : windows.leastWarmUp();
    return cell.before(server, strand(), least, windows.extent(cell));
  }

  private Strand strand() {
    return contender instanceof JvmContender client ? client.entrant().strand() : Strand.VIRTUAL;
  }

  /** The measurement of its runs, without effects. */
  Measurement measurement(List<Run> runs) {
    return Medians.of(cell.info(), contender.name(), runs);
  }

  String label() {
    return contender.name() + " in " + cell.label();
  }
}
