package heddle.bench.drivers.asynchttpclient;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.driver.Spread;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClientConfig;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.Request;
import org.asynchttpclient.RequestBuilder;
import org.jspecify.annotations.Nullable;

/**
 * AsyncHttpClient, with the JDK's TLS like all clients; content is counted as it arrives and
 * discarded. It has no connection limits to raise. Over HTTP/2 it keeps one connection to a server,
 * so that several connections take several clients.
 */
public final class AsyncHttpClientDriver implements AsyncClientDriver {

  private final List<AsyncHttpClient> clients = new ArrayList<>();
  private boolean http2;
  private @Nullable Request opening;
  private int streams;

  @Override
  public String name() {
    return "async-http-client";
  }

  @Override
  public String version() {
    return Release.of(AsyncHttpClient.class);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    http2 = config.isHttp2();
    opening = http2 ? request(config.opening()) : null;
    streams = config.wire().streams();
    for (int i = config.clientsOfOneConnection(); i > 0; i--) {
      DefaultAsyncHttpClientConfig.Builder builder =
          Dsl.config().setHttp2Enabled(http2).setHttp2CleartextEnabled(http2 && !config.isTls());
      if (config.isTls()) {
        builder.setSslContext(tls(config));
      }
      clients.add(Dsl.asyncHttpClient(builder));
    }
  }

  private static SslContext tls(DriverConfig config) throws Exception {
    String protocol =
        config.isHttp2() ? ApplicationProtocolNames.HTTP_2 : ApplicationProtocolNames.HTTP_1_1;
    return SslContextBuilder.forClient()
        .sslProvider(SslProvider.JDK)
        .trustManager(config.wire().trust().manager())
        .applicationProtocolConfig(new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            protocol))
        .build();
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) throws Exception {
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
    Request first = opening;
    if (first != null) {
      Spread.connectAsync(each(first));
    }
    return Spread.async(each(request(request)), streams);
  }

  private static Request request(DriverRequest request) {
    RequestBuilder builder = new RequestBuilder(request.isPost() ? "POST" : "GET")
        .setUrl(request.uri().toString());
    if (request.isPost()) {
      builder.setBody(request.content());
    }
    String type = request.contentType();
    if (type != null) {
      builder.setHeader("Content-Type", type);
    }
    return builder.build();
  }

  /** An exchange of the request with each client. */
  private List<AsyncExchange> each(Request request) {
    List<AsyncExchange> all = new ArrayList<>();
    for (AsyncHttpClient client : clients) {
      all.add(completion -> {
        var _ = client.executeRequest(request, new CountingHandler(completion, http2));
      });
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    for (AsyncHttpClient client : clients) {
      client.close();
    }
  }
}
