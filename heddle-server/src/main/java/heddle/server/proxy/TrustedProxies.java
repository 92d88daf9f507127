package heddle.server.proxy;

import heddle.http.syntax.Host;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The proxies that a server believes when they say from where a connection or a request came.
 * Immutable.
 *
 * <pre>{@code
 * TrustedProxies proxies = TrustedProxies.of("10.0.0.0/8", "2001:db8::/32", "192.0.2.7");
 * }</pre>
 *
 * <p>Name only addresses from which nothing else can connect: a peer with one of them can claim to
 * be any client.
 */
public final class TrustedProxies {
  /** All peers that connect to a Unix domain socket of the server, as a range. */
  public static final String UNIX = "unix:";

  /**
   * Addresses whose first bits are those of another one.
   *
   * @param length of the addresses in bits: 32 or 128
   */
  private record Range(BigInteger first, int length, int bits) {
    boolean contains(BigInteger address, int itsLength) {
      int behind = length - bits;
      return itsLength == length && address.shiftRight(behind).equals(first.shiftRight(behind));
    }

    /** Whether all bits behind the prefix are 0. */
    boolean isAligned() {
      return first.signum() == 0 || first.getLowestSetBit() >= length - bits;
    }
  }

  private final List<String> texts;
  private final List<Range> ranges;
  private final boolean unix;

  private TrustedProxies(List<String> texts) {
    this.texts = texts;
    this.unix = texts.contains(UNIX);
    this.ranges = texts.stream()
        .filter(each -> !each.equals(UNIX))
        .map(TrustedProxies::range)
        .toList();
  }

  /**
   * The proxies at these addresses.
   *
   * @param ranges addresses such as {@code 192.0.2.7} or {@code 2001:db8::7}, ranges of them in the
   *     notation of RFC 4632 and RFC 4291 such as {@code 10.0.0.0/8} or {@code 2001:db8::/32}, or
   *     {@link #UNIX}
   * @throws IllegalArgumentException if there is none, or one is malformed; the message names it
   */
  public static TrustedProxies of(String... ranges) {
    if (ranges.length == 0) {
      throw new IllegalArgumentException("name at least one address or range of trusted proxies");
    }
    return new TrustedProxies(List.of(ranges));
  }

  private static Range range(String text) {
    int slash = text.indexOf('/');
    InetAddress address = Host.address(slash < 0 ? text : text.substring(0, slash));
    if (address == null || text.indexOf('%') >= 0) {
      throw new IllegalArgumentException(
          text + " is neither an address nor a range such as 10.0.0.0/8 or 2001:db8::/32");
    }
    byte[] octets = address.getAddress();
    int length = octets.length * 8;
    int bits = slash < 0 ? length : bits(text, slash + 1, length);
    Range range = new Range(new BigInteger(1, octets), length, bits);
    if (!range.isAligned()) {
      throw new IllegalArgumentException(
          text + " has an address with bits behind its prefix of " + range.bits() + " bits");
    }
    return range;
  }

  private static int bits(String text, int from, int most) {
    String digits = text.substring(from);
    int bits = digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : -1;
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException(
          text + " needs a prefix of 0 to " + most + " bits behind the slash");
    }
    return bits;
  }

  /** Whether a peer at this address is one of the proxies; false for kinds that are not known. */
  public boolean contains(SocketAddress peer) {
    return switch (peer) {
      case InetSocketAddress inet -> inet.getAddress() != null && contains(inet.getAddress());
      case UnixDomainSocketAddress local -> unix;
      default -> false;
    };
  }

  /** Whether this address is that of one of the proxies. */
  public boolean contains(InetAddress address) {
    byte[] octets = address.getAddress();
    BigInteger number = new BigInteger(1, octets);
    return ranges.stream().anyMatch(each -> each.contains(number, octets.length * 8));
  }

  @Override
  public String toString() {
    return texts.stream().collect(Collectors.joining(", ", "TrustedProxies[", "]"));
  }
}
