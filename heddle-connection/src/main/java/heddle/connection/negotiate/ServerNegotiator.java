package heddle.connection.negotiate;

import heddle.connection.MemoryBudget;
import heddle.connection.RecentOrigins;
import heddle.connection.RequestListener;
import heddle.connection.ServerConnection;
import heddle.connection.ServerLimits;
import heddle.connection.ServerVersions;
import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1Resources;
import heddle.transport.Channel;
import heddle.transport.TlsProvider;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections of a server, each of which finds out which version of HTTP its client
 * speaks; and what they have in common. Kept by a server for its lifetime. Safe for use by many
 * threads.
 */
public final class ServerNegotiator {
  final ServerVersions versions;
  final Http1Resources resources;
  final RequestListener listener;

  /**
   * @param versions which clients may choose from
   * @param budget what the server holds for all its peers; the caller counts each connection itself
   *     there
   * @param listener receives the requests and the ends of all connections
   */
  public ServerNegotiator(
      ServerVersions versions, ServerLimits limits, MemoryBudget budget, RequestListener listener) {
    this.versions = versions;
    this.resources = new Http1Resources(
        limits, versions.hostRequired(), budget, new HeadParsers(), new RecentOrigins());
    this.listener = listener;
  }

  ServerLimits limits() {
    return resources.limits();
  }

  MemoryBudget budget() {
    return resources.budget();
  }

  /**
   * A connection for a channel that was just accepted; still to be started.
   *
   * @param tls makes the handshake, for which the client has the head timeout; null for cleartext
   */
  public ServerConnection accept(Channel channel, @Nullable TlsProvider tls) {
    return new NegotiatingConnection(this, channel, tls);
  }
}
