package heddle.adapters.apache5.comparison;

import heddle.adapters.apache5.HeddleConnectionManager;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.core5.http2.HttpVersionPolicy;

/** What carries the requests of a client: Apache's own connections, or Heddle's. */
enum Carrier {
  STOCK {
    @Override
    HttpClientConnectionManager manager(ConnectionConfig config) {
      return PoolingHttpClientConnectionManagerBuilder.create()
          .setDefaultConnectionConfig(config)
          .build();
    }

    @Override
    AsyncClientConnectionManager asyncManager(ConnectionConfig config) {
      return PoolingAsyncClientConnectionManagerBuilder.create()
          .setDefaultConnectionConfig(config)
          .setDefaultTlsConfig(HTTP_1)
          .build();
    }
  },

  HEDDLE {
    @Override
    HttpClientConnectionManager manager(ConnectionConfig config) {
      return HeddleConnectionManager.builder()
          .setDefaultConnectionConfig(config)
          .build();
    }

    @Override
    AsyncClientConnectionManager asyncManager(ConnectionConfig config) {
      return HeddleConnectionManager.builder()
          .setDefaultConnectionConfig(config)
          .setDefaultTlsConfig(HTTP_1)
          .buildAsync();
    }
  };

  private static final TlsConfig HTTP_1 =
      TlsConfig.custom().setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_1).build();

  abstract HttpClientConnectionManager manager(ConnectionConfig config);

  abstract AsyncClientConnectionManager asyncManager(ConnectionConfig config);
}
