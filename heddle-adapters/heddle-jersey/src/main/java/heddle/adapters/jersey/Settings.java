package heddle.adapters.jersey;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.CookieStore;
import heddle.cookies.CookieHandlerStore;
import heddle.cookies.Rfc6265CookieStore;
import heddle.transport.tls.TlsOptions;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.core.Configuration;
import java.net.CookieHandler;
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
 * The settings of a Jersey client that apply to all of its requests.
 *
 * @param context null for Heddle's own, or the one that {@code builder} sets
 * @param verifier null for the rules of HTTPS
 * @param cookies for requests that keep cookies
 * @param builder settings of Heddle's
 */
record Settings(
    @Nullable SSLContext context,
    @Nullable HostnameVerifier verifier,
    CookieStore cookies,
    Consumer<HttpClient.Builder> builder) {
  /** The limit of {@code HttpURLConnection}, and so of Jersey's own connector. */
  private static final RedirectPolicy FOLLOWING =
      RedirectPolicy.builder().most(20).build();

  private static final List<String> COOKIES_DISABLED = List.of(
      HeddleConnectorProvider.DISABLE_COOKIES,
      "jersey.config.jetty.client.disableCookies",
      "jersey.config.apache.client.handleCookies",
      "jersey.config.apache5.client.handleCookies");

  /** Prefixes of properties that only other connectors support. */
  private static final List<String> OF_OTHERS = List.of(
      "jersey.config.apache.client.",
      "jersey.config.apache5.client.",
      "jersey.config.jetty.client.",
      "jersey.config.grizzly.client.",
      "jersey.config.jnh.client.",
      "jersey.config.client.JdkConnectorProvider.");

  /** Properties of other connectors that may be true, as this connector always does the same. */
  private static final List<String> VERIFYING = List.of(
      "jersey.config.jetty.client.enableSslHostnameVerification",
      "jersey.config.client.tls.enableHostnameVerification");

  /** Returns the settings of a client. */
  static Settings of(Client client, Consumer<HttpClient.Builder> builder) {
    CookieHandler handler = CookieHandler.getDefault();
    return new Settings(
        context(client),
        client.getHostnameVerifier(),
        handler == null ? Rfc6265CookieStore.create() : new CookieHandlerStore(handler),
        builder);
  }

  /**
   * Checks the properties of a client or a target.
   *
   * @throws IllegalArgumentException if there is one that cannot be honoured
   */
  static void requireHonourable(Configuration configuration) {
    for (String name : configuration.getPropertyNames()) {
      requireHonourable(name, configuration.getProperty(name));
    }
  }

  /**
   * Checks the properties of one request.
   *
   * @throws IllegalArgumentException if there is one that cannot be honoured
   */
  static void requireHonourable(ClientRequest request) {
    for (String name : request.getPropertyNames()) {
      requireHonourable(name, request.getProperty(name));
      if (COOKIES_DISABLED.contains(name)) {
        throw refusal(name, "it can be set for a client or a target, not for one request");
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
      throw refusal(name, "it belongs to another connector; use HeddleConnectorProvider.with");
    }
  }

  /** Null for Jersey's default context, which has the JVM's defaults, as Heddle's own has. */
  private static @Nullable SSLContext context(Client client) {
    boolean made = client instanceof JerseyClient jersey && jersey.isDefaultSslContext();
    boolean same = System.getProperty("javax.net.ssl.keyStore") == null;
    return made && same && client.getHostnameVerifier() == null ? null : client.getSslContext();
  }

  /** Whether requests use the cookies of their client. */
  static boolean keepsCookies(Configuration configuration) {
    return COOKIES_DISABLED.stream()
        .map(configuration::getProperty)
        .noneMatch(value -> Boolean.parseBoolean(String.valueOf(value)));
  }

  /** Returns an exception that names the option and the reason. */
  static IllegalArgumentException refusal(String option, @Nullable String reason) {
    return new IllegalArgumentException("the option " + option + " cannot be honoured: " + reason);
  }

  /**
   * Makes a client for requests with these options.
   *
   * @throws IllegalArgumentException if settings contradict each other
   */
  HttpClient make(CallOptions options) {
    Duration connect = Duration.ofMillis(options.connectMillis());
    Duration read = Duration.ofMillis(options.readMillis());
    HttpClient.Builder made = Clients.builder(connect, read).proxies(Proxies::ofTheJvm);
    if (options.keepsCookies()) {
      made.cookies(cookies);
    }
    builder.accept(made);
    // Jersey's properties override the settings.
    if (options.proxy() != null) {
      made.proxy(options.proxy());
    }
    TlsOptions.Builder tls = tls(options);
    if (tls != null) {
      made.tls(tls.build());
    }
    return made
        // Closing a Jersey client does not wait for responses that are still read.
        .timeouts(
            Clients.timeouts(connect, read).toBuilder().close(Duration.ZERO).build())
        .redirects(options.follow() ? FOLLOWING : RedirectPolicy.never())
        .build();
  }

  private TlsOptions.@Nullable Builder tls(CallOptions options) {
    SSLContext given = options.tls() == null ? context : options.tls();
    ServerName name = options.name();
    if (given == null && verifier == null && name == null) {
      return null;
    }
    TlsOptions.Builder tls =
        Clients.tls(given == null ? Clients.defaultContext() : given, verifier);
    return name == null ? tls : tls.serverName(name.host(), name.name());
  }
}
