package heddle.connection.http2;

import heddle.codec.Event;
import heddle.codec.Role;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Http2Exception;
import heddle.codec.http2.frame.Settings;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.syntax.Authority;
import heddle.transport.PeerLog;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A request of HTTP/1.1 in cleartext, without content, that offers to go on in HTTP/2 (RFC 7540
 * §3.2), and which a server can accept.
 *
 * @param authority what the request's Host field says
 * @param settings those of the client
 * @param fields without those that are about the connection
 */
public record UpgradeOffer(
    Event.RequestHead head, String authority, Settings settings, Headers fields) {
  /** The protocol in the Upgrade field. */
  public static final String H2C = "h2c";

  private static final PeerLog PEERS = PeerLog.of(UpgradeOffer.class);

  /** The response with which the server accepts. */
  static byte[] switchingProtocols() {
    return "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether a request offers the upgrade, or a response accepts it, by Upgrade and Connection. */
  public static boolean isNamedIn(Headers head) {
    return head.containsToken(HeaderName.UPGRADE, H2C)
        && head.containsToken(HeaderName.CONNECTION, "Upgrade");
  }

  /**
   * The offer in a request; null if there is none, or none that can be accepted: a server may
   * always stay with HTTP/1.1 (RFC 9110 §7.8).
   */
  public static @Nullable UpgradeOffer of(Event.RequestHead head) {
    Headers headers = head.headers();
    if (!isNamedIn(headers)
        || head.version() != HttpVersion.HTTP_1_1
        || !headers.containsToken(HeaderName.CONNECTION, HeaderName.HTTP2_SETTINGS.toString())) {
      return null;
    }
    // In origin-form. A fragment is no part of a target, but HTTP/1.1 leaves it to the handler.
    String target = head.target();
    String authority = headers.first(HeaderName.HOST);
    if (!target.startsWith("/")
        || target.indexOf('#') >= 0
        || authority == null
        || !isAuthority(authority)) {
      return null;
    }
    Settings settings = settings(headers);
    return settings == null ? null : new UpgradeOffer(head, authority, settings, fields(headers));
  }

  private static boolean isAuthority(String host) {
    byte[] octets = host.getBytes(StandardCharsets.ISO_8859_1);
    return Authority.isAuthority(octets, 0, octets.length, false);
  }

  /** RFC 7540 §3.2.1: those of exactly one field. */
  private static @Nullable Settings settings(Headers headers) {
    int at = headers.indexOf(HeaderName.HTTP2_SETTINGS, 0);
    if (at < 0 || headers.indexOf(HeaderName.HTTP2_SETTINGS, at + 1) >= 0) {
      return null;
    }
    try {
      byte[] payload = Base64.getUrlDecoder().decode(headers.value(at));
      return Settings.INITIAL.with(Frame.Settings.ofPayload(payload), Role.CLIENT);
    } catch (IllegalArgumentException | Http2Exception e) {
      PEERS.log(() -> "an offer to upgrade is ignored for its HTTP2-Settings", e);
      return null;
    }
  }

  /** Without those that Connection names, and so without HTTP2-Settings (RFC 9110 §7.6.1). */
  private static Headers fields(Headers headers) {
    Headers.Builder kept = Headers.builder();
    for (int i = 0; i < headers.size(); i++) {
      HeaderName name = headers.name(i);
      if (!headers.containsToken(HeaderName.CONNECTION, name.toString())) {
        kept.add(name, headers.value(i));
      }
    }
    return kept.build();
  }
}
