package heddle.server.accept;

import heddle.connection.MemoryBudget;
import heddle.connection.RequestListener;
import heddle.connection.ServerConnection;
import heddle.connection.ServerExchange;
import heddle.connection.ServerLimits;
import heddle.connection.ServerVersions;
import heddle.connection.negotiate.ServerNegotiator;
import heddle.http.Headers;
import heddle.http.Status;
import heddle.server.dispatch.Dispatcher;
import heddle.server.proxy.TrustedProxies;
import heddle.server.spi.RefusedRequest;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.SafeLog;
import heddle.transport.TlsProvider;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Admits connections and requests up to the limits, and refuses the others. Called on the loops,
 * and by threads that have answered a request. Keeps every open connection, and ends all of them
 * when the server closes.
 */
public final class Acceptor implements RequestListener {
  private static final Logger LOG = System.getLogger(Acceptor.class.getName());

  private static final Duration ABORT_BOUND = Duration.ofSeconds(2); // for interrupted handlers

  private record Idle(ServerConnection connection, long until) {}

  private final AdmissionLimit connections;
  private final AdmissionLimit requests;
  private final AdmissionLimit refusals;
  private final MemoryBudget budget;
  private final Dispatcher dispatcher;
  private final ServerNegotiator negotiator;
  private final Set<ServerConnection> open = ConcurrentHashMap.newKeySet();
  private final Set<ServerConnection> refused = ConcurrentHashMap.newKeySet();
  private final int connectionBytes;
  private final RefusalReports reports;
  private final LongAdder refusedConnections = new LongAdder();
  private final LongAdder droppedConnections = new LongAdder();
  private final LongAdder clientFaults = new LongAdder();
  private volatile boolean draining;

  /** The thread that waits in {@link #drain}; set before it checks, so that it misses nothing. */
  private volatile @Nullable Thread waiter;

  /**
   * @param tls whether connections may be protected, which sets their fixed cost
   * @param versions of HTTP, which clients may choose from
   * @param budget the memory budget, in which this class counts the fixed cost of each connection
   * @param requests entered here for each request; the dispatcher leaves it when the answer ends
   * @param refusals how many peers are being refused at the same time at most; others are cut
   */
  public Acceptor(
      boolean tls,
      ServerVersions versions,
      ServerLimits limits,
      MemoryBudget budget,
      AdmissionLimit connections,
      AdmissionLimit requests,
      AdmissionLimit refusals,
      Dispatcher dispatcher) {
    this.negotiator = new ServerNegotiator(versions, limits, budget, this);
    this.connections = connections;
    this.requests = requests;
    this.refusals = refusals;
    this.budget = budget;
    this.connectionBytes = Capacity.connectionBytes(tls);
    this.dispatcher = dispatcher;
    this.reports = new RefusalReports(dispatcher::refused, this::onProgress);
  }

  /**
   * A connection was accepted.
   *
   * @param tls null for cleartext
   * @param proxies peers that send a header of the PROXY protocol first; null if none do
   */
  public void accept(
      Channel accepted, @Nullable TlsProvider tls, @Nullable TrustedProxies proxies) {
    Channel channel = proxies != null && proxies.contains(accepted.remoteAddress())
        ? new ProxyHeaderChannel(accepted, this::onFault)
        : accepted;
    ServerConnection connection = negotiator.accept(channel, tls);
    if (!budget.isExhausted() && connections.tryEnter()) {
      begin(connection, open, connections);
    } else if (refusals.tryEnter()) {
      refusedConnections.increment();
      begin(connection, refused, refusals);
    } else {
      droppedConnections.increment();
      channel.close();
    }
  }

  /**
   * Counts a connection that has entered the limit, and uncounts it if it cannot be started. In a
   * finally block, because without memory a catch block may fail itself.
   */
  private void begin(ServerConnection connection, Set<ServerConnection> set, AdmissionLimit limit) {
    boolean added = false;
    boolean started = false;
    try {
      set.add(connection);
      added = true;
      budget.hold(connectionBytes);
      start(connection, set == refused);
      started = true;
    } finally {
      if (!added) {
        limit.leave();
      } else if (!started) {
        // Its channel may not know it yet and then does not notify it when it is closed.
        onClosed(connection);
      }
    }
  }

  private void start(ServerConnection connection, boolean refusing) {
    if (refusing) {
      connection.startRefusing(Status.SERVICE_UNAVAILABLE, 1);
    } else {
      connection.start();
      if (draining) {
        connection.drain();
      }
    }
  }

