package heddle.bench.race;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Asks for {@code /hello?x} in a JVM alone that was started with {@code -Dheddle.test.cell=x}. */
public final class FlaggedTestDriver implements ClientDriver {

  private final HttpClient client = HttpClient.newHttpClient();

  @Override
  public String name() {
    return "flagged";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {}

  @Override
  public Exchange prepare(DriverRequest request) throws IOException {
    String flag = System.getProperty("heddle.test.cell");
    if (!request.uri().getQuery().equals(flag)) {
      throw new IOException("this JVM was started for " + flag);
    }
    HttpRequest made = HttpRequest.newBuilder(request.uri()).build();
    return () -> {
      var response = client.send(made, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body().length);
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
