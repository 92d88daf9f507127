package heddle.connection.negotiate;

import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1Connection;
import heddle.connection.http2.Http2Connection;
import heddle.http.HttpVersion;
import heddle.http.Limits;
import heddle.transport.Channel;
import heddle.transport.CipherSuites;
import heddle.transport.SecureChannel;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which version of HTTP a new channel of a client speaks, and creates the connection that
 * speaks it. Under TLS the two sides agree by ALPN (RFC 9113 §3.2); in cleartext the client
 * decides, by prior knowledge (RFC 9113 §3.3). Kept by a client for its lifetime. Safe for use by
 * many threads.
 */
public final class ProtocolNegotiator {
  /** HTTP/2 over TLS, by its name in ALPN (RFC 9113 §3.2). */
  static final String H2 = "h2";

  private static final String HTTP_1_1 = "http/1.1";

  private final HeadParsers parsers = new HeadParsers();

  /**
   * What a client offers, or a server accepts, by ALPN, the best first.
   *
   * @param wanted the only version that will do; null when either does
   */
  public static List<String> offers(@Nullable HttpVersion wanted) {
    return switch (wanted) {
      case null -> List.of(H2, HTTP_1_1);
      case HTTP_2 -> List.of(H2);
      case HTTP_1_0, HTTP_1_1 -> List.of(HTTP_1_1);
    };
  }

  /**
   * What is wrong with the TLS of a channel over which HTTP/2 was agreed on, because RFC 9113 §9.2
   * prohibits it. Null if nothing is, or another protocol was agreed on.
   */
  public static @Nullable String weakness(SecureChannel channel) {
    if (!H2.equals(channel.applicationProtocol())) {
      return null;
    }
    SSLSession session = channel.session();
    String version = session.getProtocol();
    String suite = session.getCipherSuite();
    return CipherSuites.allowHttp2(version, suite)
        ? null
        : suite + " of " + version + ", which HTTP/2 prohibits";
  }

  /**
   * A client's side: begins to use a channel with a {@link #weakness}, only to tell the server
   * (INADEQUATE_SECURITY, RFC 9113 §9.2.2) and close it.
   */
  public static void refuse(SecureChannel channel, String weakness) {
    Http2Connection.refuse(channel, weakness);
  }

  /**
   * A client's side: begins to use a channel that was just opened. Under TLS the version is what
   * the handshake agreed on; in cleartext it is HTTP/2 only when that is wanted, by prior knowledge
   * (RFC 9113 §3.3).
   *
   * @param wanted the only version that will do; null when either does
   * @param settingsTimeout how long a peer that speaks HTTP/2 may take to acknowledge our SETTINGS
   */
  public Connection start(
      Channel channel,
      @Nullable HttpVersion wanted,
      Limits limits,
      Duration settingsTimeout,
      ConnectionListener listener) {
    boolean http2 = channel instanceof SecureChannel secure
        ? H2.equals(secure.applicationProtocol())
        : wanted == HttpVersion.HTTP_2;
    return http2
        ? Http2Connection.start(channel, limits, settingsTimeout, listener)
        : Http1Connection.start(channel, limits, parsers, false, listener);
  }

  /**
   * A client's side: begins to use a channel in cleartext that was just opened, with HTTP/1.1. The
   * first request offers HTTP/2, which is used from its response on if the server accepts (RFC 7540
   * §3.2).
   *
   * @param settingsTimeout how long a peer that speaks HTTP/2 may take to acknowledge our SETTINGS
   */
  public Connection startUpgradable(
      Channel channel, Limits limits, Duration settingsTimeout, ConnectionListener listener) {
    return new UpgradableConnection(channel, limits, parsers, settingsTimeout, listener);
  }

  /**
   * A client's side: begins to use a channel to a proxy that forwards requests to their origins,
   * with HTTP/1.1.
   */
  public Connection startForwarded(Channel channel, Limits limits, ConnectionListener listener) {
    return Http1Connection.start(channel, limits, parsers, true, listener);
  }
}