  @Override
  public void onRequest(ServerExchange exchange) {
    if (!budget.isExhausted() && requests.tryEnter()) {
      dispatcher.dispatch(exchange);
    } else {
      exchange.refuse(Dispatcher.unavailable());
    }
  }

  @Override
  public boolean switchesProtocols() {
    return dispatcher.switchesProtocols();
  }

  @Override
  public void onRefused(
      Channel channel, String requestLine, Headers fields, @Nullable Status status) {
    if (dispatcher.seesRefusals()) {
      reports.add(new RefusedRequest(channel.remoteAddress(), requestLine, fields, status));
    }
  }

  @Override
  public void onFault() {
    clientFaults.increment();
  }

  @Override
  public void onClosed(ServerConnection connection) {
    try {
      if (open.remove(connection)) {
        connections.leave();
        budget.release(connectionBytes);
      } else if (refused.remove(connection)) {
        refusals.leave();
        budget.release(connectionBytes);
      }
    } finally {
      onProgress();
    }
  }

  /**
   * The process may open no more files: closes an eighth of the connections that are idle between
   * two requests, or four of them, beginning with those whose idle timeout ends first. Call again
   * if that is not enough.
   */
  public void makeRoom() {
    List<Idle> idle = new ArrayList<>();
    for (ServerConnection connection : inOrder(open)) {
      long until = connection.idleUntil();
      if (until != Deadline.NEVER_NANOS) {
        idle.add(new Idle(connection, until));
      }
    }
    idle.sort(Comparator.comparingLong(Idle::until));
    int some = Math.min(idle.size(), Math.max(4, idle.size() / 8));
    idle.subList(0, some).forEach(each -> each.connection().closeIfUnused());
  }

  public int openConnections() {
    return connections.inside();
  }

  public long refusedConnections() {
    return refusedConnections.sum();
  }

  public long droppedConnections() {
    return droppedConnections.sum();
  }

  public long clientFaults() {
    return clientFaults.sum();
  }

  boolean isEmpty() {
    return open.isEmpty() && refused.isEmpty() && reports.isIdle();
  }

  /** A connection is closed, or a request is answered. From any thread. */
  public void onProgress() {
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * Ends all connections: idle ones are closed, running requests are answered with {@code
   * Connection: close}, and after a bounded wait the remaining connections are cut and their
   * threads interrupted. The caller must have stopped accepting. Called once. An interrupt of the
   * calling thread ends the wait: the connections are cut at once, and the flag is set again.
   */
  public void drain(Duration patience, EventLoop loop) {
    draining = true;
    waiter = Thread.currentThread();
    boolean ended = false;
    try {
      forEach(open, ServerConnection::drain);
      ended = await(this::isEmpty, patience, loop);
    } finally {
      try {
        if (!ended) {
          cut(patience, loop);
        }
      } finally {
        waiter = null;
      }
    }
  }

  private void cut(Duration patience, EventLoop loop) {
    int count = openConnections();
    forEach(open, ServerConnection::abort);
    forEach(refused, ServerConnection::abort);
    String message = "Connections are cut that were not done within " + patience + ": ";
    SafeLog.log(LOG, patience.isZero() ? Level.DEBUG : Level.WARNING, message, count, null);
    boolean interrupted = Thread.interrupted();
    if (!await(() -> isEmpty() && requests.inside() == 0, ABORT_BOUND, loop)) {
      message = "Handlers that go on though they were interrupted: ";
      SafeLog.log(LOG, Level.WARNING, message, requests.inside(), null);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean await(BooleanSupplier done, Duration bound, EventLoop loop) {
    Deadline deadline = Deadline.after(bound, loop.clock());
    try {
      Waiting.until(done, loop, deadline, "waiting for requests to be answered");
      return true;
    } catch (DeadlinePassedException | InterruptedIOException e) {
      return false;
    }
  }

  /** Unlike the order of identity hashes, a simulated world can repeat this one. */
  private static List<ServerConnection> inOrder(Set<ServerConnection> connections) {
    return connections.stream()
        .sorted(Comparator.comparingLong(ServerConnection::id))
        .toList();
  }

  /** If one fails, the others are still processed. */
  private static void forEach(
      Set<ServerConnection> connections, Consumer<ServerConnection> action) {
    for (ServerConnection connection : inOrder(connections)) {
      try {
        action.accept(connection);
      } catch (RuntimeException | Error e) {
        SafeLog.log(LOG, Level.ERROR, "Closing failed of ", connection, e);
      }
    }
  }
}
