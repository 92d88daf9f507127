package heddle.adapters.okhttp;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Host names and their addresses. */
final class Names {
  private Names() {}

  /** The address with this name, without a name lookup. */
  static InetAddress withName(String host, InetAddress address) {
    try {
      return InetAddress.getByAddress(host, address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has a wrong length: " + address, e);
    }
  }

  /** Whether the host is an address, which needs no lookup. */
  static boolean isLiteral(String host) {
    // HttpUrl has made it canonical: the last label of a name contains a letter.
    char last = host.charAt(host.length() - 1);
    return host.indexOf(':') >= 0 || (last >= '0' && last <= '9' && hasFourNumbers(host));
  }

  private static boolean hasFourNumbers(String host) {
    String[] labels = host.split("\\.", -1);
    if (labels.length != 4) {
      return false;
    }
    for (String label : labels) {
      if (label.isEmpty() || !label.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return false;
      }
    }
    return true;
  }
}
