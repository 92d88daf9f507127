package heddle.adapters.support.lease;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Refuses options of Apache's that cannot be honoured. The messages name the option. */
public final class Refusals {
  private Refusals() {}

  /** Returns the exception for an option that cannot be honoured. */
  public static IllegalArgumentException refused(
      String option, @Nullable Object given, String reason) {
    return new IllegalArgumentException(
        "%s cannot be honoured (it is %s): %s".formatted(option, given, reason));
  }

  /**
   * Checks an option.
   *
   * @throws IllegalArgumentException if the option cannot be honoured
   */
  public static void require(
      boolean honourable, String option, @Nullable Object given, String reason) {
    if (!honourable) {
      throw refused(option, given, reason);
    }
  }

  /**
   * Checks the options of sockets that each version of Apache's client has.
   *
   * @param linger in seconds; negative for the system's default
   * @param sendBuffer in bytes; 0 or negative for the system's default
   * @param receiveBuffer the same
   * @throws IllegalArgumentException if one cannot be honoured
   */
  public static void requireSocket(
      boolean noDelay, long linger, boolean reuse, int sendBuffer, int receiveBuffer) {
    require(
        noDelay, "SocketConfig.tcpNoDelay", false, "small writes are never delayed; leave it on");
    require(
        linger < 0,
        "SocketConfig.soLinger",
        linger,
        "sockets are closed in the background; omit it");
    require(!reuse, "SocketConfig.soReuseAddress", true, "no local address is bound; omit it");
    String sized = "the system sizes the buffers of sockets; omit it";
    require(sendBuffer <= 0, "SocketConfig.sndBufSize", sendBuffer, sized);
    require(receiveBuffer <= 0, "SocketConfig.rcvBufSize", receiveBuffer, sized);
  }

  /**
   * Checks a route.
   *
   * @param route for messages
   * @param secures whether it does not tunnel plain text
   * @param hops the number of connections it consists of
   * @param local address that was chosen; null for the system's choice
   * @throws IllegalArgumentException if there is no way to use it; the message says why
   */
  public static void requireRoute(
      Object route, boolean secures, int hops, @Nullable InetAddress local) {
    require(
        secures,
        "a tunnel",
        route,
        "requests for http targets are sent to their proxy without a tunnel");
    require(hops <= 2, "a chain of proxies", route, "at most one proxy is supported");
    require(
        local == null,
        "the local address",
        local,
        "the system chooses the local address of connections; omit it");
  }

  /**
   * Checks that the address of a target, if it has one, is also its name.
   *
   * @throws IllegalArgumentException if it is not
   */
  public static void requireNoAddress(String name, @Nullable InetAddress address) {
    String text = address == null ? name : address.getHostAddress();
    require(
        name.equals(text) || name.equals("[" + text + "]"),
        "the address of the target",
        name + " at " + text,
        "names are looked up per connection: set a DnsResolver that knows this one");
  }
}
