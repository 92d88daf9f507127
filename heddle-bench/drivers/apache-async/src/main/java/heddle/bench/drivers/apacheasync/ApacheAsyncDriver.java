package heddle.bench.drivers.apacheasync;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.driver.Spread;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.H2AsyncClientBuilder;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.nio.AsyncRequestProducer;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.io.CloseMode;

/**
 * Apache HttpClient 5 through its asynchronous API; content is counted as it arrives and discarded.
 * Tuned, its pool may hold as many connections as the load has (5 for each route and 25 in all by
 * default). Over HTTP/2 it keeps one connection to a server, so that several take several clients.
 */
public final class ApacheAsyncDriver implements AsyncClientDriver {

  private final String name;
  private final Clients made;
  private final List<CloseableHttpAsyncClient> clients = new ArrayList<>();
  private ProtocolVersion version = HttpVersion.HTTP_1_1;
  private int streams;

  /** Creates clients. */
  @FunctionalInterface
  public interface Clients {

    /**
     * Creates a client that is not started, with the protocol, the limits and the trust of a load.
     */
    CloseableHttpAsyncClient make(DriverConfig config) throws Exception;
  }

  /** The driver of the name {@code apache-async}, not started. */
  public ApacheAsyncDriver() {
    this("apache-async", config -> config.isHttp2() ? http2(config) : http1(config));
  }

  /** Creates a driver that is not started. */
  public ApacheAsyncDriver(String name, Clients made) {
    this.name = name;
    this.made = made;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return Release.of(HttpAsyncClientBuilder.class);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    streams = config.wire().streams();
    version = config.isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    for (int i = config.clientsOfOneConnection(); i > 0; i--) {
      CloseableHttpAsyncClient client = made.make(config);
      clients.add(client);
      client.start();
    }
  }

  private static CloseableHttpAsyncClient http1(DriverConfig config) throws Exception {
    PoolingAsyncClientConnectionManagerBuilder pool =
        PoolingAsyncClientConnectionManagerBuilder.create()
            .setDefaultTlsConfig(TlsConfig.custom()
                .setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_1)
                .build());
    if (config.isTuned()) {
      int connections = config.wire().connections();
      pool.setMaxConnPerRoute(connections).setMaxConnTotal(connections);
    }
    if (config.isTls()) {
      pool.setTlsStrategy(tls(config));
    }
    return HttpAsyncClientBuilder.create().setConnectionManager(pool.build()).build();
  }

  private static CloseableHttpAsyncClient http2(DriverConfig config) throws Exception {
    H2AsyncClientBuilder builder = H2AsyncClientBuilder.create();
    if (config.isTls()) {
      builder.setTlsStrategy(tls(config));
    }
    return builder.build();
  }

  private static TlsStrategy tls(DriverConfig config) throws Exception {
    return ClientTlsStrategyBuilder.create()
        .setSslContext(config.wire().trust().context())
        .buildAsync();
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
    URI uri = request.uri();
    byte[] content = request.content();
    String asked = request.contentType();
    ContentType type =
        asked == null ? ContentType.APPLICATION_OCTET_STREAM : ContentType.parse(asked);
    List<AsyncExchange> all = new ArrayList<>();
    for (CloseableHttpAsyncClient client : clients) {
      all.add(completion -> {
        AsyncRequestProducer producer = content.length == 0
            ? new BasicRequestProducer(Method.GET, uri)
            : new BasicRequestProducer(
                Method.POST, uri, new BasicAsyncEntityProducer(content, type));
        var _ = client.execute(
            producer,
            new CountingConsumer(version),
            null,
            null,
            new CompletingCallback(completion));
      });
    }
    return Spread.async(all, streams);
  }

  /** Forwards the end of an exchange. */
  private record CompletingCallback(Completion completion) implements FutureCallback<Answer> {

    @Override
    public void completed(Answer answer) {
      completion.answered(answer);
    }

    @Override
    public void failed(Exception cause) {
      completion.failed(cause);
    }

    @Override
    public void cancelled() {
      completion.failed(new CancellationException("the client cancelled the request"));
    }
  }

  @Override
  public void close() throws IOException {
    clients.forEach(client -> client.close(CloseMode.IMMEDIATE));
  }
}
