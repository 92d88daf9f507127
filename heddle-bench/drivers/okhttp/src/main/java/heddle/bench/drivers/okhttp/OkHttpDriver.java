package heddle.bench.drivers.okhttp;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.util.function.UnaryOperator;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * OkHttp through its blocking API. Over HTTP/2 it keeps one connection to a server, so that several
 * connections take several clients.
 */
public final class OkHttpDriver implements ClientDriver {

  private final String name;
  private final OkHttpClients clients;

  /** The driver of the name {@code okhttp}, not started. */
  public OkHttpDriver() {
    this("okhttp", UnaryOperator.identity());
  }

  /**
   * Creates a driver that is not started.
   *
   * @param finish converts a configured client to the one used for calls
   */
  public OkHttpDriver(String name, UnaryOperator<OkHttpClient> finish) {
    this.name = name;
    this.clients = new OkHttpClients(finish);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return OkHttp.VERSION;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    clients.start(config);
  }

  @Override
  public Exchange prepare(DriverRequest request) throws Exception {
    return clients.all().blocking(request, this::exchange);
  }

  private Exchange exchange(OkHttpClient client, DriverRequest request) {
    Request made = OkHttpClients.request(request);
    boolean large = request.isAnswerLarge();
    return () -> read(client.newCall(made).execute(), clients, large);
  }

  /** Reads the whole answer, and closes it. */
  static Answer read(Response answer, OkHttpClients clients, boolean large) throws IOException {
    try (Response response = answer) {
      clients.check(response);
      return large
          ? Answer.drain(response.code(), response.body().byteStream())
          : new Answer(response.code(), response.body().bytes().length);
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
