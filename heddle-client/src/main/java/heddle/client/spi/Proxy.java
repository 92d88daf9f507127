package heddle.client.spi;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A proxy, or {@linkplain #DIRECT none}. Immutable. Proxies are equal if all of their settings are,
 * credentials included: requests share connections only if they authenticate in the same way.
 *
 * <pre>{@code
 * Proxy proxy = Proxy.http("proxy.example", 3128).withCredentials("user", password);
 * }</pre>
 */
public final class Proxy {
  /** No proxy: requests go to the origin. Its host is empty and its port is 0. */
  public static final Proxy DIRECT = new Proxy(Kind.DIRECT, "", 0, null, false, Tunnels.PLAIN);

  /** Fields of a CONNECT that the client itself sets. */
  private static final List<HeaderName> NOT_OF_TUNNELS = List.of(
      HeaderName.HOST,
      HeaderName.CONTENT_LENGTH,
      HeaderName.TRANSFER_ENCODING,
      HeaderName.PROXY_AUTHORIZATION);

  /** The protocol to speak to a proxy. */
  public enum Kind {
    /** No proxy. */
    DIRECT,
    /** HTTP/1.1 in cleartext (RFC 9110 section 3.7). */
    HTTP,
    /** HTTP/1.1 over TLS. */
    HTTPS,
    /** SOCKS 5 (RFC 1928). Host names are looked up by the proxy. */
    SOCKS5
  }

  /**
   * User name and password for a proxy. {@link #toString} shows neither.
   *
   * @param user for HTTP without a colon or control characters (RFC 7617 section 2), for SOCKS 1 to
   *     255 bytes of UTF-8
   * @param password for HTTP without control characters, for SOCKS as the user (RFC 1929 section 2)
   */
  public record Credentials(String user, String password) {
    @Override
    public String toString() {
      return "Credentials[***]";
    }
  }

  /** Settings of its tunnels. */
  private record Tunnels(Headers fields, boolean passesCredentials) {
    private static final Tunnels PLAIN = new Tunnels(Headers.empty(), false);
  }

  private final Kind kind;
  private final String host;
  private final int port;
  private final @Nullable Credentials credentials;
  private final boolean preemptive;
  private final Tunnels tunnels;

  private Proxy(
      Kind kind,
      String host,
      int port,
      @Nullable Credentials credentials,
      boolean preemptive,
      Tunnels tunnels) {
    this.kind = kind;
    this.host = host;
    this.port = port;
    this.credentials = credentials;
    this.preemptive = preemptive;
    this.tunnels = tunnels;
  }

  /**
   * A proxy that speaks HTTP in cleartext.
   *
   * @param host a name or address; an IPv6 address with or without brackets
   * @param port 1 to 65535
   * @throws IllegalArgumentException if the host or the port is not valid
   */
  public static Proxy http(String host, int port) {
    return of(Kind.HTTP, host, port);
  }

  /**
   * A proxy that speaks HTTP over TLS, whose certificate the client's TLS options must trust.
   *
   * @throws IllegalArgumentException as for {@link #http}
   */
  public static Proxy https(String host, int port) {
    return of(Kind.HTTPS, host, port);
  }

  /**
   * A SOCKS 5 proxy, which also looks up the host names of origins.
   *
   * @throws IllegalArgumentException as for {@link #http}
   */
  public static Proxy socks5(String host, int port) {
    return of(Kind.SOCKS5, host, port);
  }

  private static Proxy of(Kind kind, String host, int port) {
    Origin checked = Origin.http(host, port);
    return new Proxy(kind, checked.host(), checked.port(), null, false, Tunnels.PLAIN);
  }

  /**
   * The same as a proxy of the JDK: an HTTP proxy spoken to in cleartext, or a SOCKS proxy, spoken
   * to with version 5.
   *
   * @throws IllegalArgumentException if it has no host and port
   */
  public static Proxy of(java.net.Proxy proxy) {
    if (proxy.type() == java.net.Proxy.Type.DIRECT) {
      return DIRECT;
    }
    if (!(proxy.address() instanceof InetSocketAddress address)) {
      throw new IllegalArgumentException("the proxy %s has no host and port".formatted(proxy));
    }
    return proxy.type() == java.net.Proxy.Type.HTTP
        ? http(address.getHostString(), address.getPort())
        : socks5(address.getHostString(), address.getPort());
  }

  /**
   * A proxy from a URL such as {@code http://user:password@proxy.example:3128}, as used in
   * environment variables. The scheme is http, https, socks5 or socks5h, by default http; the
   * default port is 80, 443 or 1080. User and password may hold {@code %} escapes.
   *
   * @throws IllegalArgumentException if it is not such a URL; the message does not show credentials
   */
  public static Proxy parse(String url) {
    return ProxyUrl.parse(url);
  }

  /**
   * The same proxy with a user name and a password. An HTTP proxy gets them by the Basic scheme
   * (RFC 7617) after it has asked for them with 407; only TLS to the proxy protects them. A SOCKS
   * proxy gets them by RFC 1929, if it chooses that method. For other schemes, or a password that
   * is not known beforehand, use an {@link Authenticator}.
   *
   * @throws IllegalArgumentException if they violate the rules of {@link Credentials}
   * @throws IllegalStateException if this is {@link #DIRECT}
   */
  public Proxy withCredentials(String user, String password) {
    switch (kind) {
      case DIRECT ->
        throw new IllegalStateException("Proxy.DIRECT is no proxy, so it takes no credentials");
      case HTTP, HTTPS -> heddle.http.Credentials.basic(user, password, StandardCharsets.UTF_8);
      case SOCKS5 -> {
        requireSocksLength("user name", user);
        requireSocksLength("password", password);
      }
    }
    return new Proxy(kind, host, port, new Credentials(user, password), preemptive, tunnels);
  }

  private static void requireSocksLength(String what, String text) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > 255) {
      throw new IllegalArgumentException(
          "a SOCKS proxy's %s has 1 to 255 bytes of UTF-8 (RFC 1929), not %d"
              .formatted(what, length));
    }
  }

  /**
   * The same proxy, to which credentials are sent without being asked. This saves a round trip per
   * client, but reveals them to any server that answers at this address.
   */
  public Proxy preemptively() {
    return new Proxy(kind, host, port, credentials, true, tunnels);
  }

  /**
   * The same proxy, whose CONNECT requests have these fields too, such as a User-Agent.
   *
   * @param fields replace those that were set before
   * @throws IllegalArgumentException if they contain Host, Content-Length, Transfer-Encoding or
   *     Proxy-Authorization
   * @throws IllegalStateException if it is not an HTTP or HTTPS proxy
   */
  public Proxy withTunnelFields(Headers fields) {
    for (HeaderName name : NOT_OF_TUNNELS) {
      if (fields.contains(name)) {
        throw new IllegalArgumentException("%s of a CONNECT is not to be chosen: %s"
            .formatted(
                name,
                name == HeaderName.PROXY_AUTHORIZATION
                    ? "Proxy.withCredentials and Authenticator say who asks"
                    : "the origin decides it"));
      }
    }
    return withTunnels(new Tunnels(fields, tunnels.passesCredentials()));
  }

  /**
   * The same proxy, in whose tunnels requests keep a Proxy-Authorization field that the caller has
   * set. By default the field is removed, since it is meant for the proxy (RFC 9110 section
   * 11.7.2), which does not see requests in a tunnel.
   *
   * @throws IllegalStateException if it is not an HTTP or HTTPS proxy
   */
  public Proxy passingCredentials() {
    return withTunnels(new Tunnels(tunnels.fields(), true));
  }

  private Proxy withTunnels(Tunnels special) {
    if (!forwards()) {
      throw new IllegalStateException(this + " opens no tunnels by CONNECT");
    }
    return new Proxy(kind, host, port, credentials, preemptive, special);
  }

  /** What kind of proxy it is. */
  public Kind kind() {
    return kind;
  }

  /** The host in lower case; an IPv6 address without brackets. */
  public String host() {
    return host;
  }

  /** The port of the proxy. */
  public int port() {
    return port;
  }

  /** The credentials for the proxy; null for none. */
  public @Nullable Credentials credentials() {
    return credentials;
  }

  /** Whether credentials are sent before the proxy asks for them. */
  public boolean isPreemptive() {
    return preemptive;
  }

  /** The fields of each CONNECT in addition to Host and credentials; empty by default. */
  public Headers tunnelFields() {
    return tunnels.fields();
  }

  /** Whether requests in its tunnels keep their Proxy-Authorization field. */
  public boolean passesCredentials() {
    return tunnels.passesCredentials();
  }

  /** Whether it forwards requests for http origins, without a tunnel. */
  public boolean forwards() {
    return kind == Kind.HTTP || kind == Kind.HTTPS;
  }

  @Override
  public boolean equals(Object o) {
    return this == o
        || (o instanceof Proxy other
            && kind == other.kind
            && port == other.port
            && preemptive == other.preemptive
            && host.equals(other.host)
            && tunnels.equals(other.tunnels)
            && Objects.equals(credentials, other.credentials));
  }

  /** Uses the name of the kind: an enum's hash code differs from one process to the next. */
  @Override
  public int hashCode() {
    return (kind.name().hashCode() * 31 + host.hashCode()) * 31 + port;
  }

  /** Such as {@code http://proxy.example:3128}, or {@code DIRECT}; never with credentials. */
  @Override
  public String toString() {
    String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return kind == Kind.DIRECT
        ? "DIRECT"
        : kind.name().toLowerCase(Locale.ROOT) + "://" + shown + ":" + port;
  }
}
