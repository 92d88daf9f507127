package heddle.transport;

import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose bytes are protected by TLS and whose handshake is done. To its listener the end
 * of the peer's bytes is told only where the peer said so itself (close_notify, RFC 8446 §6.1): a
 * connection that just ends is closed with a cause, because what it carried may be truncated.
 */
public interface SecureChannel extends Channel {
  /** The protocol that both sides agreed on (RFC 7301), such as {@code h2}; null when none. */
  @Nullable
  String applicationProtocol();

  /** What the handshake settled: version, cipher suite, the peer's certificates. */
  SSLSession session();

  /**
   * Whether the handshake would have gone as well for this host: the server's certificate was
   * verified and is valid for the host (RFC 9525), nothing else can have been asked of it that
   * depends on the host, and we have shown none of our own. False where that is not certain, and on
   * a server.
   *
   * @param host a name or an address without brackets; an international name in its ASCII form
   */
  default boolean isVerifiedFor(String host) {
    return false;
  }
}
