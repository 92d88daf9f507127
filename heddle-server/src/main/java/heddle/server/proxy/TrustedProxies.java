package heddle.server.proxy;

import heddle.http.syntax.AddressBlock;
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

  private final List<String> texts;
  private final List<AddressBlock> ranges;
  private final boolean unix;

  private TrustedProxies(List<String> texts) {
    this.texts = texts;
    this.unix = texts.contains(UNIX);
    this.ranges = texts.stream()
        .filter(each -> !each.equals(UNIX))
        .map(AddressBlock::parse)
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
    return ranges.stream().anyMatch(each -> each.contains(address));
  }

  @Override
  public String toString() {
    return texts.stream().collect(Collectors.joining(", ", "TrustedProxies[", "]"));
  }
}
