package heddle.adapters.elasticsearch;

import co.elastic.clients.json.JsonpMapper;
import co.elastic.clients.transport.ElasticsearchTransport;
import co.elastic.clients.transport.ElasticsearchTransportBase;
import co.elastic.clients.transport.ElasticsearchTransportConfig;
import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.instrumentation.Instrumentation;
import heddle.client.HttpClient;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries the calls of Elasticsearch's Java client. Safe for use by many threads, virtual or not;
 * closed by closing the client.
 *
 * <pre>{@code
 * ElasticsearchClient client = ElasticsearchClient.of(
 *     builder -> builder.host(url).transportFactory(HeddleTransport::new));
 * }</pre>
 */
public final class HeddleTransport extends ElasticsearchTransportBase {

  /**
   * A transport with Heddle's defaults, but the timeouts of the client's own transport: 1 s to
   * connect, 30 s of silence, no limit on a call.
   *
   * @throws IllegalArgumentException if something in the configuration cannot be honoured; the
   *     message names it
   */
  public HeddleTransport(ElasticsearchTransportConfig config) {
    this(config, builder -> {});
  }

  private HeddleTransport(
      ElasticsearchTransportConfig config, Consumer<HttpClient.Builder> settings) {
    this(
        HeddleHttpClient.of(config, settings),
        config.transportOptions(),
        config.mapper(),
        config.instrumentation());
  }

  private HeddleTransport(
      HeddleHttpClient client,
      @Nullable TransportOptions options,
      JsonpMapper mapper,
      @Nullable Instrumentation instrumentation) {
    super(client, options, mapper, instrumentation);
  }

  /**
   * Makes transports with settings of Heddle's, such as timeouts, limits of the pool, proxies or
   * listeners.
   *
   * @param settings applied to the builder of each client; what they say of TLS is replaced where
   *     the configuration has an SSL context
   * @return for {@code transportFactory}; it throws {@link IllegalArgumentException} if something
   *     in the configuration cannot be honoured
   */
  public static Function<ElasticsearchTransportConfig, ElasticsearchTransport> with(
      Consumer<HttpClient.Builder> settings) {
    return config -> new HeddleTransport(config, settings);
  }

  /** The same transport, with the same connections, for calls with other options. */
  @Override
  public HeddleTransport withOptions(@Nullable TransportOptions options) {
    return new HeddleTransport((HeddleHttpClient) httpClient, options, mapper, instrumentation);
  }
}
