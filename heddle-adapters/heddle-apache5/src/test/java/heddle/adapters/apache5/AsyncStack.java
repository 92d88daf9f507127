package heddle.adapters.apache5;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.jspecify.annotations.Nullable;

/** Asynchronous clients over both. */
final class AsyncStack {
  private AsyncStack() {}

  record Running(CloseableHttpAsyncClient client, AsyncClientConnectionManager manager)
      implements AutoCloseable {
    SimpleHttpResponse get(String url) throws InterruptedException, ExecutionException {
      return send(SimpleRequestBuilder.get(url).build()).get();
    }

    Future<SimpleHttpResponse> send(SimpleHttpRequest request) {
      return client.execute(request, null);
    }

    ConnPoolControl<?> pool() {
      return (ConnPoolControl<?>) manager;
    }

    int leased() {
      return pool().getTotalStats().getLeased();
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }

  static Running start(Stack stack) {
    return start(stack, 20, builder -> builder.disableAutomaticRetries());
  }

  static Running start(Stack stack, int most, UnaryOperator<HttpAsyncClientBuilder> more) {
    return start(stack, most, null, more);
  }

  static Running start(
      Stack stack, int most, @Nullable SSLContext tls, UnaryOperator<HttpAsyncClientBuilder> more) {
    return start(stack, most, tls, HttpVersionPolicy.FORCE_HTTP_1, more);
  }

  /** Over the version that this policy leads to. */
  static Running start(Stack stack, @Nullable SSLContext tls, HttpVersionPolicy policy) {
    return start(stack, 100, tls, policy, builder -> builder.disableAutomaticRetries());
  }

  static Running start(
      Stack stack,
      int most,
      @Nullable SSLContext tls,
      HttpVersionPolicy policy,
      UnaryOperator<HttpAsyncClientBuilder> more) {
    TlsConfig config = TlsConfig.custom().setVersionPolicy(policy).build();
    AsyncClientConnectionManager manager =
        stack == Stack.HEDDLE ? overHeddle(most, tls, config) : stock(most, tls, config);
    return start(manager, more);
  }

  static Running start(
      AsyncClientConnectionManager manager, UnaryOperator<HttpAsyncClientBuilder> more) {
    HttpAsyncClientBuilder builder = HttpAsyncClients.custom()
        .setConnectionManager(manager)
        .setIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(1).build());
    CloseableHttpAsyncClient client = more.apply(builder).build();
    client.start();
    return new Running(client, manager);
  }

  private static AsyncClientConnectionManager overHeddle(
      int most, @Nullable SSLContext tls, TlsConfig config) {
    HeddleConnectionManagerBuilder builder = HeddleConnectionManager.builder()
        .setMaxConnTotal(most)
        .setMaxConnPerRoute(most)
        .setDefaultTlsConfig(config);
    return (tls == null ? builder : builder.setSslContext(tls)).buildAsync();
  }

  private static AsyncClientConnectionManager stock(
      int most, @Nullable SSLContext tls, TlsConfig config) {
    var builder = PoolingAsyncClientConnectionManagerBuilder.create()
        .setMaxConnTotal(most)
        .setMaxConnPerRoute(most)
        .setDefaultTlsConfig(config);
    if (tls != null) {
      builder.setTlsStrategy(
          ClientTlsStrategyBuilder.create().setSslContext(tls).buildAsync());
    }
    return builder.build();
  }

  static void assertNothingIsLeased(Running running) {
    while (running.leased() > 0) {
      Thread.onSpinWait(); // The endpoint is released right after the future was completed.
    }
  }
}
