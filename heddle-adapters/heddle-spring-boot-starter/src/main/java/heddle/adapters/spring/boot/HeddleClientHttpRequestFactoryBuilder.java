package heddle.adapters.spring.boot;

import heddle.adapters.spring.HeddleClientHttpRequestFactory;
import heddle.client.HttpClient;
import heddle.transport.tls.TlsOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.ssl.SslBundle;

/**
 * Builds {@link HeddleClientHttpRequestFactory} instances with Boot's {@link HttpClientSettings}.
 * Factories with equal settings share a client and its connections, unless cookies are enabled.
 * Immutable and thread-safe; as a bean, it closes its clients with the context.
 *
 * <p>The starter offers one to Boot. To change what it builds, define a customizer:
 *
 * <pre>{@code
 * @Bean
 * ClientHttpRequestFactoryBuilderCustomizer<HeddleClientHttpRequestFactoryBuilder> limits() {
 *   return builder -> builder.withHttpClientCustomizer(
 *       client -> client.poolLimits(PoolLimits.builder().maxPerRoute(20).build()));
 * }
 * }</pre>
 */
public final class HeddleClientHttpRequestFactoryBuilder
    implements ClientHttpRequestFactoryBuilder<HeddleClientHttpRequestFactory>, DisposableBean {
  private final SharedClients clients;
  private final Consumer<HttpClient.Builder> clientCustomizer;
  private final List<Consumer<HeddleClientHttpRequestFactory>> customizers;

  /** Creates a builder with its own clients, which {@link #destroy} closes. */
  public HeddleClientHttpRequestFactoryBuilder() {
    this(new SharedClients(null));
  }

  HeddleClientHttpRequestFactoryBuilder(SharedClients clients) {
    this(clients, client -> {}, List.of());
  }

  private HeddleClientHttpRequestFactoryBuilder(
      SharedClients clients,
      Consumer<HttpClient.Builder> clientCustomizer,
      List<Consumer<HeddleClientHttpRequestFactory>> customizers) {
    this.clients = clients;
    this.clientCustomizer = clientCustomizer;
    this.customizers = customizers;
  }

  /**
   * Returns a builder that also applies this to each client it makes, after Boot's settings. For
   * pool limits, proxies, versions of HTTP, retries, listeners and other settings of Heddle.
   */
  public HeddleClientHttpRequestFactoryBuilder withHttpClientCustomizer(
      Consumer<HttpClient.Builder> customizer) {
    return new HeddleClientHttpRequestFactoryBuilder(
        clients, clientCustomizer.andThen(customizer), customizers);
  }

  @Override
  public HeddleClientHttpRequestFactoryBuilder withCustomizer(
      Consumer<HeddleClientHttpRequestFactory> customizer) {
    return withCustomizers(List.of(customizer));
  }

  @Override
  public HeddleClientHttpRequestFactoryBuilder withCustomizers(
      Collection<Consumer<HeddleClientHttpRequestFactory>> added) {
    List<Consumer<HeddleClientHttpRequestFactory>> all = new ArrayList<>(customizers);
    all.addAll(added);
    return new HeddleClientHttpRequestFactoryBuilder(clients, clientCustomizer, List.copyOf(all));
  }

  /** Returns what the customizer makes of this builder. */
  public HeddleClientHttpRequestFactoryBuilder with(
      UnaryOperator<HeddleClientHttpRequestFactoryBuilder> customizer) {
    return customizer.apply(this);
  }

  /**
   * Builds a factory. Timeouts that are not set are those of {@link
   * HeddleClientHttpRequestFactory}: 5 s for connecting, 30 s for reading. Redirects are followed
   * unless the settings say otherwise.
   *
   * @throws IllegalArgumentException if a timeout is negative, or the SSL bundle has a protocol or
   *     cipher suite that cannot be used
   */
  @Override
  public HeddleClientHttpRequestFactory build(@Nullable HttpClientSettings settings) {
    HttpClientSettings given = settings == null ? HttpClientSettings.defaults() : settings;
    SslBundle bundle = given.sslBundle();
    // Made here, so that a broken bundle is found when the application starts.
    TlsOptions tls = bundle == null ? null : clients.tls(bundle);
    HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory(
        options -> clients.client(options, given, tls, clientCustomizer));
    if (given.connectTimeout() != null) {
      factory.setConnectTimeout(given.connectTimeout());
    }
    if (given.readTimeout() != null) {
      factory.setReadTimeout(given.readTimeout());
    }
    factory.setFollowRedirects(given.redirects() != HttpRedirects.DONT_FOLLOW);
    customizers.forEach(each -> each.accept(factory));
    return factory;
  }

  /**
   * Closes the clients of all factories that this builder, and those derived from it, have built.
   * Running requests have 5 s before they are aborted. Idempotent.
   */
  @Override
  public void destroy() {
    clients.destroy();
  }
}
