package heddle.adapters.apache5;

import heddle.adapters.support.LastConnection;
import heddle.client.HttpCall;
import heddle.client.spi.ConnectionInfo;
import heddle.http.Origin;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.util.Timeout;

/**
 * What is known about the connection of a lease: one object for all of its exchanges, which stays
 * valid after them. The remote address is not resolved before the first request was sent, and the
 * local address is unknown. Bytes are not counted. Thread-safe.
 */
final class ConnectionDetails extends EndpointDetails {
  private final Leased leased;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong responses = new AtomicLong();
  private final LastConnection connection = new LastConnection();

  ConnectionDetails(Leased leased) {
    super(null, null, Timeout.DISABLED);
    this.leased = leased;
  }

  void begun(HttpCall call) {
    connection.follow(call);
    requests.incrementAndGet();
  }

  /** Forgets a call: a user's context may keep these details, but not its messages. */
  void ended(HttpCall call) {
    connection.release(call);
  }

  void answered() {
    responses.incrementAndGet();
  }

  @Override
  public SocketAddress getRemoteAddress() {
    ConnectionInfo known = connection.get();
    SocketAddress address = known == null ? null : known.remoteAddress();
    Origin origin = leased.origin();
    return address == null
        ? InetSocketAddress.createUnresolved(origin.host(), origin.port())
        : address;
  }

  @Override
  public Timeout getSocketTimeout() {
    return Timeout.of(leased.settings().times().silence());
  }

  @Override
  public long getRequestCount() {
    return requests.get();
  }

  @Override
  public long getResponseCount() {
    return responses.get();
  }

  @Override
  public long getSentBytesCount() {
    return 0;
  }

  @Override
  public long getReceivedBytesCount() {
    return 0;
  }

  @Override
  public String toString() {
    return String.valueOf(getRemoteAddress());
  }
}
