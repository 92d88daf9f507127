package heddle.client.settings;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Which addresses are public, by the registries of special-purpose addresses (RFC 6890). */
final class PublicAddresses {
  private static final int IPV4_BYTES = 4;

  /** A block of addresses with a common prefix. */
  private record Range(BigInteger prefix, int bits) {
    /** Such as {@code 0a000000/8}. */
    static Range of(String text) {
      int slash = text.indexOf('/');
      int bits = Integer.parseInt(text.substring(slash + 1));
      BigInteger first = new BigInteger(text.substring(0, slash), 16);
      return new Range(first.shiftRight(4 * slash - bits), bits);
    }

    boolean contains(byte[] address) {
      return new BigInteger(1, address).shiftRight(8 * address.length - bits).equals(prefix);
    }
  }

  private static final List<Range> NOT_PUBLIC_IPV4 = ranges(
      "00000000/8", // this network
      "0a000000/8", // private
      "64400000/10", // shared, RFC 6598
      "7f000000/8", // loopback
      "a9fe0000/16", // link-local
      "ac100000/12", // private
      "c0000000/24", // protocol assignments
      "c0000200/24", // documentation
      "c0586300/24", // 6to4 relays, deprecated
      "c0a80000/16", // private
      "c6120000/15", // benchmarks
      "c6336400/24", // documentation
      "cb007100/24", // documentation
      "e0000000/4", // multicast
      "f0000000/4"); // reserved, and broadcast

  /** The only global unicast addresses allocated so far (RFC 4291 section 2.4). */
  private static final Range GLOBAL_IPV6 = Range.of("20000000/3");

  private static final List<Range> NOT_PUBLIC_IPV6 = ranges(
      "20010000/23", // protocol assignments, Teredo among them
      "20010db8/32", // documentation
      "3fff0000/20"); // documentation

  private static final Range NAT64 = Range.of("0064ff9b0000000000000000/96");
  private static final Range SIX_TO_FOUR = Range.of("2002/16");

  private PublicAddresses() {}

  private static List<Range> ranges(String... texts) {
    return Stream.of(texts).map(Range::of).toList();
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
