package heddle.transport;

import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose bytes are protected by TLS and whose handshake is done. Its listener gets {@link
 * ChannelListener#onEnd} only if the peer sent a close_notify (RFC 8446 §6.1): a connection that
 * just ends is closed with a cause, because what it carried may be truncated.
 */
public interface SecureChannel extends Channel {
  /** The protocol that both sides agreed on (RFC 7301), such as {@code h2}; null when none. */
  @Nullable
  String applicationProtocol();

  /** What the handshake negotiated: version, cipher suite, the peer's certificates. */
  SSLSession session();

  /**
   * Whether the handshake would have gone as well for this host: the server's certificate was
   * verified and is valid for it (RFC 9525), nothing else that depends on the host can have been
   * asked, and we have shown none of our own. False if that is not certain, and on a server.
   *
   * @param host a name or an address without brackets; an international name in its ASCII form
   */
  default boolean isVerifiedFor(String host) {
    return false;
  }
}
