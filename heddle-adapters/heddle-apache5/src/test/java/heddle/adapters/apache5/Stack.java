package heddle.adapters.apache5;

import java.io.IOException;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.jspecify.annotations.Nullable;

/** What carries the requests of a client: a test with it as a parameter expects no difference. */
enum Stack {
  /** Apache's own connections. */
  STOCK {
    @Override
    HttpClientConnectionManager manager(Setup setup) {
      var builder = PoolingHttpClientConnectionManagerBuilder.create()
          .setMaxConnTotal(setup.maxTotal)
          .setMaxConnPerRoute(setup.maxPerRoute)
          .setDefaultConnectionConfig(setup.connections);
      if (setup.names != null) {
        builder.setDnsResolver(setup.names);
      }
      if (setup.tls != null) {
        builder.setTlsSocketStrategy(new DefaultClientTlsStrategy(setup.tls));
      }
      if (setup.strategy != null) {
        builder.setTlsSocketStrategy(setup.strategy);
      }
      return builder.build();
    }
  },

  HEDDLE {
    @Override
    HttpClientConnectionManager manager(Setup setup) {
      var builder = HeddleConnectionManager.builder()
          .setMaxConnTotal(setup.maxTotal)
          .setMaxConnPerRoute(setup.maxPerRoute)
          .setDefaultConnectionConfig(setup.connections);
      if (setup.names != null) {
        builder.setDnsResolver(setup.names);
      }
      if (setup.tls != null) {
        builder.setSslContext(setup.tls);
      }
      if (setup.strategy != null) {
        builder.setTlsSocketStrategy(setup.strategy);
      }
      return builder.build();
    }
  };

  /** What both are made with. */
  static final class Setup {
    int maxTotal = 20;
    int maxPerRoute = 20;
    ConnectionConfig connections = ConnectionConfig.DEFAULT;

    @Nullable
    DnsResolver names;

    @Nullable
    SSLContext tls;

    @Nullable
    DefaultClientTlsStrategy strategy;
  }

  abstract HttpClientConnectionManager manager(Setup setup);

  Running start() {
    return start(new Setup());
  }

  Running start(Setup setup) {
    return start(setup, builder -> builder);
  }

  Running start(UnaryOperator<HttpClientBuilder> more) {
    return start(new Setup(), more);
  }

  Running start(Setup setup, UnaryOperator<HttpClientBuilder> more) {
    HttpClientConnectionManager manager = manager(setup);
    HttpClientBuilder builder = HttpClients.custom().setConnectionManager(manager);
    return new Running(more.apply(builder).build(), manager);
  }

  /** A client and its connections. */
  record Running(CloseableHttpClient client, HttpClientConnectionManager manager)
      implements AutoCloseable {
    String get(String url) throws IOException {
      return client.execute(
          new HttpGet(url),
          response -> response.getCode() + " " + EntityUtils.toString(response.getEntity()));
    }

    @SuppressWarnings("unchecked") // both managers are for routes
    ConnPoolControl<HttpRoute> pool() {
      return (ConnPoolControl<HttpRoute>) manager;
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }
}
