package heddle.bench.worker;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Semaphore;

/** The JDK's client, held to the number of connections that it is given. */
public final class BlockingTestDriver implements ClientDriver {

  private final HttpClient client = HttpClient.newHttpClient();
  private Semaphore connections = new Semaphore(0, true);

  @Override
  public String name() {
    return "test";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {
    connections = new Semaphore(config.wire().exchanges(), true);
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    HttpRequest made = HttpRequest.newBuilder(request.uri()).build();
    return () -> {
      connections.acquire();
      try {
        var response = client.send(made, BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), response.body().length);
      } finally {
        connections.release();
      }
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
