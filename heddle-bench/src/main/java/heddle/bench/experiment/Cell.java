package heddle.bench.experiment;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Wire;
import heddle.bench.result.CellInfo;
import heddle.bench.result.LoadKind;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.server.Serving;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Strand;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One kind of load, which each client runs.
 *
 * @param label its name in options and reports
 * @param tls whether connections are encrypted
 * @param wire the connections of the clients, without trust
 * @param ask the request
 * @param pace when requests are sent
 * @param besideBytes how many bytes an additional slow reader receives; 0 for no such reader
 * @param times how long it takes; null for as long as the race has time
 * @param jvmFlags of the clients in this cell, in addition to the common ones
 * @param share the rate of an open load as a share of another cell's result; null if the pace has
 *     it
 * @param serving its server; null for the race's default server for such cells
 * @param kind how it is reported; if it is a first request, nothing else is measured
 */
public record Cell(
    String label,
    boolean tls,
    Wire wire,
    Ask ask,
    Pace pace,
    int besideBytes,
    @Nullable Times times,
    List<String> jvmFlags,
    @Nullable Share share,
    @Nullable Serving serving,
    LoadKind kind) {

  /** As many connections as one server process holds with the usual limits, with some to spare. */
  public static final int MOST_CONNECTIONS = 15_000;

  /** Copies the list. */
  public Cell {
    jvmFlags = List.copyOf(jvmFlags);
  }

  /** Creates a cell that takes as long as the race has time. */
  public Cell(String label, boolean tls, Wire wire, Ask ask, Pace pace, int besideBytes) {
    this(label, tls, wire, ask, pace, besideBytes, null, List.of(), null, null, kind(pace));
  }

  /** The same cell with another request. */
  public Cell asking(Ask other) {
    return new Cell(
        label, tls, wire, other, pace, besideBytes, times, jvmFlags, share, serving, kind);
  }

  /** The same cell with the rate that its share amounts to. */
  public Cell atRate(double requestsPerSecond) {
    if (!(pace instanceof Pace.Open open)) {
      throw new IllegalStateException(label + " has no rate but " + pace);
    }
    Pace known = new Pace.Open(
        RateCurve.constant(requestsPerSecond),
        open.arrivals(),
        open.seed(),
        open.inFlight(),
        open.maxInFlight());
    return new Cell(
        label, tls, wire, ask, known, besideBytes, times, jvmFlags, null, serving, kind);
  }

  /** Whether each caller waits for its answer before it sends its next request. */
  public boolean isClosed() {
    return pace instanceof Pace.Closed;
  }

  /**
   * Whether each run needs a fresh server: one that holds requests may still do so when the client
   * is gone, and one that has had connections keeps the memory that they took.
   */
  public boolean needsFreshServer() {
    return pace instanceof Pace.Held || isIdle();
  }

  /** Whether callers pause longer than the cell lasts, so that most connections are idle in it. */
  public boolean isIdle() {
    return pace instanceof Pace.Closed closed
        && times != null
        && closed.think().mean().compareTo(times.expected()) > 0;
  }

  /** Whether it is a closed load of requests with little content, and nothing else. */
  public boolean isSmall() {
    return isClosed() && besideBytes == 0 && !info().isLarge();
  }

  /** The only protocol that clients may use. */
  public Protocol protocol() {
    return wire.protocol();
  }

  /** The measured load, and what precedes it in the same run. */
  public LoadPlan plan(Endpoint server, Strand strand, Duration warmUp, Extent extent) {
    return plan(server, strand, pace, warmUp, extent);
  }

  private LoadPlan plan(
      Endpoint server, Strand strand, Pace asked, Duration warmUp, Extent extent) {
    Wire trusting = wire.withTrust(server.trust());
    return new LoadPlan(ask.of(server.base()), trusting, asked, extent, warmUp, strand);
  }

  /** Whether a warm-up precedes the runs. */
  public boolean isWarmedUp() {
    return !isIdle() && (isClosed() || (times != null && times.callers() != null));
  }

  /**
   * The load that warms a client up before anything is measured: the load itself if it is closed,
   * otherwise callers that wait for their answers.
   *
   * @return null if there is no warm-up
   */
  public @Nullable LoadPlan before(Endpoint server, Strand strand, Duration warmUp, Extent extent) {
    Times.Callers callers = times == null ? null : times.callers();
    if (!isWarmedUp()) {
      return null;
    }
    if (callers == null) {
      return plan(server, strand, warmUp, extent);
    }
    return plan(server, strand, callers.pace(), warmUp, extent);
  }

  /** Whether only the first request of a JVM is measured. */
  public boolean isFirst() {
    return kind == LoadKind.FIRST;
  }

  /** The same cell for a comparison of servers. */
  Cell comparingServers() {
    return new Cell(
        label, tls, wire, ask, pace, besideBytes, times, jvmFlags, share, serving, LoadKind.SERVED);
  }

  /** The only request of a client that has just started. */
  public URI first(Endpoint server) {
    return ask.of(server.base()).uri();
  }

  /**
   * How many processes of a client, and of its server, it takes: with the usual limit of
   * descriptors, one holds some 20,000.
   */
  public int processes() {
    boolean isSpread = pace instanceof Pace.Held && wire.protocol() == Protocol.HTTP_1_1;
    return isSpread ? Math.ceilDiv(wire.connections(), MOST_CONNECTIONS) : 1;
  }

  /** The shares of the load, one for each copy of the server, which are held at the same time. */
  public List<LoadPlan> shares(Endpoint server, Strand strand, Duration warmUp, Extent extent) {
    List<LoadPlan> shares = new ArrayList<>();
    int count = server.bases().size();
    for (int i = 0; i < count; i++) {
      Wire own = new Wire(
          wire.protocol(),
          share(wire.connections(), i, count),
          wire.streams(),
          wire.requests(),
          server.trust());
      Pace held = new Pace.Held(share(pace.inFlight(), i, count));
      shares.add(new LoadPlan(ask.of(server.bases().get(i)), own, held, extent, warmUp, strand));
    }
    return shares;
  }

  private static int share(int all, int number, int count) {
    return all / count + (number < all % count ? 1 : 0);
  }

  /**
   * How many windows a round has: three with a slow reader (before, during and after), else one.
   */
  public int windowsARound() {
    return besideBytes > 0 ? 3 : 1;
  }

  /** The request of the slow reader. */
  public DriverRequest beside(Endpoint server) {
    return Ask.get("/bytes/" + besideBytes, besideBytes).of(server.base());
  }

  /** How many concurrent requests of a client the server may see. */
  public int mostAtOnce() {
    return pace.inFlight() + (besideBytes > 0 ? 1 : 0);
  }

  /** The cell as it is described in results. */
  public CellInfo info() {
    return new CellInfo(
        label,
        wire.protocol().label(),
        tls,
        wire.connections(),
        wire.streams(),
        ask.method(),
        ask.path(),
        ask.bytes(),
        kind,
        pace.inFlight());
  }

  /** The default kind of a pace. */
  static LoadKind kind(Pace pace) {
    return switch (pace) {
      case Pace.Closed _ -> LoadKind.CLOSED;
      case Pace.Open _ -> LoadKind.OPEN;
      case Pace.Batch _ -> LoadKind.BATCH;
      case Pace.Held _ -> LoadKind.HELD;
    };
  }
}
