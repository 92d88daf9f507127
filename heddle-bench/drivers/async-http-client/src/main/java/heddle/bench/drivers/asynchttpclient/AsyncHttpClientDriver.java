package heddle.bench.drivers.asynchttpclient;

import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.Clients;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClientConfig;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.Request;
import org.asynchttpclient.RequestBuilder;

/**
 * AsyncHttpClient, with the JDK's TLS like all clients; content is counted as it arrives and
 * discarded. It has no connection limits to raise. Over HTTP/2 it keeps one connection to a server,
 * so that several connections take several clients.
 */
public final class AsyncHttpClientDriver implements AsyncClientDriver {

  private final Clients<AsyncHttpClient> clients = new Clients<>();
  private boolean http2;

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
    clients.start(config, () -> client(config));
  }

  private static AsyncHttpClient client(DriverConfig config) throws Exception {
    DefaultAsyncHttpClientConfig.Builder builder = Dsl.config()
        .setHttp2Enabled(config.isHttp2())
        .setHttp2CleartextEnabled(config.isHttp2() && !config.isTls());
    if (config.isTls()) {
      builder.setSslContext(tls(config));
    }
    return Dsl.asyncHttpClient(builder);
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
    return clients.async(request, this::exchange);
  }

  private AsyncExchange exchange(AsyncHttpClient client, DriverRequest request) {
    Request made = request(request);
    return completion -> {
      var _ = client.executeRequest(made, new CountingHandler(completion, http2));
    };
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

  @Override
  public void close() throws IOException {
    for (AsyncHttpClient client : clients) {
      client.close();
    }
  }
}
