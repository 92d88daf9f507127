package heddle.server.accept;

import heddle.connection.RequestListener;
import heddle.connection.ServerConnection;
import heddle.connection.ServerExchange;
import heddle.connection.ServerLimits;
import heddle.connection.negotiate.ProtocolNegotiator;
import heddle.http.Status;
import heddle.server.dispatch.Dispatcher;
import heddle.transport.Channel;
import heddle.transport.Roster;
import heddle.transport.TlsProvider;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets connections and requests in as far as the limits allow, and tells the others to come back
 * later. Called on the loops; knows every connection that is open.
 */
public final class Acceptor implements Consumer<Channel>, RequestListener {
  private static final int RETRY_AFTER_SECONDS = 1;

  /** So many peers are told at a time that there is no room; more are cut without a word. */
  private static final int REFUSALS = 256;

  private final @Nullable TlsProvider tls;
  private final ServerLimits limits;
  private final AdmissionLimit connections;
  private final AdmissionLimit requests;
  private final AdmissionLimit refusals = new AdmissionLimit(REFUSALS);
  private final Dispatcher dispatcher;
  private final ProtocolNegotiator negotiator = new ProtocolNegotiator();
  private final Roster<ServerConnection> open = new Roster<>();
  private final Roster<ServerConnection> refused = new Roster<>();
  private final Drain drain = new Drain(this);

  /**
   * @param tls null to speak without
   * @param requests entered here for each request; left by whoever has answered it
   */
  public Acceptor(
      @Nullable TlsProvider tls,
      ServerLimits limits,
      AdmissionLimit connections,
      AdmissionLimit requests,
      Dispatcher dispatcher) {
    this.tls = tls;
    this.limits = limits;
    this.connections = connections;
    this.requests = requests;
    this.dispatcher = dispatcher;
  }

  @Override
  public void accept(Channel channel) {
    ServerConnection connection = negotiator.accept(channel, tls, limits, this);
    if (connections.tryEnter()) {
      open.add(connection);
      connection.start();
      if (drain.hasBegun()) {
        connection.drain();
      }
    } else if (refusals.tryEnter()) {
      refused.add(connection);
      connection.startRefusing(Status.SERVICE_UNAVAILABLE, RETRY_AFTER_SECONDS);
    } else {
      channel.close();
    }
  }

  @Override
  public void onRequest(ServerExchange exchange) {
    if (requests.tryEnter()) {
      dispatcher.dispatch(exchange);
    } else {
      exchange.refuse(Dispatcher.unavailable());
    }
  }

  @Override
  public void onClosed(ServerConnection connection) {
    if (open.remove(connection)) {
      connections.leave();
    } else if (refused.remove(connection)) {
      refusals.leave();
    }
    drain.onProgress();
  }

  /** How the connections are seen out. */
  public Drain drain() {
    return drain;
  }

  /** Connections that were let in and are open. */
  public int openConnections() {
    return connections.inside();
  }

  boolean isEmpty() {
    return open.isEmpty() && refused.isEmpty();
  }

  int requestsInside() {
    return requests.inside();
  }

  void drainAll() {
    open.inOrder().forEach(ServerConnection::drain);
  }

  void abortAll() {
    open.inOrder().forEach(ServerConnection::abort);
    refused.inOrder().forEach(ServerConnection::abort);
  }
}
