package heddle.client.spi;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A proxy, or {@linkplain #DIRECT none}. Immutable; equal where all of it is, credentials included,
 * so that connections are shared by those who are the same to the proxy. Its text never shows
 * credentials.
 *
 * <pre>{@code
 * Proxy proxy = Proxy.http("proxy.example", 3128).withCredentials("user", password);
 * }</pre>
 */
public final class Proxy {
  /** No proxy: straight to the origin. Has no host and port 0. */
  public static final Proxy DIRECT = new Proxy(Kind.DIRECT, "", 0, null, false, Tunnels.PLAIN);

  /** Who a CONNECT is addressed to, how long it is and who asks, which others decide. */
  private static final List<HeaderName> NOT_OF_TUNNELS = List.of(
      HeaderName.HOST,
      HeaderName.CONTENT_LENGTH,
      HeaderName.TRANSFER_ENCODING,
      HeaderName.PROXY_AUTHORIZATION);

  /** What is spoken to a proxy. */
  public enum Kind {
    /** There is none. */
    DIRECT,
    /** HTTP/1.1 in cleartext (RFC 9110 section 3.7). */
    HTTP,
    /** HTTP/1.1 over TLS. */
    HTTPS,
    /** SOCKS 5 (RFC 1928). Host names are looked up by the proxy. */
    SOCKS5
  }

  /**
   * Who we are to a proxy. Its text shows neither.
   *
   * @param user for HTTP without a colon or control characters (RFC 7617 section 2), for SOCKS 1 to
   *     255 bytes of UTF-8
   * @param password for HTTP without control characters, for SOCKS 1 to 255 bytes of UTF-8 (RFC
   *     1929 section 2)
   */
  public record Credentials(String user, String password) {
    @Override
    public String toString() {
      return "Credentials[***]";
    }
  }

  /** What is special to its tunnels. */
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
   * @throws IllegalArgumentException if one of them is not so
   */
  public static Proxy http(String host, int port) {
    return of(Kind.HTTP, host, port);
  }

  /**
   * A proxy that speaks HTTP over TLS; who it must be is decided by the client's TLS options.
   *
   * @throws IllegalArgumentException as for {@link #http}
   */
  public static Proxy https(String host, int port) {
    return of(Kind.HTTPS, host, port);
  }

  /**
   * A SOCKS 5 proxy, which also looks the origins' names up.
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
   * A proxy from a URL such as {@code http://user:password@proxy.example:3128}, as it stands in
   * environment variables. The scheme is http, https, socks5 or socks5h, and http where there is
   * none; the port is 80, 443 or 1080 where there is none. User and password may hold {@code %}
   * escapes.
   *
   * @throws IllegalArgumentException if it is no such URL; the message does not repeat credentials
   */
  public static Proxy parse(String url) {
    return ProxyUrl.parse(url);
  }

  /**
   * The same proxy with a user's name and password. An HTTP proxy gets them by the Basic scheme
   * (RFC 7617), which protects them only where the proxy is spoken to over TLS, once it has asked
   * for them with 407; a SOCKS proxy by RFC 1929, if it chooses so. For other schemes, or where
   * they are not known beforehand, an HTTP proxy is answered by the client's {@link
   * Authenticator}s.
   *
   * @throws IllegalArgumentException if they are not as {@link Credentials} says
   * @throws IllegalStateException if this is {@link #DIRECT}
   */
  public Proxy withCredentials(String user, String password) {
    switch (kind) {
      case DIRECT -> throw new IllegalStateException("no proxy, so nobody to show credentials to");
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
   * The same proxy, to which credentials are sent with the first request rather than when it asks:
   * that saves a round trip for each client, and shows them to whoever answers there.
   */
  public Proxy preemptively() {
    return new Proxy(kind, host, port, credentials, true, tunnels);
  }

  /**
   * The same proxy, to which each CONNECT brings these fields beside Host and the credentials, such
   * as a User-Agent. Connections are shared by calls that would bring the same fields only.
   *
   * @param fields that replace those given before
   * @throws IllegalArgumentException if Host, Content-Length, Transfer-Encoding or
   *     Proxy-Authorization is among them
   * @throws IllegalStateException if it is not spoken to by HTTP
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
   * The same proxy, behind whose tunnels a request keeps a Proxy-Authorization that its caller has
   * put into it. Without that the field is taken out, since it is meant for the proxy (RFC 9110
   * section 11.7.2), which does not see requests in a tunnel.
   *
   * @throws IllegalStateException if it is not spoken to by HTTP
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

  public Kind kind() {
    return kind;
  }

  /** The host in small letters; an IPv6 address without its brackets. */
  public String host() {
    return host;
  }

  public int port() {
    return port;
  }

  /** Who we are to the proxy; null for nobody. */
  public @Nullable Credentials credentials() {
    return credentials;
  }

  /** Whether credentials are sent before the proxy asks for them. */
  public boolean isPreemptive() {
    return preemptive;
  }

  /** What each CONNECT brings beside Host and credentials; empty unless they were given. */
  public Headers tunnelFields() {
    return tunnels.fields();
  }

  /** Whether requests in its tunnels keep a Proxy-Authorization of their own. */
  public boolean passesCredentials() {
    return tunnels.passesCredentials();
  }

  /** Whether it takes requests for http origins as they are, without a tunnel. */
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

  /** From the name of the kind: an enum's own differs from one process to the next. */
  @Override
  public int hashCode() {
    return (kind.name().hashCode() * 31 + host.hashCode()) * 31 + port;
  }

  /** Such as {@code http://proxy.example:3128}, or {@code DIRECT}; never with credentials. */
  @Override
  public String toString() {
    String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return switch (kind) {
      case DIRECT -> "DIRECT";
      case HTTP -> "http://" + shown + ":" + port;
      case HTTPS -> "https://" + shown + ":" + port;
      case SOCKS5 -> "socks5://" + shown + ":" + port;
    };
  }
}
