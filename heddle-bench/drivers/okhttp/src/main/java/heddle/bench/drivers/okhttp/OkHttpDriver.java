package heddle.bench.drivers.okhttp;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * OkHttp through its blocking API. Tuned, it may keep as many idle connections as the load has (5
 * by default); its dispatcher's limits do not concern blocking calls. Over HTTP/2 it keeps one
 * connection to a server, so that several connections take several clients.
 */
public final class OkHttpDriver implements ClientDriver {

  private final List<OkHttpClient> clients = new ArrayList<>();
  private Protocol protocol = Protocol.HTTP_1_1;
  private boolean http2;
  private int streams;

  @Override
  public String name() {
    return "okhttp";
  }

  @Override
  public String version() {
    return OkHttp.VERSION;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    http2 = config.isHttp2();
    streams = config.wire().streams();
    protocol = !config.isHttp2()
        ? Protocol.HTTP_1_1
        : config.isTls() ? Protocol.HTTP_2 : Protocol.H2_PRIOR_KNOWLEDGE;
    for (int i = config.clientsOfOneConnection(); i > 0; i--) {
      clients.add(client(config));
    }
  }

  private OkHttpClient client(DriverConfig config) throws Exception {
    OkHttpClient.Builder builder = new OkHttpClient.Builder()
        // It insists on HTTP/1.1 beside HTTP/2 over TLS.
        .protocols(
            protocol == Protocol.HTTP_2 ? List.of(protocol, Protocol.HTTP_1_1) : List.of(protocol));
    int idle = config.isTuned() ? config.wire().connections() : 5;
    builder.connectionPool(new ConnectionPool(idle, 5, TimeUnit.MINUTES));
    if (config.isTls()) {
      var trust = config.wire().trust();
      builder.sslSocketFactory(trust.context().getSocketFactory(), trust.manager());
    }
    return builder.build();
  }

  @Override
  public Exchange prepare(DriverRequest request) throws Exception {
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
    Request.Builder builder = new Request.Builder().url(request.uri().toString());
    if (request.isPost()) {
      builder.post(RequestBody.create(request.content()));
    }
    Request made = builder.build();
    boolean large = request.isAnswerLarge();
    List<Exchange> all = new ArrayList<>();
    for (OkHttpClient client : clients) {
      all.add(() -> exchange(client, made, large));
    }
    if (http2) {
      Spread.connect(all);
    }
    return Spread.blocking(all, streams);
  }

  private Answer exchange(OkHttpClient client, Request request, boolean large) throws IOException {
    try (Response response = client.newCall(request).execute()) {
      if (response.protocol() != protocol) {
        throw new IOException("the answer came over " + response.protocol());
      }
      return large
          ? Answer.drain(response.code(), response.body().byteStream())
          : new Answer(response.code(), response.body().bytes().length);
    }
  }

  @Override
  public void close() {
    for (OkHttpClient client : clients) {
      client.dispatcher().executorService().shutdownNow();
      client.connectionPool().evictAll();
    }
  }
}
