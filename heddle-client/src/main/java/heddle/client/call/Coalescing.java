package heddle.client.call;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Lease;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.transport.names.Resolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds open HTTP/2 connections of other origins that a call may use (RFC 9113 §9.1.1): the call's
 * host resolves to the address of the connection, and the connection's certificate is valid for the
 * host. Only direct routes qualify, since the address of a proxy says nothing about the origin.
 * Safe for use by many threads.
 */
final class Coalescing {
  private final Resolver resolver;
  private final ConnectionPool pool;
  private final Abortable searches = new Abortable();

  Coalescing(Resolver resolver, ConnectionPool pool) {
    this.resolver = resolver;
    this.pool = pool;
  }

  /** A connection of another origin for a call whose own route has none; null if none qualifies. */
  @Nullable
  Lease acquire(Route route, Exchange exchange) throws IOException {
    HttpVersion wanted = route.version();
    boolean possible = route.isDirect()
        && route.origin().isSecure()
        && (wanted == null || wanted == HttpVersion.HTTP_2);
    return possible ? pool.acquireElsewhere(route, exchange, new Search(route, exchange)) : null;
  }

  /** Ends running lookups and starts no more. Does not wait. */
  void close() {
    searches.abort();
  }

  /** The search of one call, which looks its host up when it first finds a candidate. */
  private final class Search implements BiPredicate<Route, Connection> {
    private final Origin origin;
    private final Exchange exchange;
    private @Nullable List<InetAddress> addresses;

    Search(Route route, Exchange exchange) {
      this.origin = route.origin();
      this.exchange = exchange;
    }

    @Override
    public boolean test(Route other, Connection connection) {
      return other.isDirect()
          && other.origin().isSecure()
          && other.origin().port() == origin.port()
          && !other.origin().equals(origin)
          && connection.remoteAddress() instanceof InetSocketAddress leadsTo
          && addresses().contains(leadsTo.getAddress())
          && connection.isAuthoritativeFor(origin.host());
    }

    private List<InetAddress> addresses() {
      if (addresses == null) {
        addresses = lookUp();
      }
      return addresses;
    }

    /** Ignores a failure: the call looks its host up again for its own route, and fails there. */
    private List<InetAddress> lookUp() {
      exchange.resolving(origin.host());
      try {
        List<InetAddress> found = searches
            .run(exchange, () -> resolver.lookUp(origin.host(), exchange.deadline()))
            .addresses();
        exchange.resolved(origin.host(), found);
        return found;
      } catch (IOException e) {
        return List.of();
      } finally {
        exchange.enter(Phase.QUEUE);
      }
    }
  }
}
