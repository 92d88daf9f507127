package heddle.bench.race;

import heddle.bench.account.Agreement;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Wire;
import heddle.bench.load.Extent;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import heddle.bench.result.CellInfo;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Method;
import heddle.bench.server.Servers.Endpoint;
import java.time.Duration;

/**
 * A kind of load that all clients are put under.
 *
 * @param label its name in options and reports
 * @param isDefault whether it is raced when no cell is asked for
 * @param tls whether connections are encrypted
 * @param wire how clients are connected, trust aside
 * @param path what is asked of the server
 * @param contentLength how many bytes are posted; 0 for a GET
 * @param answerLength how many bytes a complete answer has
 * @param pace when requests are sent
 * @param besideBytes how many bytes one more caller is answered with, who reads them slowly; 0
 *     where there is no such caller
 */
record Cell(
    String label,
    boolean isDefault,
    boolean tls,
    Wire wire,
    String path,
    int contentLength,
    int answerLength,
    Pace pace,
    int besideBytes) {

  boolean isClosed() {
    return pace instanceof Pace.Closed;
  }

  Protocol protocol() {
    return wire.protocol();
  }

  /** How often a client runs here: an open load mostly waits, and once will do in a quick race. */
  int rounds(RacePlan plan) {
    return isClosed() || plan.method() == Method.FRESH ? plan.rounds() : 1;
  }

  /** The load as it is measured, and what goes before that in the same run. */
  LoadPlan plan(Endpoint server, Duration settle, Duration measured) {
    Wire trusting = wire.withTrust(server.trust());
    DriverRequest request =
        new DriverRequest(server.base().resolve(path), contentLength, answerLength);
    return new LoadPlan(request, trusting, pace, new Extent.Lasting(measured), settle);
  }

  /** How many windows a round has here: before, beside and after the slow reader, where one is. */
  int windowsARound() {
    return besideBytes > 0 ? 3 : 1;
  }

  /** What the slow reader asks for. */
  DriverRequest beside(Endpoint server) {
    return new DriverRequest(server.base().resolve("/bytes/" + besideBytes), 0, besideBytes);
  }

  /** What the server may see of a client here. */
  Agreement.Bounds bounds() {
    return new Agreement.Bounds(wire.connections(), pace.inFlight() + (besideBytes > 0 ? 1 : 0));
  }

  CellInfo info() {
    return new CellInfo(
        label,
        wire.protocol().label(),
        tls,
        wire.connections(),
        wire.streams(),
        contentLength > 0 ? "POST" : "GET",
        path,
        contentLength + (long) answerLength,
        kind(),
        pace.inFlight());
  }

  private LoadKind kind() {
    return switch (pace) {
      case Pace.Closed _ -> LoadKind.CLOSED;
      case Pace.Open _ -> LoadKind.OPEN;
      case Pace.Batch _ -> LoadKind.BATCH;
      case Pace.Held _ -> LoadKind.HELD;
    };
  }
}
