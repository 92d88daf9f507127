package heddle.client.spi;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The proxies that the JVM's properties and the environment name, with their exceptions. */
final class SystemProxies {
  /** The JDK's default if the property is not set. */
  private static final String NON_PROXY_HOSTS = "localhost|127.*|[::1]";

  private SystemProxies() {}

  static ProxySelector of(
      Function<String, @Nullable String> properties, Map<String, String> environment) {
    String patterns = properties.apply("http.nonProxyHosts");
    NoProxy byProperty = explain(
        "the system property http.nonProxyHosts",
        () -> NoProxy.patterns(patterns == null ? NON_PROXY_HOSTS : patterns));
    Variable noProxy = Variable.first(environment, "no_proxy", "NO_PROXY");
    NoProxy byVariable = noProxy == null
        ? NoProxy.none()
        : explain(noProxy.name(), () -> NoProxy.parse(noProxy.value()));
    ProxySelector http = choose(
        fromProperties(properties, "http.proxy", 80),
        byProperty,
        Variable.first(environment, "http_proxy", "all_proxy", "ALL_PROXY"),
        byVariable);
    ProxySelector https = choose(
        fromProperties(properties, "https.proxy", 443),
        byProperty,
        Variable.first(environment, "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"),
        byVariable);
    return origin -> (origin.isSecure() ? https : http).select(origin);
  }

  private static ProxySelector choose(
      @Nullable Proxy property,
      NoProxy byProperty,
      @Nullable Variable variable,
      NoProxy byVariable) {
    if (property != null) {
      return ProxySelector.fixed(property, byProperty);
    }
    return variable == null
        ? origin -> List.of()
        : ProxySelector.fixed(
            explain(variable.name(), () -> Proxy.parse(variable.value())), byVariable);
  }

  private static @Nullable Proxy fromProperties(
      Function<String, @Nullable String> properties, String prefix, int preset) {
    String host = properties.apply(prefix + "Host");
    if (host != null && !host.isBlank()) {
      return explain(
          "the system property " + prefix + "Host or " + prefix + "Port",
          () -> Proxy.http(host.strip(), port(properties.apply(prefix + "Port"), preset)));
    }
    String socks = properties.apply("socksProxyHost");
    return socks == null || socks.isBlank()
        ? null
        : explain(
            "the system property socksProxyHost or socksProxyPort",
            () -> Proxy.socks5(socks.strip(), port(properties.apply("socksProxyPort"), 1080)));
  }

  private static int port(@Nullable String text, int preset) {
    if (text == null || text.isBlank()) {
      return preset;
    }
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("the port " + text + " is not a number", e);
    }
  }

  /** Prefixes the message of a failure with the source of the value. */
  private static <T> T explain(String place, Supplier<T> parsing) {
    try {
      return parsing.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
    }
  }

  /** An environment variable that is set. */
  private record Variable(String name, String value) {
    /** The first that is set and not blank. */
    static @Nullable Variable first(Map<String, String> environment, String... names) {
      for (String name : names) {
        String value = environment.get(name);
        if (value != null && !value.isBlank()) {
          return new Variable("the environment variable " + name, value);
        }
      }
      return null;
    }
  }
}
