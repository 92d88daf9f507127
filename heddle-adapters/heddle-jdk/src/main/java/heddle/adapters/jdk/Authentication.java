package heddle.adapters.jdk;

import heddle.client.spi.Proxy;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.HeaderName;
import heddle.http.Headers;
import java.io.IOException;
import java.net.Authenticator;
import java.net.Authenticator.RequestorType;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Answers 401 and 407 of one call by the Basic scheme with credentials of an {@link Authenticator},
 * as the JDK's own client does. Used by one thread.
 */
final class Authentication {
  /** The spelling that the JDK passes to authenticators, whatever the server's spelling. */
  private static final String SCHEME = "basic";

  private static final int UNAUTHORIZED = 401;
  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  /** The JDK's own property and default. */
  private static final int RETRIES = Integer.getInteger("jdk.httpclient.auth.retrylimit", 3);

  private final @Nullable Authenticator authenticator;
  private final Passwords passwords;
  private final Route route;
  private final Round proxy = new Round();
  private Round server = new Round();

  /**
   * Accepted credentials.
   *
   * @param space a prefix of URIs, or a proxy
   * @param field the value of Authorization; null for a proxy
   */
  private record Known(String space, Proxy.Credentials credentials, @Nullable String field) {}

  /**
   * Credentials that servers and proxies have accepted, which are then sent preemptively: to a
   * server for the directory of the URI and everything below it (RFC 7617 section 2.2).
   * Thread-safe.
   */
  static final class Passwords {
    /** The maximum number of entries. The oldest are evicted. */
    private static final int MOST = 1000;

    private final List<Known> all = new CopyOnWriteArrayList<>();

    static String spaceOf(URI uri) {
      String path = uri.normalize().getRawPath();
      String folder =
          path == null || path.isEmpty() ? "/" : path.substring(0, path.lastIndexOf('/') + 1);
      return Messages.origin(uri) + folder;
    }

    static String spaceOf(Proxy proxy) {
      return "proxy " + proxy.host() + ":" + proxy.port() + "/";
    }

    /** Returns the credentials for this space or one above it; null for none. */
    @Nullable
    Known find(String space) {
      for (Known each : all) {
        if (space.startsWith(each.space())) {
          return each;
        }
      }
      return null;
    }

    void remember(Known accepted) {
      all.removeIf(each -> each.space().equals(accepted.space()));
      if (all.size() >= MOST) {
        all.removeFirst();
      }
      all.add(accepted);
    }

    void forget(Known refused) {
      all.remove(refused);
    }
  }

  /** The credentials sent to the server or the proxy. */
  private static final class Round {
    @Nullable
    Known shown;

    /** Whether they were accepted in an earlier call. */
    boolean known;

    int refusals;
  }

  /**
   * @param authenticator null for none: the caller gets 401 and 407
   */
  Authentication(@Nullable Authenticator authenticator, Passwords passwords, Route route) {
    this.authenticator = authenticator;
    this.passwords = passwords;
    this.route = route;
  }

  /** The JDK's own properties disable schemes. By default they disable Basic for tunnels. */
  private static boolean isBasicAllowed(boolean tunnel) {
    String property = tunnel
        ? System.getProperty("jdk.http.auth.tunneling.disabledSchemes", "Basic")
        : System.getProperty("jdk.http.auth.proxying.disabledSchemes", "");
    return Arrays.stream(property.split(",", -1))
        .noneMatch(each -> each.strip().equalsIgnoreCase("Basic"));
  }

  // ---- before a request

  /** Begins a request for another URI, which must not get the previous server's credentials. */
  void begin(HttpRequest request) {
    server = new Round();
    Proxy through = route.proxy();
    if (through != null) {
      beginWith(through, request);
    }
    if (authenticator != null && request.headers().firstValue("Authorization").isEmpty()) {
      server.shown = passwords.find(Passwords.spaceOf(request.uri()));
      server.known = server.shown != null;
    }
  }

  private void beginWith(Proxy through, HttpRequest request) {
    boolean tunnel = route.tunnels(request.uri());
    if (!isBasicAllowed(tunnel)) {
      return;
    }
    Proxy.Credentials own = tunnel ? given(request) : null;
    if (own != null) {
      route.show(own);
      return;
    }
    if (proxy.shown == null && authenticator != null && !hasOwnForProxy(request)) {
      proxy.shown = passwords.find(Passwords.spaceOf(through));
      proxy.known = proxy.shown != null;
    }
    if (tunnel && proxy.shown != null) {
      route.show(proxy.shown.credentials());
    }
  }

  private static boolean hasOwnForProxy(HttpRequest request) {
    return request.headers().firstValue("Proxy-Authorization").isPresent();
  }

  /** The Basic credentials for a proxy in the request's own fields; null for none. */
  private static Proxy.@Nullable Credentials given(HttpRequest request) {
    String field = request.headers().firstValue("Proxy-Authorization").orElse("");
    if (!field.regionMatches(true, 0, "Basic ", 0, 6)) {
      return null;
    }
    byte[] pair = Base64.getDecoder().decode(field.substring(6).strip());
    String text = new String(pair, StandardCharsets.UTF_8);
    int colon = text.indexOf(':');
    return colon < 0
        ? null
        : new Proxy.Credentials(text.substring(0, colon), text.substring(colon + 1));
  }

  /** The value of Authorization to send; null for none. */
  @Nullable
  String field() {
    Known shown = server.shown;
    return shown == null ? null : shown.field();
  }

