package heddle.bench.drivers.jdk;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's {@link HttpClient} through {@code sendAsync}, configured like {@link JdkDriver}; large
 * content is counted as it arrives and discarded.
 */
public final class AsyncJdkDriver implements AsyncClientDriver {

  private static final BodyHandler<Long> GATHER = head -> HttpResponse.BodySubscribers.mapping(
      BodyHandlers.ofByteArray().apply(head), content -> (long) content.length);
  private static final BodyHandler<Long> COUNT = _ -> new CountingSubscriber();

  private final JdkClients clients = new JdkClients(HttpClient::newBuilder);

  /** Creates a driver that is not started. */
  public AsyncJdkDriver() {}

  @Override
  public String name() {
    return "jdk-async";
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
  public AsyncExchange prepare(DriverRequest request) throws Exception {
    return clients.all().async(request, AsyncJdkDriver::exchange);
  }

  private static AsyncExchange exchange(HttpClient client, DriverRequest request) {
    HttpRequest made = JdkClients.request(request);
    BodyHandler<Long> reader = request.isAnswerLarge() ? COUNT : GATHER;
    return completion -> {
      var _ = client
          .sendAsync(made, reader)
          .thenApply(response -> answer(client, response))
          .whenComplete((answer, cause) -> {
            if (cause == null) {
              completion.answered(answer);
            } else {
              completion.failed(cause);
            }
          });
    };
  }

  private static Answer answer(HttpClient client, HttpResponse<Long> response) {
    try {
      JdkClients.check(client, response);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
    return new Answer(response.statusCode(), response.body());
  }

  @Override
  public void close() {
    clients.close();
  }
}
