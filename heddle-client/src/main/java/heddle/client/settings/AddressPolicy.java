package heddle.client.settings;

import java.net.InetAddress;

/**
 * Which addresses a client may connect to, for programs that fetch URLs from untrusted sources: a
 * host name may resolve to another address the next moment. The policy is asked about each address
 * of a host right before the client connects, for redirects too, by many threads at the same time.
 * It must be quick and must not look anything up. A call fails with {@link
 * heddle.http.failure.AddressRefusedException} if no address of its host is allowed.
 *
 * <p>If a request goes through a proxy, which resolves the names of origins itself and has to
 * protect there, the policy is asked about the proxy's addresses only.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder().addresses(AddressPolicy.publicOnly()).build();
 * }</pre>
 */
@FunctionalInterface
public interface AddressPolicy {
  /**
   * Whether the client may connect to an address.
   *
   * @param host as the URL names it, or the host of the proxy
   * @param address one of the host's addresses, or the host itself if it is an address
   */
  boolean allows(String host, InetAddress address);

  /** Allows all addresses; the default. */
  static AddressPolicy any() {
    return (host, address) -> true;
  }

  /**
   * Allows only addresses of the public internet: none that is loopback, private, link-local,
   * shared, for documentation or tests, multicast or reserved (the registries of RFC 6890), nor an
   * IPv6 address that embeds such an IPv4 address.
   */
  static AddressPolicy publicOnly() {
    return (host, address) -> PublicAddresses.contain(address);
  }
}
