package heddle.bench.drivers.okhttp;

import heddle.bench.driver.Clients;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * OkHttp's clients for drivers of OkHttp's API and of APIs on top of it. Tuned, each may keep as
 * many idle connections as the load has (5 by default), and run as many asynchronous calls at once
 * (64, and 5 to a host, by default; that does not concern blocking calls).
 */
public final class OkHttpClients {

  private static final Duration PATIENCE = Duration.ofHours(1);

  private final UnaryOperator<OkHttpClient> finish;
  private final Clients<OkHttpClient> clients = new Clients<>();
  private Protocol protocol = Protocol.HTTP_1_1;

  /** Creates it without a client. */
  public OkHttpClients() {
    this(UnaryOperator.identity());
  }

  /**
   * Creates it without a client.
   *
   * @param finish converts a configured client to the one used for calls
   */
  public OkHttpClients(UnaryOperator<OkHttpClient> finish) {
    this.finish = finish;
  }

  /** Creates the clients; over HTTP/2 a client keeps one connection to a server. */
  public void start(DriverConfig config) throws Exception {
    protocol = !config.isHttp2()
        ? Protocol.HTTP_1_1
        : config.isTls() ? Protocol.HTTP_2 : Protocol.H2_PRIOR_KNOWLEDGE;
    clients.start(config, () -> client(config));
  }

  private OkHttpClient client(DriverConfig config) throws Exception {
    OkHttpClient.Builder builder = new OkHttpClient.Builder()
        // Over TLS it requires HTTP/1.1 in addition to HTTP/2.
        .protocols(
            protocol == Protocol.HTTP_2 ? List.of(protocol, Protocol.HTTP_1_1) : List.of(protocol));
    int idle = config.isTuned() ? config.wire().connections() : 5;
    builder.connectionPool(new ConnectionPool(idle, 5, TimeUnit.MINUTES));
    if (config.isTuned()) {
      Dispatcher dispatcher = new Dispatcher();
      dispatcher.setMaxRequests(config.wire().exchanges());
      dispatcher.setMaxRequestsPerHost(config.wire().exchanges());
      builder.dispatcher(dispatcher);
      // Requests may be held longer than the default of 10 s; other clients have no such limits.
      builder.connectTimeout(PATIENCE).readTimeout(PATIENCE).writeTimeout(PATIENCE);
    }
    if (config.isTls()) {
      var trust = config.wire().trust();
      builder.sslSocketFactory(trust.context().getSocketFactory(), trust.manager());
    }
    return finish.apply(builder.build());
  }

  /** The clients; none before {@link #start}. */
  public Clients<OkHttpClient> all() {
    return clients;
  }

  /** The posted content, with the content type of the request. */
  public static RequestBody content(DriverRequest request) {
    String type = request.contentType();
    return RequestBody.create(request.content(), type == null ? null : MediaType.get(type));
  }

  static Request request(DriverRequest request) {
    Request.Builder builder = new Request.Builder().url(request.uri().toString());
    if (request.isPost()) {
      builder.post(content(request));
    }
    return builder.build();
  }

  /**
   * Checks the protocol.
   *
   * @throws IOException if the answer came over another protocol
   */
  public void check(Response response) throws IOException {
    if (response.protocol() != protocol) {
      throw new IOException("the answer came over " + response.protocol());
    }
  }

  /** Closes all connections and ends all threads. */
  public void close() {
    for (OkHttpClient client : clients) {
      client.dispatcher().executorService().shutdownNow();
      client.connectionPool().evictAll();
    }
  }
}
