package heddle.bench.race;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/** Starts only if no other is open that was started with the same {@code heddle.test.open}. */
public final class LoneTestDriver implements ClientDriver {

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path open = Path.of(System.getProperty("heddle.test.open"));

  @Override
  public String name() {
    return "lone";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) throws IOException {
    Files.createFile(open);
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    HttpRequest made = HttpRequest.newBuilder(request.uri()).build();
    return () -> {
      var response = client.send(made, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body().length);
    };
  }

  @Override
  public void close() throws IOException {
    client.shutdownNow();
    Files.deleteIfExists(open);
  }
}
