package heddle.bench.drivers.jdk;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's {@link HttpClient} through its blocking API. It has no limits to raise. Over HTTP/2 it
 * keeps one connection to a server, so that several connections take several clients.
 */
public final class JdkDriver implements ClientDriver {

  private final String name;
  private final JdkClients clients;

  /** The driver of the name {@code jdk}, not started. */
  public JdkDriver() {
    this("jdk", HttpClient::newBuilder);
  }

  /**
   * Creates a driver that is not started.
   *
   * @param builders creates a builder per client
   */
  public JdkDriver(String name, Supplier<HttpClient.Builder> builders) {
    this.name = name;
    this.clients = new JdkClients(builders);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return Runtime.version().toString();
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return clients.refusal(config);
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    clients.start(config);
  }

  @Override
  public Exchange prepare(DriverRequest request) throws Exception {
    return clients.all().blocking(request, JdkDriver::exchange);
  }

  private static Exchange exchange(HttpClient client, DriverRequest request) {
    HttpRequest made = JdkClients.request(request);
    return request.isAnswerLarge() ? () -> stream(client, made) : () -> gather(client, made);
  }

  private static Answer gather(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
    JdkClients.check(client, response);
    return new Answer(response.statusCode(), response.body().length);
  }

  private static Answer stream(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
    JdkClients.check(client, response);
    try (InputStream content = response.body()) {
      return Answer.drain(response.statusCode(), content);
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
