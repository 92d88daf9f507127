package heddle.bench.drivers.reactornetty;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.driver.Wire;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.HttpResources;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

/**
 * Reactor Netty through its own API, with the JDK's TLS like all clients; content is counted as it
 * arrives and discarded. Tuned, its pool may hold as many connections as the load has (500 by
 * default), and exchanges without a connection wait instead of failing.
 */
public final class ReactorNettyDriver implements AsyncClientDriver {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private @Nullable HttpClient client;
  private @Nullable ConnectionProvider pool;

  @Override
  public String name() {
    return "reactor-netty";
  }

  @Override
  public String version() {
    return Release.of(HttpClient.class);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    HttpClient made = config.isTuned() ? tuned(config.wire()) : HttpClient.create();
    made = made.protocol(
        !config.isHttp2()
            ? HttpProtocol.HTTP11
            : config.isTls() ? HttpProtocol.H2 : HttpProtocol.H2C);
    if (config.isTls()) {
      GenericSslContextSpec<SslContextBuilder> tls = tls(config);
      made = made.secure(spec -> spec.sslContext(tls));
    }
    client = made;
  }

  private HttpClient tuned(Wire wire) {
    ConnectionProvider made = ConnectionProvider.builder("heddle-race")
        .maxConnections(wire.connections())
        .pendingAcquireMaxCount(-1)
        .allocationStrategy(Http2AllocationStrategy.builder()
            .minConnections(wire.connections())
            .maxConnections(wire.connections())
            .maxConcurrentStreams(wire.streams())
            .build())
        .build();
    pool = made;
    return HttpClient.create(made);
  }

  private static GenericSslContextSpec<SslContextBuilder> tls(DriverConfig config)
      throws Exception {
    X509ExtendedTrustManager trust = config.wire().trust().manager();
    GenericSslContextSpec<SslContextBuilder> spec =
        config.isHttp2() ? Http2SslContextSpec.forClient() : Http11SslContextSpec.forClient();
    return spec.configure(builder -> builder.sslProvider(SslProvider.JDK).trustManager(trust));
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    HttpClient started = Objects.requireNonNull(client, "the driver was not started");
    String uri = request.uri().toString();
    byte[] content = request.content();
    String type = request.contentType();
    HttpClient typed = type == null
        ? started
        : started.headers(headers -> headers.set(HttpHeaderNames.CONTENT_TYPE, type));
    HttpClient.ResponseReceiver<?> receiver = content.length == 0
        ? started.get().uri(uri)
        : typed.post().uri(uri).send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(content)));
    Mono<Answer> exchange = receiver
        .response((head, pieces) -> pieces
            .reduce(0L, (bytes, piece) -> bytes + piece.readableBytes())
            .map(bytes -> new Answer(head.status().code(), bytes)))
        .single();
    return completion -> {
      var _ = exchange.subscribe(completion::answered, completion::failed);
    };
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.disposeLater().block(PATIENCE);
    }
    HttpResources.disposeLoopsAndConnectionsLater(Duration.ZERO, PATIENCE).block(PATIENCE);
  }
}
