package heddle.adapters.apache4;

import java.io.IOException;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.conn.HttpClientConnectionManager;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.conn.socket.ConnectionSocketFactory;
import org.apache.http.conn.socket.PlainConnectionSocketFactory;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;
import org.apache.http.pool.ConnPoolControl;
import org.apache.http.ssl.SSLContexts;
import org.apache.http.util.EntityUtils;
import org.jspecify.annotations.Nullable;

/** What carries the requests of a client: a test with it as a parameter expects no difference. */
enum Stack {
  /** Apache's own connections. */
  STOCK {
    @Override
    HttpClientConnectionManager manager(@Nullable SSLContext tls) {
      SSLContext trusted = tls == null ? SSLContexts.createDefault() : tls;
      return new PoolingHttpClientConnectionManager(
          RegistryBuilder.<ConnectionSocketFactory>create()
              .register("http", PlainConnectionSocketFactory.INSTANCE)
              .register("https", new SSLConnectionSocketFactory(trusted))
              .build());
    }
  },

  HEDDLE {
    @Override
    HttpClientConnectionManager manager(@Nullable SSLContext tls) {
      HeddleConnectionManagerBuilder builder = HeddleConnectionManager.builder();
      return (tls == null ? builder : builder.setSSLContext(tls)).build();
    }
  };

  abstract HttpClientConnectionManager manager(@Nullable SSLContext tls);

  Running start() {
    return start(null, builder -> builder);
  }

  Running start(@Nullable SSLContext tls, UnaryOperator<HttpClientBuilder> more) {
    HttpClientConnectionManager manager = manager(tls);
    Running running = new Running(
        more.apply(HttpClients.custom().setConnectionManager(manager)).build(), manager);
    running.pool().setMaxTotal(20);
    running.pool().setDefaultMaxPerRoute(20);
    return running;
  }

  /** A client and its connections. */
  record Running(CloseableHttpClient client, HttpClientConnectionManager manager)
      implements AutoCloseable {
    String get(String url) throws IOException {
      return send(new HttpGet(url));
    }

    String send(HttpUriRequest request) throws IOException {
      try (CloseableHttpResponse response = client.execute(request)) {
        String text =
            response.getEntity() == null ? "" : " " + EntityUtils.toString(response.getEntity());
        return response.getStatusLine().getStatusCode() + text;
      }
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
