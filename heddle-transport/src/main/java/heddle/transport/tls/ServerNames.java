package heddle.transport.tls;

import java.net.InetAddress;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** The server name that a client sends in its handshake (SNI, RFC 6066 §3). */
final class ServerNames {
  private ServerNames() {}

  /**
   * A server that gets no name shows its default certificate, which is checked against the host as
   * always.
   *
   * @param ofAddresses the names to send if the host is an address
   */
  static void set(SSLParameters parameters, String host, List<SNIServerName> ofAddresses) {
    SNIHostName name = nameOf(host);
    if (name != null) {
      parameters.setServerNames(List.of(name));
    } else {
      parameters.setServerNames(isAddress(host) ? ofAddresses : List.of());
    }
  }

  /**
   * A host as the name that a certificate could be for; null for an address, which RFC 6066 §3 does
   * not permit, and for what no certificate is for, such as a name with an underscore.
   */
  static @Nullable SNIHostName nameOf(String host) {
    if (isAddress(host)) {
      return null;
    }
    try {
      // RFC 6066 §3: without the trailing dot.
      return new SNIHostName(host.endsWith(".") ? host.substring(0, host.length() - 1) : host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static boolean isAddress(String host) {
    if (host.indexOf(':') >= 0) {
      return true;
    }
    try {
      return host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))
          && InetAddress.ofLiteral(host) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
