package heddle.adapters.okhttp;

import heddle.client.settings.AddressPolicy;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tries the other addresses of a host after a failed TLS handshake, as OkHttp does. Used by one
 * thread.
 */
final class OtherAddresses {
  private static final ScopedValue<OtherAddresses> CURRENT = ScopedValue.newInstance();

  /** Refuses addresses whose handshake has failed for the request of the calling thread. */
  static final AddressPolicy POLICY =
      (host, address) -> !CURRENT.isBound() || !CURRENT.get().failed.contains(address);

  private final Set<InetAddress> failed = new HashSet<>();

  /** Adds an address, and returns whether there are others. */
  boolean hasOtherThan(@Nullable InetAddress address, int known) {
    return address != null && failed.add(address) && known > failed.size();
  }

  heddle.http.Response send(Way.Sending sending) throws java.io.IOException {
    return ScopedValue.where(CURRENT, this).call(sending::send);
  }
}
