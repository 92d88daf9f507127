package heddle.server.accept;

import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1RequestListener;
import heddle.connection.http1.Http1ServerConnection;
import heddle.connection.http1.Http1ServerExchange;
import heddle.connection.http1.Http1ServerLimits;
import heddle.http.Status;
import heddle.server.dispatch.Dispatcher;
import heddle.transport.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Lets connections and requests in as far as the limits allow, and tells the others to come back
 * later. Called on the loops; knows every connection that is open.
 */
public final class Acceptor implements Consumer<Channel>, Http1RequestListener {
  private static final int RETRY_AFTER_SECONDS = 1;

  /** So many peers are told at a time that there is no room; more are cut without a word. */
  private static final int REFUSALS = 256;

  private final Http1ServerLimits limits;
  private final AdmissionLimit connections;
  private final AdmissionLimit requests;
  private final AdmissionLimit refusals = new AdmissionLimit(REFUSALS);
  private final Dispatcher dispatcher;
  private final HeadParsers parsers = new HeadParsers();
  private final Set<Http1ServerConnection> open = ConcurrentHashMap.newKeySet();
  private final Set<Http1ServerConnection> refused = ConcurrentHashMap.newKeySet();
  private final Drain drain = new Drain(this);

  /**
   * @param requests entered here for each request; left by whoever has answered it
   */
  public Acceptor(
      Http1ServerLimits limits,
      AdmissionLimit connections,
      AdmissionLimit requests,
      Dispatcher dispatcher) {
    this.limits = limits;
    this.connections = connections;
    this.requests = requests;
    this.dispatcher = dispatcher;
  }

  @Override
  public void accept(Channel channel) {
    Http1ServerConnection connection = new Http1ServerConnection(channel, limits, parsers, this);
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
  public void onRequest(Http1ServerExchange exchange) {
    if (requests.tryEnter()) {
      dispatcher.dispatch(exchange);
    } else {
      exchange.refuse(Dispatcher.unavailable());
    }
  }

  @Override
  public void onClosed(Http1ServerConnection connection) {
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
    open.forEach(Http1ServerConnection::drain);
  }

  void abortAll() {
    open.forEach(Http1ServerConnection::abort);
    refused.forEach(Http1ServerConnection::abort);
  }
}
