package heddle.client.spi;

import heddle.http.Origin;
import heddle.http.syntax.AddressBlock;
import heddle.http.syntax.Host;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The origins that are reached without a proxy. Hosts are compared as written in URLs and never
 * looked up: a rule for addresses matches only URLs with an address. Immutable.
 *
 * <pre>{@code
 * NoProxy rules = NoProxy.parse("localhost, .corp.example, 10.0.0.0/8, [fd00::]/8, build:8081");
 * }</pre>
 */
public final class NoProxy {
  private static final NoProxy NONE = new NoProxy(List.of());

  private final List<Rule> rules;

  /** One rule; the address is that of the origin if its host is one, or null. */
  private interface Rule {
    boolean matches(Origin origin, @Nullable InetAddress address);
  }

  private NoProxy(List<Rule> rules) {
    this.rules = rules;
  }

  /** No rules: every origin is reached through the proxy. */
  public static NoProxy none() {
    return NONE;
  }

  /**
   * Parses the rules of the variable {@code NO_PROXY}, as curl does. They are separated by commas
   * or white space; each is
   *
   * <ul>
   *   <li>{@code *} for all origins,
   *   <li>a host, which includes its subdomains, with or without a leading {@code .} or {@code *.},
   *   <li>an address, an IPv6 one with or without brackets,
   *   <li>an address block (CIDR, RFC 4632), such as {@code 10.0.0.0/8},
   *   <li>a host or an address (an IPv6 one in brackets), followed by a colon and a port.
   * </ul>
   *
   * @throws IllegalArgumentException if a rule is malformed; the message names it
   */
  public static NoProxy parse(String text) {
    return new NoProxy(Stream.of(text.split("[,\\s]+", -1))
        .filter(each -> !each.isEmpty())
        .map(each -> rule(each.toLowerCase(Locale.ROOT)))
        .toList());
  }

  /**
   * Parses the rules of the system property {@code http.nonProxyHosts}, as the JDK does: hosts
   * separated by vertical bars, each of which may begin or end with {@code *}. A host without
   * {@code *} matches only that host. IPv6 addresses are in brackets.
   *
   * @throws IllegalArgumentException if there is a star in the middle of a host
   */
  public static NoProxy patterns(String text) {
    return new NoProxy(Stream.of(text.split("\\|", -1))
        .map(each -> each.strip().toLowerCase(Locale.ROOT))
        .filter(each -> !each.isEmpty())
        .map(NoProxy::pattern)
        .toList());
  }

  /** Whether requests to the origin use no proxy. */
  public boolean matches(Origin origin) {
    if (rules.isEmpty()) {
      return false;
    }
    InetAddress address = literal(origin.host());
    return rules.stream().anyMatch(rule -> rule.matches(origin, address));
  }

  private static Rule pattern(String pattern) {
    if (pattern.equals("*")) {
      return (origin, address) -> true;
    }
    boolean openStart = pattern.startsWith("*");
    boolean openEnd = pattern.endsWith("*");
    String middle = pattern.substring(openStart ? 1 : 0, pattern.length() - (openEnd ? 1 : 0));
    if (middle.isEmpty() || middle.indexOf('*') >= 0) {
      throw new IllegalArgumentException(
          "the pattern %s has a star that is neither its first nor its last character"
              .formatted(pattern));
    }
    return (origin, address) -> {
      String plain = origin.host();
      String host = plain.indexOf(':') < 0 ? plain : "[" + plain + "]";
      if (openStart) {
        return openEnd ? host.contains(middle) : host.endsWith(middle);
      }
      return openEnd ? host.startsWith(middle) : host.equals(middle);
    };
  }

  private static Rule rule(String text) {
    if (text.equals("*")) {
      return (origin, address) -> true;
    }
    int slash = text.lastIndexOf('/');
    String host = slash < 0 ? text : text.substring(0, slash);
    int port = 0; // any
    boolean bareIpv6 = host.indexOf(':') != host.lastIndexOf(':') && !host.startsWith("[");
    int colon = bareIpv6 ? -1 : host.indexOf(':', host.lastIndexOf(']') + 1);
    if (colon >= 0) {
      port = number(host.substring(colon + 1), 1, 65_535, "port", text);
      host = host.substring(0, colon);
    }
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    InetAddress address = literal(host);
    if (address != null) {
      int all = 8 * address.getAddress().length;
      int bits =
          slash < 0 ? all : number(text.substring(slash + 1), 0, all, "number of bits", text);
      return block(new AddressBlock(address, bits), port);
    }
    if (slash >= 0) {
      throw malformed(text, "only an address can be followed by a slash and a number of bits");
    }
    return domain(name(host, text), port);
  }

  private static Rule block(AddressBlock block, int port) {
    return (origin, address) -> address != null && isPort(port, origin) && block.contains(address);
  }

  /** A host and its subdomains. */
  private static Rule domain(String name, int port) {
    return (origin, address) -> address == null
        && isPort(port, origin)
        && ("." + withoutEndDot(origin.host())).endsWith("." + name);
  }

  private static boolean isPort(int port, Origin origin) {
    return port == 0 || port == origin.port();
  }

  private static String name(String host, String rule) {
    String name = withoutEndDot(host.replaceFirst("^[*]?[.]", ""));
    if (name.indexOf('*') >= 0) {
      throw malformed(rule, "a * is allowed only alone, or as *. at the beginning");
    }
    try {
      return Origin.http(name, 80).host();
    } catch (IllegalArgumentException e) {
      throw malformed(rule, e.getMessage());
    }
  }

  private static String withoutEndDot(String host) {
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static int number(String text, int min, int max, String what, String rule) {
    int value = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
    if (value < min || value > max) {
      throw malformed(rule, "its " + what + " must be " + min + " to " + max);
    }
    return value;
  }

  private static IllegalArgumentException malformed(String rule, @Nullable String why) {
    return new IllegalArgumentException(
        "the no-proxy rule %s is malformed: %s; write * or a host,".formatted(rule, why)
            + " an address or an address/bits, each with :port if it is for one");
  }

  /** The address if the text is an address literal, or null. */
  private static @Nullable InetAddress literal(String host) {
    return host.indexOf('%') >= 0 ? null : Host.address(host);
  }
}
