package heddle.transport;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a name service.
 *
 * @param addresses in order of preference, at least one
 * @param ttl how long the answer holds (RFC 1035 §3.2.1); null if the name service does not say
 */
public record ResolvedHost(List<InetAddress> addresses, @Nullable Duration ttl) {
  /**
   * @throws NullPointerException if the list, or an address in it, is null
   * @throws IllegalArgumentException if there is no address, or the time to live is negative
   */
  public ResolvedHost {
    if (addresses == null) {
      throw new NullPointerException("null was returned instead of addresses");
    }
    if (addresses.stream().anyMatch(Objects::isNull)) {
      throw new NullPointerException("one of the addresses returned is null");
    }
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException(
          "no address was returned: for a host without one, throw UnknownHostException");
    }
    if (ttl != null && ttl.isNegative()) {
      throw new IllegalArgumentException("the time to live is negative: " + ttl);
    }
  }

  /** An answer without a time to live. */
  public ResolvedHost(List<InetAddress> addresses) {
    this(addresses, null);
  }
}
