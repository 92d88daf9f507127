package heddle.client.settings;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;

/**
 * Which addresses belong to the public internet, by the registries of special-purpose addresses
 * (RFC 6890).
 */
final class PublicAddresses {
  private static final int IPV4_BYTES = 4;

  /** A block of addresses with a common prefix. */
  private static final class Range {
    private final byte[] prefix;
    private final int bits;

    private Range(byte[] prefix, int bits) {
      this.prefix = prefix;
      this.bits = bits;
    }

    /** Such as {@code 0a000000/8}. */
    static Range of(String text) {
      int slash = text.indexOf('/');
      return new Range(
          HexFormat.of().parseHex(text.substring(0, slash)),
          Integer.parseInt(text.substring(slash + 1)));
    }

    boolean contains(byte[] address) {
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit & 7);
        if (((address[bit >> 3] ^ prefix[bit >> 3]) & mask) != 0) {
          return false;
        }
      }
      return true;
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
  private static final int NAT64_AT = 12;
  private static final Range SIX_TO_FOUR = Range.of("2002/16");
  private static final int SIX_TO_FOUR_AT = 2;

  private PublicAddresses() {}

  private static List<Range> ranges(String... texts) {
    return List.of(texts).stream().map(Range::of).toList();
  }

  static boolean contain(InetAddress address) {
    byte[] octets = address.getAddress();
    if (octets.length == IPV4_BYTES) {
      return isPublicIpv4(octets, 0);
    }
    if (NAT64.contains(octets)) {
      return isPublicIpv4(octets, NAT64_AT);
    }
    if (SIX_TO_FOUR.contains(octets)) {
      return isPublicIpv4(octets, SIX_TO_FOUR_AT);
    }
    return GLOBAL_IPV6.contains(octets)
        && NOT_PUBLIC_IPV6.stream().noneMatch(each -> each.contains(octets));
  }

  private static boolean isPublicIpv4(byte[] octets, int at) {
    byte[] ipv4 = new byte[IPV4_BYTES];
    System.arraycopy(octets, at, ipv4, 0, IPV4_BYTES);
    return NOT_PUBLIC_IPV4.stream().noneMatch(each -> each.contains(ipv4));
  }
}
