package heddle.bench.worker;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** The JDK's client through its asynchronous API. */
final class AsyncTestDriver implements AsyncClientDriver {

  private final HttpClient client = HttpClient.newHttpClient();

  @Override
  public String name() {
    return "test-async";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(DriverConfig config) {}

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    HttpRequest made = HttpRequest.newBuilder(request.uri()).build();
    return completion -> {
      var _ = client.sendAsync(made, BodyHandlers.ofByteArray()).whenComplete((response, cause) -> {
        if (cause == null) {
          completion.answered(new Answer(response.statusCode(), response.body().length));
        } else {
          completion.failed(cause);
        }
      });
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
