package heddle.server.proxy;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields in which proxies say from where a request came. A server must be told which of them
 * its proxies set: the others may come from the client itself.
 *
 * <p>Each proxy appends an element for the peer that it got the request from. So the elements are
 * read from the last to the first, as long as they are written by a trusted proxy: the last one by
 * the direct peer, the one before it by the peer that the last one names, and so on. The first
 * address that is not that of a trusted proxy is the client's; what stands before it is not read,
 * because the client may have made it up. A malformed element ends the reading too: what was read
 * until then counts.
 */
public enum ForwardedFields {
  /** {@code Forwarded} (RFC 7239). */
  FORWARDED,

  /**
   * {@code X-Forwarded-For}, {@code X-Forwarded-Proto} and {@code X-Forwarded-Host}. The latter two
   * may have one value for each address of the first; if they have fewer, their first one counts
   * for all addresses before.
   */
  X_FORWARDED;

  /**
   * From where a request came.
   *
   * @param peer the address of the direct peer; if it is not trusted, no field is read
   */
  public ForwardedClient client(Headers headers, SocketAddress peer, TrustedProxies trusted) {
    if (!trusted.contains(peer)) {
      return new ForwardedClient(peer, null, null);
    }
    return switch (this) {
      case FORWARDED -> forwarded(headers, peer, trusted);
      case X_FORWARDED -> separate(headers, peer, trusted);
    };
  }

  private static ForwardedClient forwarded(
      Headers headers, SocketAddress peer, TrustedProxies trusted) {
    SocketAddress address = peer;
    String scheme = null;
    String host = null;
    ListFromEnd elements = new ListFromEnd(headers.all(HeaderName.FORWARDED));
    for (String text = elements.previous(); text != null; text = elements.previous()) {
      ForwardedElement element = ForwardedElement.parse(text);
      if (element == null) {
        break;
      }
      scheme = element.scheme() != null ? element.scheme() : scheme;
      host = element.host() != null ? element.host() : host;
      InetSocketAddress named = ForwardedNode.addressOf(element.node());
      address = named != null ? named : address;
      if (named == null || !trusted.contains(named)) {
        break;
      }
    }
    return new ForwardedClient(address, scheme, host);
  }

  private static ForwardedClient separate(
      Headers headers, SocketAddress peer, TrustedProxies trusted) {
    SocketAddress address = peer;
    int hops = 0;
    ListFromEnd nodes = new ListFromEnd(headers.all(HeaderName.X_FORWARDED_FOR));
    for (String text = nodes.previous(); text != null; text = nodes.previous()) {
      InetSocketAddress named = ForwardedNode.addressOf(ForwardedNode.parse(text, true));
      if (named == null) {
        break;
      }
      address = named;
      hops++;
      if (!trusted.contains(named)) {
        break;
      }
    }
    String scheme = valueOf(headers.all(HeaderName.X_FORWARDED_PROTO), hops);
    String host = valueOf(headers.all(HeaderName.X_FORWARDED_HOST), hops);
    return new ForwardedClient(
        address, ForwardedElement.schemeOrNull(scheme), ForwardedElement.hostOrNull(host));
  }

  /** The value at a hop, counted from the end; the first if there are fewer. */
  private static @Nullable String valueOf(List<String> lines, int hops) {
    ListFromEnd values = new ListFromEnd(lines);
    String value = values.previous();
    for (int hop = 1; hop < hops; hop++) {
      String before = values.previous();
      value = before == null ? value : before;
    }
    return value;
  }
}
