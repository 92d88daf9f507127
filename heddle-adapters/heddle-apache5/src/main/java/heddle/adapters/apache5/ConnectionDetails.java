package heddle.adapters.apache5;

import heddle.client.HttpCall;
import heddle.client.spi.ConnectionInfo;
import heddle.http.Origin;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the connection of a lease: one object for all of its exchanges, which stays
 * valid after them. The remote address is not resolved before the first request was sent, and the
 * local address is unknown. Bytes are not counted. Thread-safe.
 */
final class ConnectionDetails extends EndpointDetails {
  private final Leased leased;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong responses = new AtomicLong();

  /** The latest call; null before the first. */
  private volatile @Nullable HttpCall call;

  ConnectionDetails(Leased leased) {
    super(null, null, Timeout.DISABLED);
    this.leased = leased;
  }

  void sends(HttpCall latest) {
    call = latest;
    requests.incrementAndGet();
  }

  void answered() {
    responses.incrementAndGet();
  }

  @Override
  public SocketAddress getRemoteAddress() {
    HttpCall latest = call;
    ConnectionInfo known = latest == null ? null : latest.connection();
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
