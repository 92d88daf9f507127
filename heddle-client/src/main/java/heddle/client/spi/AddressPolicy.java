package heddle.client.spi;

import java.net.InetAddress;

/**
 * Which addresses a client connects to, for programs that fetch what others name: a host name says
 * nothing of where it leads, and may lead elsewhere the next moment. Asked of each address that a
 * host has, right before it is connected to, for redirects too; by many threads at the same time.
 * Quick, and without looking anything up. A call whose host has no address that is allowed fails
 * with {@link heddle.http.failure.AddressRefusedException}.
 *
 * <p>Where a request goes through a proxy, only the proxy's own addresses are asked about. A proxy
 * resolves the names of origins itself, so a policy cannot protect there: the proxy must.
 *
 * <pre>{@code
 * HttpClient client = HttpClient.builder().addresses(AddressPolicy.publicOnly()).build();
 * }</pre>
 */
@FunctionalInterface
public interface AddressPolicy {
  /**
   * Whether to connect there.
   *
   * @param host as the URL names it, or the host of the proxy
   * @param address one of those that were found for it, or the host itself where that is an address
   */
  boolean allows(String host, InetAddress address);

  /** All addresses: what a client does that was told nothing else. */
  static AddressPolicy any() {
    return (host, address) -> true;
  }

  /**
   * Addresses of the public internet alone: none that is loopback, private, link-local, shared, for
   * documentation or tests, multicast or reserved (the registries of RFC 6890), nor one of IPv6
   * that stands for such an address of IPv4.
   */
  static AddressPolicy publicOnly() {
    return (host, address) -> PublicAddresses.contain(address);
  }
}
