package heddle.adapters.support;

import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;

/**
 * The name that a server is told in the handshake (RFC 6066 section 3), and that its certificate
 * has to be for, where it is not that of the host that is connected to.
 *
 * @param host that is connected to; others, after a redirect, are told their own name
 * @param name that it is told instead, one that {@link SNIHostName} accepts
 */
public record ServerNameIndication(String host, String name) {
  /** Whether it is what this host is told. */
  boolean isFor(String connected) {
    return withoutBrackets(host).equalsIgnoreCase(withoutBrackets(connected));
  }

  private static String withoutBrackets(String text) {
    return text.startsWith("[") ? text.substring(1, text.length() - 1) : text;
  }

  /** For the parameters of TLS. */
  List<SNIServerName> names() {
    return List.of(new SNIHostName(name));
  }
}
