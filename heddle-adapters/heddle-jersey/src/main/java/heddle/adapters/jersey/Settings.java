package heddle.adapters.jersey;

import heddle.adapters.support.Clients;
import heddle.adapters.support.IdentityContext;
import heddle.client.HttpClient;
import heddle.client.spi.CookieStore;
import heddle.client.spi.RedirectPolicy;
import heddle.cookies.CookieHandlerStore;
import heddle.transport.tls.TlsOptions;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.core.Configuration;
import java.net.CookieHandler;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.JerseyClient;
import org.jspecify.annotations.Nullable;

/**
 * What a client of Jersey's says once for all of its requests.
 *
 * @param context null for Heddle's own, or what {@code builder} says
 * @param verifier null for the rules of https
 * @param cookies for requests that have any
 * @param builder settings of Heddle's
 */
record Settings(
    @Nullable SSLContext context,
    @Nullable HostnameVerifier verifier,
    CookieStore cookies,
    Consumer<HttpClient.Builder> builder) {
  /** As many as {@code HttpURLConnection} follows, and so Jersey's own connector. */
  private static final RedirectPolicy FOLLOWING =
      RedirectPolicy.builder().most(20).build();

  private static final List<String> COOKIES_DISABLED = List.of(
      HeddleConnectorProvider.DISABLE_COOKIES,
      "jersey.config.jetty.client.disableCookies",
      "jersey.config.apache.client.handleCookies",
      "jersey.config.apache5.client.handleCookies");

  /** What properties begin with that are for another connector alone. */
  private static final List<String> OF_OTHERS = List.of(
      "jersey.config.apache.client.",
      "jersey.config.apache5.client.",
      "jersey.config.jetty.client.",
      "jersey.config.grizzly.client.",
      "jersey.config.jnh.client.",
      "jersey.config.client.JdkConnectorProvider.");

  /** Properties of other connectors that say, when true, what is done here anyway. */
  private static final List<String> VERIFYING = List.of(
      "jersey.config.jetty.client.enableSslHostnameVerification",
      "jersey.config.client.tls.enableHostnameVerification");

  /** The settings of a client. */
  static Settings of(Client client, Consumer<HttpClient.Builder> builder) {
    CookieHandler handler = CookieHandler.getDefault();
    return new Settings(
        context(client),
        client.getHostnameVerifier(),
        handler == null ? new FirstCookies() : new CookieHandlerStore(handler),
        builder);
  }

  /**
   * Looks through the properties of a client, or of a target.
   *
   * @throws IllegalArgumentException if there is one that cannot be honoured
   */
  static void requireHonourable(Configuration configuration) {
    for (String name : configuration.getPropertyNames()) {
      requireHonourable(name, configuration.getProperty(name));
    }
  }

  /**
   * The same for what is set for one request alone.
   *
   * @throws IllegalArgumentException if there is one that cannot be honoured
   */
  static void requireHonourable(ClientRequest request) {
    for (String name : request.getPropertyNames()) {
      requireHonourable(name, request.getProperty(name));
      if (COOKIES_DISABLED.contains(name)) {
        throw refusal(name, "it is for a client, or a target, not for one request");
      }
    }
  }

  private static void requireHonourable(String name, @Nullable Object value) {
    if (name.equals(ClientProperties.CONNECTOR_CONFIGURATION)) {
      throw refusal(
          name,
          "its values cannot be read by connectors that are not Jersey's own; set the properties"
              + " of ClientProperties themselves");
    }
    if (VERIFYING.contains(name)) {
      if (!Boolean.parseBoolean(String.valueOf(value))) {
        throw refusal(name, "the host is verified in the handshake (RFC 9525)");
      }
    } else if (!COOKIES_DISABLED.contains(name) && OF_OTHERS.stream().anyMatch(name::startsWith)) {
      throw refusal(
          name, "it belongs to another connector; say it by HeddleConnectorProvider.with");
    }
  }

  /** What Jersey makes by itself trusts and shows what the JVM is told to, as Heddle's own does. */
  private static @Nullable SSLContext context(Client client) {
    boolean made = client instanceof JerseyClient jersey && jersey.isDefaultSslContext();
    boolean same = System.getProperty("javax.net.ssl.keyStore") == null;
    return made && same && client.getHostnameVerifier() == null ? null : client.getSslContext();
  }

  /** Whether requests have the cookies of their client. */
  static boolean keepsCookies(Configuration configuration) {
    return COOKIES_DISABLED.stream()
        .map(configuration::getProperty)
        .noneMatch(value -> Boolean.parseBoolean(String.valueOf(value)));
  }

  /** A refusal that names an option and says why. */
  static IllegalArgumentException refusal(String option, @Nullable String reason) {
    return new IllegalArgumentException("the option " + option + " cannot be honoured: " + reason);
  }

  /**
   * A client for requests with these options.
   *
   * @throws IllegalArgumentException if settings contradict each other
   */
  HttpClient make(CallOptions options, boolean keepsCookies) {
    Duration connect = Duration.ofMillis(options.connectMillis());
    Duration read = Duration.ofMillis(options.readMillis());
    HttpClient.Builder made = Clients.builder(connect, read).proxies(JvmProxies::of);
    if (keepsCookies) {
      made.cookies(cookies);
    }
    builder.accept(made);
    // Whatever the settings say of these, Jersey's properties say it.
    if (options.proxy() != null) {
      made.proxy(options.proxy());
    }
    SSLContext tls = tls(options);
    if (tls != null) {
      made.tls(TlsOptions.builder()
          .context(tls)
          .hostNamesByTrustManagers()
          .allowShortRsaKeys()
          .build());
    }
    return made
        // Whoever closes a client of Jersey's does not wait for those who still read.
        .timeouts(Clients.timeouts(connect, read).withClose(Duration.ZERO))
        .redirects(options.follow() ? FOLLOWING : RedirectPolicy.never())
        .build();
  }

  private @Nullable SSLContext tls(CallOptions options) {
    SSLContext given = options.tls() == null ? context : options.tls();
    ServerName name = options.name();
    if (verifier == null && name == null) {
      return given;
    }
    return new IdentityContext(
        given == null ? ofTheJvm() : given, verifier, name == null ? null : name.indication());
  }

  private static SSLContext ofTheJvm() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JVM has no SSLContext of its own", e);
    }
  }
}
