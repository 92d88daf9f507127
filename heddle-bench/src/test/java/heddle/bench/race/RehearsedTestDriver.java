package heddle.bench.race;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Asks only in a JVM in which something was measured before, which begins with a collection. */
public final class RehearsedTestDriver implements ClientDriver {

  private final HttpClient client = HttpClient.newHttpClient();

  @Override
  public String name() {
    return "rehearsed";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {}

  @Override
  public Exchange prepare(DriverRequest request) {
    HttpRequest made = HttpRequest.newBuilder(request.uri()).build();
    return () -> {
      long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
      if (collections == 0) {
        throw new IOException("nothing was measured yet");
      }
      var response = client.send(made, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body().length);
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
