package heddle.http;

import heddle.http.syntax.Host;
import heddle.http.syntax.Octets;
import heddle.http.syntax.Url;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Scheme, host and port: where a request goes (RFC 9110 section 4.3.1). Immutable; the host is kept
 * in small letters, an IPv6 address without brackets.
 */
public final class Origin {
  /**
   * Origins of URLs that were parsed lately, so that the requests to one share its origin and the
   * value of Host. Read and written without a lock: what is found is checked, and immutable.
   */
  private static final @Nullable Origin[] RECENT = new @Nullable Origin[64];

  private final String scheme;
  private final String host;
  private final int port;

  private @Nullable String hostHeader; // made when first asked for; a race makes equal ones twice

  /**
   * @param scheme http or https, in small letters
   * @param host a name or address; an IPv6 address with or without brackets
   * @param port 1 to 65535
   * @throws IllegalArgumentException if one of them is not valid
   */
  public Origin(String scheme, String host, int port) {
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "scheme " + Octets.quote(scheme) + " is neither http nor https");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not between 1 and 65535");
    }
    this.scheme = scheme;
    boolean bareIpv6 = host.indexOf(':') >= 0 && Host.isIpv6(host);
    String literal = bareIpv6 ? "[" + host + "]" : host;
    this.host = Host.parse(literal, 0, literal.length());
    this.port = port;
  }

  private Origin(Url url) {
    this.scheme = url.secure() ? "https" : "http";
    this.host = url.host();
    this.port = url.port();
  }

  /** The origin of a URL, whose parts were checked. */
  static Origin of(Url url) {
    int index = (url.host().hashCode() * 31 + url.port()) & RECENT.length - 1;
    Origin recent = RECENT[index];
    if (recent == null || !recent.isOf(url)) {
      recent = new Origin(url);
      RECENT[index] = recent;
    }
    return recent;
  }

  private boolean isOf(Url url) {
    return port == url.port() && isSecure() == url.secure() && host.equals(url.host());
  }

  /** As {@code new Origin("http", host, port)}. */
  public static Origin http(String host, int port) {
    return new Origin("http", host, port);
  }

  /** As {@code new Origin("https", host, port)}. */
  public static Origin https(String host, int port) {
    return new Origin("https", host, port);
  }

  /**
   * The origin of a URL.
   *
   * @throws IllegalArgumentException if it is not an absolute http or https URL
   */
  public static Origin of(URI uri) {
    return of(Url.parse(uri.toString()));
  }

  /** {@code http} or {@code https}. */
  public String scheme() {
    return scheme;
  }

  /** The host in small letters; an IPv6 address without its brackets. */
  public String host() {
    return host;
  }

  /** The port, 1 to 65535; the scheme's default when the URL named none. */
  public int port() {
    return port;
  }

  /** Whether the scheme is https. */
  public boolean isSecure() {
    return scheme.equals("https");
  }

  /** The value of Host (RFC 9110 section 7.2): the port only when it is not the default. */
  public String hostHeader() {
    String known = hostHeader;
    if (known == null) {
      known = port == (isSecure() ? 443 : 80) ? bracketed() : bracketed() + ":" + port;
      hostHeader = known;
    }
    return known;
  }

  /** Host and port, always both: the request-target of CONNECT (RFC 9112 section 3.2.3). */
  public String authority() {
    return bracketed() + ":" + port;
  }

  private String bracketed() {
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  @Override
  public boolean equals(Object o) {
    return this == o
        || (o instanceof Origin other
            && port == other.port
            && host.equals(other.host)
            && scheme.equals(other.scheme));
  }

  @Override
  public int hashCode() {
    return (host.hashCode() * 31 + port) * 31 + scheme.hashCode();
  }

  /** Such as {@code http://example.com:80}, always with the port. */
  @Override
  public String toString() {
    return scheme + "://" + authority();
  }
}
