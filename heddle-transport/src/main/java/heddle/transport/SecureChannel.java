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
}