  /**
   * The value of Proxy-Authorization for a request that a proxy forwards; null for none.
   * Credentials for tunnels are set by {@link Route#show}. These are not part of the route, so that
   * the connection to the proxy is reused after they were sent.
   */
  @Nullable
  String proxyField(HttpRequest request) {
    Known shown = proxy.shown;
    return shown == null || !route.forwards(request.uri()) || hasOwnForProxy(request)
        ? null
        : basic(shown.credentials(), StandardCharsets.UTF_8);
  }

  private static String basic(Proxy.Credentials credentials, Charset charset) {
    return Credentials.basic(credentials.user(), credentials.password(), charset)
        .fieldValue();
  }

  // ---- after a response

  /**
   * Whether a response requests credentials that are available, so that the request must be sent
   * again.
   *
   * @throws IOException if there are no credentials, or too many were refused
   */
  boolean answers(HttpRequest request, int status, Headers headers) throws IOException {
    if (authenticator == null) {
      return false;
    }
    if (status == PROXY_AUTHENTICATION_REQUIRED) {
      if (route.forwards(request.uri())) {
        return answersProxy(request, headers);
      }
      if (route.proxy() == null) {
        refuseToIdentify(request, headers);
      }
      return false;
    }
    accepted(proxy);
    if (status == UNAUTHORIZED) {
      return answersServer(request, headers);
    }
    accepted(server);
    return false;
  }

  private void accepted(Round round) {
    Known shown = round.shown;
    if (shown != null && !round.known) {
      passwords.remember(shown);
      round.known = true;
    }
  }

  private boolean answersServer(HttpRequest request, Headers headers) throws IOException {
    if (request.headers().firstValue("Authorization").isPresent()) {
      return false;
    }
    Challenge challenge = basic(headers, HeaderName.WWW_AUTHENTICATE, UNAUTHORIZED);
    if (challenge == null) {
      return false;
    }
    URI uri = request.uri();
    refused(server);
    Proxy.Credentials credentials = ask(
        uri.getHost(), uri.getPort(), Messages.scheme(uri), challenge, uri, RequestorType.SERVER);
    Charset charset = "UTF-8".equalsIgnoreCase(challenge.parameter("charset"))
        ? StandardCharsets.UTF_8
        : StandardCharsets.ISO_8859_1;
    server.shown = new Known(Passwords.spaceOf(uri), credentials, basic(credentials, charset));
    server.known = false;
    return true;
  }

  /**
   * As {@link #answers}, for a proxy that opens a tunnel or forwards a request.
   *
   * @param headers of its 407
   */
  boolean answersProxy(HttpRequest request, Headers headers) throws IOException {
    Proxy through = route.proxy();
    if (authenticator == null || through == null || hasOwnForProxy(request)) {
      return false;
    }
    Challenge challenge =
        basic(headers, HeaderName.PROXY_AUTHENTICATE, PROXY_AUTHENTICATION_REQUIRED);
    boolean tunnel = route.tunnels(request.uri());
    if (challenge == null || !isBasicAllowed(tunnel)) {
      return false;
    }
    refused(proxy);
    Proxy.Credentials credentials = ask(
        through.host(),
        through.port(),
        "http",
        challenge,
        tunnel ? null : request.uri(),
        RequestorType.PROXY);
    proxy.shown = new Known(Passwords.spaceOf(through), credentials, null);
    proxy.known = false;
    if (tunnel) {
      route.show(credentials);
    }
    return true;
  }

  /**
   * Fails a 407 of a server that is not a proxy. The JDK's client asks its authenticator several
   * times, does not send its answers, and fails. Here the authenticator is not asked.
   */
  private static void refuseToIdentify(HttpRequest request, Headers headers) throws IOException {
    if (!hasOwnForProxy(request)
        && basic(headers, HeaderName.PROXY_AUTHENTICATE, PROXY_AUTHENTICATION_REQUIRED) != null) {
      throw new IOException(request.uri().getHost() + " has answered 407, as only a proxy may"
          + " (RFC 9110 section 15.5.8), but no proxy is used to which a password could be sent:"
          + " the server has to ask with 401");
    }
  }

  private void refused(Round round) throws IOException {
    Known shown = round.shown;
    if (shown == null) {
      return;
    }
    if (round.known) {
      passwords.forget(shown);
    }
    round.shown = null;
    round.refusals++;
    if (round.refusals > RETRIES) {
      throw new IOException("too many authentication attempts. Limit: " + RETRIES);
    }
  }

  private static @Nullable Challenge basic(Headers headers, HeaderName name, int status)
      throws IOException {
    List<Challenge> challenges = Challenge.in(headers, name);
    if (!headers.contains(name)) {
      throw new IOException(name + " header missing for response code " + status);
    }
    return challenges.stream().filter(each -> each.is("Basic")).findFirst().orElse(null);
  }

  private Proxy.Credentials ask(
      String host,
      int port,
      String protocol,
      Challenge challenge,
      @Nullable URI uri,
      RequestorType type)
      throws IOException {
    URL url = uri == null ? null : uri.toURL();
    PasswordAuthentication found;
    try {
      found = authenticator == null
          ? null
          : authenticator.requestPasswordAuthenticationInstance(
              host, null, port, protocol, challenge.realm(), SCHEME, url, type);
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
    if (found == null) {
      throw new IOException("No credentials provided: the Authenticator has none for " + host);
    }
    return new Proxy.Credentials(found.getUserName(), new String(found.getPassword()));
  }
}
