package heddle.bench.drivers.vertx;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.bench.driver.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Vert.x's client; content is counted as it arrives and discarded. Tuned, its pool may hold as many
 * connections as the load has (5 for each server by default, 1 over HTTP/2).
 */
public final class VertxDriver implements AsyncClientDriver {

  private static final long CLOSE_SECONDS = 5;

  private @Nullable Vertx vertx;
  private @Nullable HttpClient client;
  private HttpVersion version = HttpVersion.HTTP_1_1;

  @Override
  public String name() {
    return "vertx";
  }

  @Override
  public String version() {
    return Release.of(Vertx.class);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    version = config.isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    HttpClientOptions options =
        new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false);
    if (config.isTls()) {
      options
          .setSsl(true)
          .setUseAlpn(config.isHttp2())
          .setTrustOptions(TrustOptions.wrap(config.wire().trust().manager()));
    }
    PoolOptions pool = new PoolOptions();
    if (config.isTuned()) {
      Wire wire = config.wire();
      pool.setHttp1MaxSize(wire.connections()).setHttp2MaxSize(wire.connections());
      options.setHttp2MultiplexingLimit(wire.streams());
    }
    Vertx made = Vertx.vertx();
    vertx = made;
    client = made.createHttpClient(options, pool);
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    HttpClient started = Objects.requireNonNull(client, "the driver was not started");
    RequestOptions options =
        new RequestOptions().setAbsoluteURI(request.uri().toString()).setMethod(HttpMethod.GET);
    // Nested, so that the reader is registered before an answer can arrive: all on one event loop.
    if (!request.isPost()) {
      return completion -> tell(
          started.request(options).compose(made -> made.send().compose(this::read)), completion);
    }
    options.setMethod(HttpMethod.POST);
    String type = request.contentType();
    if (type != null) {
      options.putHeader("Content-Type", type);
    }
    Buffer content = Buffer.buffer(request.content());
    return completion -> tell(
        started.request(options).compose(made -> made.send(content).compose(this::read)),
        completion);
  }

  /** A client that should use HTTP/2 falls back to HTTP/1.1 if the server does not support it. */
  private Future<Answer> read(HttpClientResponse response) {
    if (response.version() != version) {
      return Future.failedFuture(new IOException("the answer came over " + response.version()));
    }
    Counter counter = new Counter();
    response.handler(piece -> counter.bytes += piece.length());
    return response.end().map(_ -> new Answer(response.statusCode(), counter.bytes));
  }

  private static void tell(Future<Answer> end, Completion completion) {
    end.onComplete(completion::answered, completion::failed);
  }

  /** Confined to the event loop of one exchange. */
  private static final class Counter {
    private long bytes;
  }

  @Override
  public void close() throws IOException {
    if (vertx == null) {
      return;
    }
    try {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      throw new IOException("Vert.x did not close", e);
    }
  }
}
