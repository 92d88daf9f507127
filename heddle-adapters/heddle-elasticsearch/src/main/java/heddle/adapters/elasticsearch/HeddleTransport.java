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
 * Makes the calls of Elasticsearch's Java client. Thread-safe. Closing the client closes it.
 *
 * <pre>{@code
 * ElasticsearchClient client = ElasticsearchClient.of(
 *     builder -> builder.host(url).transportFactory(HeddleTransport::new));
 * }</pre>
 */
public final class HeddleTransport extends ElasticsearchTransportBase {

  /**
   * Creates a transport with Heddle's defaults, but with the timeouts of the client's own
   * transport: 1 s to connect, 30 s of silence, no limit per call.
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
   * Returns a factory of transports with settings of Heddle's, such as timeouts, pool limits,
   * proxies or listeners.
   *
   * @param settings applied to the builder of each client; their TLS options are replaced if the
   *     configuration has an SSL context
   * @return for {@code transportFactory}; it throws {@link IllegalArgumentException} if something
   *     in the configuration cannot be honoured
   */
  public static Function<ElasticsearchTransportConfig, ElasticsearchTransport> with(
      Consumer<HttpClient.Builder> settings) {
    return config -> new HeddleTransport(config, settings);
  }

  /** Returns a transport with the same connections, for calls with other options. */
  @Override
  public HeddleTransport withOptions(@Nullable TransportOptions options) {
    return new HeddleTransport((HeddleHttpClient) httpClient, options, mapper, instrumentation);
  }
}
