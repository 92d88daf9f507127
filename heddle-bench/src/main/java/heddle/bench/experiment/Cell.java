package heddle.bench.experiment;

import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Wire;
import heddle.bench.load.Extent;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import heddle.bench.result.CellInfo;
import heddle.bench.result.LoadKind;
import heddle.bench.schedule.RateCurve;
import heddle.bench.schedule.Strand;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.server.Serving;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of load that all clients are put under.
 *
 * @param label its name in options and reports
 * @param tls whether connections are encrypted
 * @param wire how clients are connected, trust aside
 * @param ask what is asked of the server
 * @param pace when requests are sent
 * @param besideBytes how many bytes one more caller is answered with, who reads them slowly; 0
 *     where there is no such caller
 * @param times how long it takes; null for as long as the race has time
 * @param jvmFlags of the clients here, beside those that all have
 * @param share where the rate of an open load is known only when another cell was run; null where
 *     the pace says it
 * @param serving what serves it; null for what the race serves such cells with
 * @param kind how it is reported; of a first request, nothing but that is measured
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

  private static final int MOST_CONNECTIONS = 15_000;

  /** Keeps a copy of the list. */
  public Cell {
    jvmFlags = List.copyOf(jvmFlags);
  }

  /** A cell that takes as long as the race has time. */
  public Cell(String label, boolean tls, Wire wire, Ask ask, Pace pace, int besideBytes) {
    this(label, tls, wire, ask, pace, besideBytes, null, List.of(), null, null, kind(pace));
  }

  /** The same with the rate that its share has come to. */
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
   * Whether each run needs a server that nobody has asked before: one that holds requests may still
   * do so when the client is gone.
   */
  public boolean isHeld() {
    return pace instanceof Pace.Held;
  }

  /** The only one that clients may speak. */
  public Protocol protocol() {
    return wire.protocol();
  }

  /** The load as it is measured, and what goes before that in the same run. */
  public LoadPlan plan(Endpoint server, Strand strand, Duration warmUp, Extent extent) {
    return plan(server, strand, pace, warmUp, extent);
  }

  private LoadPlan plan(
      Endpoint server, Strand strand, Pace asked, Duration warmUp, Extent extent) {
    Wire trusting = wire.withTrust(server.trust());
    return new LoadPlan(ask.of(server.base()), trusting, asked, extent, warmUp, strand);
  }

  /** Whether anything goes before the runs. */
  public boolean isWarmedUp() {
    return isClosed() || (times != null && times.callers() != null);
  }

  /**
   * What warms a client up before anything is measured: the load itself where that is a closed one,
   * or callers that wait for their answers before another one.
   *
   * @return null where nothing does
   */
  public @Nullable LoadPlan before(Endpoint server, Strand strand, Duration warmUp, Extent extent) {
    Times.Callers callers = times == null ? null : times.callers();
    if (callers == null) {
      return isClosed() ? plan(server, strand, warmUp, extent) : null;
    }
    return plan(server, strand, callers.pace(), warmUp, extent);
  }

  /** Whether it is the first request of a JVM that is measured, and nothing else. */
  public boolean isFirst() {
    return kind == LoadKind.FIRST;
  }

  /** The same where servers are compared. */
  Cell comparingServers() {
    return new Cell(
        label, tls, wire, ask, pace, besideBytes, times, jvmFlags, share, serving, LoadKind.SERVED);
  }

  /** The one request of a client that has just started. */
  public URI first(Endpoint server) {
    return ask.of(server.base()).uri();
  }

  /**
   * How many processes of a client, and of its server, it takes: one holds some 20,000 descriptors
   * where their limit is as usual.
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
          wire.protocol(), share(wire.connections(), i, count), wire.streams(), server.trust());
      Pace held = new Pace.Held(share(pace.inFlight(), i, count));
      shares.add(new LoadPlan(ask.of(server.bases().get(i)), own, held, extent, warmUp, strand));
    }
    return shares;
  }

  private static int share(int all, int number, int count) {
    return all / count + (number < all % count ? 1 : 0);
  }

  /** How many windows a round has here: before, beside and after the slow reader, where one is. */
  public int windowsARound() {
    return besideBytes > 0 ? 3 : 1;
  }

  /** What the slow reader asks for. */
  public DriverRequest beside(Endpoint server) {
    return Ask.get("/bytes/" + besideBytes, besideBytes).of(server.base());
  }

  /** How many requests of a client the server may see at once. */
  public int mostAtOnce() {
    return pace.inFlight() + (besideBytes > 0 ? 1 : 0);
  }

  /** As results have it. */
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

  /** What a pace is where nothing else is said. */
  static LoadKind kind(Pace pace) {
    return switch (pace) {
      case Pace.Closed _ -> LoadKind.CLOSED;
      case Pace.Open _ -> LoadKind.OPEN;
      case Pace.Batch _ -> LoadKind.BATCH;
      case Pace.Held _ -> LoadKind.HELD;
    };
  }
}
