package heddle.bench.searchclients;

import heddle.adapters.apache5.HeddleAsyncConnectionManager;
import heddle.adapters.apache5.HeddleConnectionManager;
import heddle.client.settings.PoolLimits;
import java.net.URI;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.core5.http.HttpHost;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;

/** What carries the calls of OpenSearch's client. */
enum Stack {
  STOCK("with defaults", 10),
  STOCK_RAISED("limits raised", Stack.CALLERS),
  HEDDLE("over Heddle with defaults", PoolLimits.DEFAULTS.maxPerRoute()),
  HEDDLE_RAISED("over Heddle, limits raised", Stack.CALLERS);

  static final int CALLERS = 1_000;

  private final String label;
  private final int connections;

  Stack(String label, int connections) {
    this.label = label;
    this.connections = connections;
  }

  String label() {
    return label;
  }

  /** How many connections to one node it may have. */
  int connections() {
    return connections;
  }

  /** A separate transport, without a connection yet. */
  OpenSearchTransport open(URI node) {
    return ApacheHttpClient5TransportBuilder.builder(HttpHost.create(node))
        .setHttpClientConfigCallback(this::configure)
        .build();
  }

  private HttpAsyncClientBuilder configure(HttpAsyncClientBuilder http) {
    return switch (this) {
      case STOCK -> http;
      case STOCK_RAISED ->
        http.setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
            .setMaxConnTotal(CALLERS)
            .setMaxConnPerRoute(CALLERS)
            .build());
      case HEDDLE -> http.setConnectionManager(HeddleAsyncConnectionManager.create());
      case HEDDLE_RAISED ->
        http.setConnectionManager(HeddleConnectionManager.builder()
            .setMaxConnTotal(CALLERS)
            .setMaxConnPerRoute(CALLERS)
            .buildAsync());
    };
  }
}
