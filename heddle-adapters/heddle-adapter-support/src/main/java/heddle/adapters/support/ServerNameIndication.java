package heddle.adapters.support;

import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;

/**
 * The server name sent in the TLS handshake (RFC 6066 section 3) when it differs from the host to
 * which the client connects. The server's certificate must match this name.
 *
 * @param host to which the client connects; other hosts, after a redirect, get their own name
 * @param name sent instead of the host; {@link SNIHostName} must accept it
 */
public record ServerNameIndication(String host, String name) {
  /** Whether this name is sent to the given host. */
  boolean isFor(String connected) {
    return withoutBrackets(host).equalsIgnoreCase(withoutBrackets(connected));
  }

  private static String withoutBrackets(String text) {
    return text.startsWith("[") ? text.substring(1, text.length() - 1) : text;
  }

  /** The names for {@code SSLParameters}. */
  List<SNIServerName> names() {
    return List.of(new SNIHostName(name));
  }
}
