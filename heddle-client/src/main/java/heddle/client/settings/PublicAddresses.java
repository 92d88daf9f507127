package heddle.client.settings;

import heddle.http.syntax.AddressBlock;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Which addresses are public, by the registries of special-purpose addresses (RFC 6890). */
final class PublicAddresses {
  private static final int IPV4_BYTES = 4;

  private static final List<AddressBlock> NOT_PUBLIC_IPV4 = blocks(
      "0.0.0.0/8", // this network
      "10.0.0.0/8", // private
      "100.64.0.0/10", // shared, RFC 6598
      "127.0.0.0/8", // loopback
      "169.254.0.0/16", // link-local
      "172.16.0.0/12", // private
      "192.0.0.0/24", // protocol assignments
      "192.0.2.0/24", // documentation
      "192.88.99.0/24", // 6to4 relays, deprecated
      "192.168.0.0/16", // private
      "198.18.0.0/15", // benchmarks
      "198.51.100.0/24", // documentation
      "203.0.113.0/24", // documentation
      "224.0.0.0/4", // multicast
      "240.0.0.0/4"); // reserved, and broadcast

  /** The only global unicast addresses allocated so far (RFC 4291 section 2.4). */
  private static final AddressBlock GLOBAL_IPV6 = AddressBlock.parse("2000::/3");

  private static final List<AddressBlock> NOT_PUBLIC_IPV6 = blocks(
      "2001::/23", // protocol assignments, Teredo among them
      "2001:db8::/32", // documentation
      "3fff::/20"); // documentation

  private static final AddressBlock NAT64 = AddressBlock.parse("64:ff9b::/96");
  private static final AddressBlock SIX_TO_FOUR = AddressBlock.parse("2002::/16");

  private PublicAddresses() {}

  private static List<AddressBlock> blocks(String... texts) {
    return Stream.of(texts).map(AddressBlock::parse).toList();
  }

  static boolean contain(InetAddress address) {
    byte[] octets = address.getAddress();
    if (octets.length == IPV4_BYTES) {
      return isPublicIpv4(octets, 0);
    }
    if (NAT64.contains(octets)) {
      return isPublicIpv4(octets, 12);
    }
    if (SIX_TO_FOUR.contains(octets)) {
      return isPublicIpv4(octets, 2);
    }
    return GLOBAL_IPV6.contains(octets)
        && NOT_PUBLIC_IPV6.stream().noneMatch(each -> each.contains(octets));
  }

  private static boolean isPublicIpv4(byte[] octets, int at) {
    byte[] ipv4 = Arrays.copyOfRange(octets, at, at + IPV4_BYTES);
    return NOT_PUBLIC_IPV4.stream().noneMatch(each -> each.contains(ipv4));
  }
}
