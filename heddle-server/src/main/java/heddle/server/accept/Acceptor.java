package heddle.server.accept;

import heddle.connection.MemoryBudget;
import heddle.connection.RequestListener;
import heddle.connection.ServerConnection;
import heddle.connection.ServerExchange;
import heddle.connection.ServerLimits;
import heddle.connection.negotiate.ProtocolNegotiator;
import heddle.http.Status;
import heddle.server.dispatch.Dispatcher;
import heddle.transport.Channel;
import heddle.transport.Deadline;
import heddle.transport.Roster;
import heddle.transport.SafeLog;
import heddle.transport.TlsProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets connections and requests in as far as the limits allow, and tells the others to come back
 * later. Called on the loops; knows every connection that is open.
 */
public final class Acceptor implements Consumer<Channel>, RequestListener {
  private static final Logger LOG = System.getLogger(Acceptor.class.getName());
  private static final int RETRY_AFTER_SECONDS = 1;

  /** How many idle connections at least, and which part of all, make room at a time. */
  private static final int LEAST_CLOSED = 4;

  private static final int CLOSED_OF = 8;

  private record Idle(ServerConnection connection, long until) {}

  private final @Nullable TlsProvider tls;
  private final ServerLimits limits;
  private final AdmissionLimit connections;
  private final AdmissionLimit requests;
  private final AdmissionLimit refusals;
  private final MemoryBudget budget;
  private final Dispatcher dispatcher;
  private final ProtocolNegotiator negotiator = new ProtocolNegotiator();
  private final Roster<ServerConnection> open = new Roster<>();
  private final Roster<ServerConnection> refused = new Roster<>();
  private final Drain drain = new Drain(this);
  private final int connectionBytes;
  private final LongAdder refusedConnections = new LongAdder();
  private final LongAdder droppedConnections = new LongAdder();

  /**
   * @param tls null to speak without
   * @param budget what is held for all peers; each connection is counted here at its fixed cost
   * @param requests entered here for each request; left by whoever has answered it
   * @param refusals how many peers are told at a time that there is no room; more are cut
   */
  public Acceptor(
      @Nullable TlsProvider tls,
      ServerLimits limits,
      MemoryBudget budget,
      AdmissionLimit connections,
      AdmissionLimit requests,
      AdmissionLimit refusals,
      Dispatcher dispatcher) {
    this.tls = tls;
    this.limits = limits;
    this.connections = connections;
    this.requests = requests;
    this.refusals = refusals;
    this.budget = budget;
    this.connectionBytes = Capacity.connectionBytes(tls != null);
    this.dispatcher = dispatcher;
  }

  @Override
  public void accept(Channel channel) {
    ServerConnection connection = negotiator.accept(channel, tls, limits, budget, this);
    if (!budget.isExhausted() && connections.tryEnter()) {
      begin(connection, open, connections, () -> {
        connection.start();
        if (drain.hasBegun()) {
          connection.drain();
        }
      });
    } else if (refusals.tryEnter()) {
      refusedConnections.increment();
      begin(
          connection,
          refused,
          refusals,
          () -> connection.startRefusing(Status.SERVICE_UNAVAILABLE, RETRY_AFTER_SECONDS));
    } else {
      droppedConnections.increment();
      channel.close();
    }
  }

  /** Counts a connection that has entered the limit; no longer if it cannot be started. */
  private void begin(
      ServerConnection connection,
      Roster<ServerConnection> roster,
      AdmissionLimit limit,
      Runnable start) {
    try {
      roster.add(connection);
    } catch (RuntimeException | Error e) {
      limit.leave();
      throw e;
    }
    budget.hold(connectionBytes);
    try {
      start.run();
    } catch (RuntimeException | Error e) {
      // Its channel may not know it yet, and then would not tell when it is closed.
      onClosed(connection);
      throw e;
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
      drain.onProgress();
    }
  }

  /**
   * The process may open no more files: closes some of the connections that are idle between two
   * requests, those first whose time is over first. To be called again while that does not suffice.
   */
  public void makeRoom() {
    List<Idle> idle = new ArrayList<>();
    for (ServerConnection connection : open.inOrder()) {
      long until = connection.idleUntil();
      if (until != Deadline.NEVER_NANOS) {
        idle.add(new Idle(connection, until));
      }
    }
    idle.sort(Comparator.comparingLong(Idle::until));
    int some = Math.min(idle.size(), Math.max(LEAST_CLOSED, idle.size() / CLOSED_OF));
    idle.subList(0, some).forEach(each -> each.connection().closeIfUnused());
  }

  /** How the connections are seen out. */
  public Drain drain() {
    return drain;
  }

  /** Connections that were let in and are open. */
  public int openConnections() {
    return connections.inside();
  }

  /** Connections that were told so far that there is no room. */
  public long refusedConnections() {
    return refusedConnections.sum();
  }

  /** Connections that were closed so far without a word. */
  public long droppedConnections() {
    return droppedConnections.sum();
  }

  boolean isEmpty() {
    return open.isEmpty() && refused.isEmpty();
  }

  int requestsInside() {
    return requests.inside();
  }

  void drainAll() {
    forEach(open, ServerConnection::drain);
  }

  void abortAll() {
    forEach(open, ServerConnection::abort);
    forEach(refused, ServerConnection::abort);
  }

  /** One that fails does not keep the others. */
  private static void forEach(
      Roster<ServerConnection> connections, Consumer<ServerConnection> action) {
    for (ServerConnection connection : connections.inOrder()) {
      try {
        action.accept(connection);
      } catch (RuntimeException | Error e) {
        SafeLog.log(LOG, Level.ERROR, "Closing failed of ", connection, e);
      }
    }
  }
}
