package heddle.cli.machine;

import java.net.InetAddress;

/**
 * The needs of a load or a race.
 *
 * @param ofProcess connections that one client process opens at once
 * @param toServer connections that all clients together hold to one address at once
 * @param isServerLocal whether the server runs on this machine
 */
public record Need(int ofProcess, int toServer, boolean isServerLocal) {
  /** Whether a name or address is that of this machine, as far as it tells without a lookup. */
  public static boolean isLoopback(String host) {
    if (host.equals("localhost") || host.endsWith(".localhost")) {
      return true; // RFC 6761 section 6.3
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false; // a name
    }
  }
}
