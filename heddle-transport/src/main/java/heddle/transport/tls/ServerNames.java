package heddle.transport.tls;

import java.net.InetAddress;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;

/** The name that a client tells the server it means (RFC 6066 §3). */
final class ServerNames {
  private ServerNames() {}

  static void set(SSLParameters parameters, String host) {
    if (isAddress(host)) {
      // RFC 6066 §3: addresses are not permitted.
      parameters.setServerNames(List.of());
      return;
    }
    try {
      // RFC 6066 §3: without the trailing dot.
      String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
      parameters.setServerNames(List.of(new SNIHostName(name)));
    } catch (IllegalArgumentException e) {
      // Not a name that a certificate could be for, such as one with an underscore: the server
      // gets none and shows its default certificate, which is checked against the host as always.
      parameters.setServerNames(List.of());
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
