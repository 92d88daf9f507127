package heddle.client.dial;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * In which order the addresses of a host are tried: families alternate, beginning with the one that
 * the resolver preferred (RFC 8305 §4). Addresses of one family and scope, between which we know of
 * no preference by RFC 6724 §6, rotate from one connection to the next, so that connections spread
 * over them.
 */
final class AddressOrder {
  /** RFC 6724 §3.1: destinations of different scope are not equivalent. */
  private enum Scope {
    LOOPBACK,
    LINK,
    /** RFC 1918, and unique local addresses (RFC 4193), which have a separate label. */
    PRIVATE,
    GLOBAL
  }

  private AddressOrder() {}

  /**
   * The order for a connection.
   *
   * @param addresses as the resolver preferred them
   * @param turn which connection this is, counted from 0: the first follows the resolver's order
   * @return the addresses, each once
   */
  static List<InetAddress> of(List<InetAddress> addresses, int turn) {
    if (addresses.size() == 1) {
      return addresses;
    }
    List<List<InetAddress>> families = new ArrayList<>();
    for (List<InetAddress> family : grouped(addresses, InetAddress::getClass)) {
      List<InetAddress> rotated = new ArrayList<>(family.size());
      for (List<InetAddress> alike : grouped(family, AddressOrder::scope)) {
        rotated.addAll(alike);
        Collections.rotate(rotated.subList(rotated.size() - alike.size(), rotated.size()), -turn);
      }
      families.add(rotated);
    }
    return interleaved(families);
  }

  /** Groups the addresses by a key, each once; the groups and their members keep their order. */
  private static <K> Collection<List<InetAddress>> grouped(
      List<InetAddress> addresses, Function<InetAddress, K> key) {
    return addresses.stream()
        .distinct()
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** RFC 8305 §4, with a First Address Family Count of 1. */
  private static List<InetAddress> interleaved(List<List<InetAddress>> families) {
    List<InetAddress> order = new ArrayList<>();
    int longest = families.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (List<InetAddress> family : families) {
        if (i < family.size()) {
          order.add(family.get(i));
        }
      }
    }
    return order;
  }

  private static Scope scope(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return Scope.LOOPBACK;
    }
    if (address.isLinkLocalAddress()) {
      return Scope.LINK;
    }
    return address.isSiteLocalAddress() || isUniqueLocal(address) ? Scope.PRIVATE : Scope.GLOBAL;
  }

  /** RFC 4193 §3.1: fc00::/7. */
  private static boolean isUniqueLocal(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == 16 && (bytes[0] & 0xFE) == 0xFC;
  }
}
