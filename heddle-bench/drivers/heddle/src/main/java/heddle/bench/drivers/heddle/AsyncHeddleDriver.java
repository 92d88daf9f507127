package heddle.bench.drivers.heddle;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Heddle's client through {@link HttpClient#sendAsync}, configured like {@link HeddleDriver}; large
 * content is discarded as it arrives, like in the drivers of other asynchronous clients. The system
 * property {@value Readers#PROPERTY} chooses the threads that read answers: own (that of the call),
 * 1, 2, cached or virtual.
 */
public final class AsyncHeddleDriver implements AsyncClientDriver {

  private @Nullable ExecutorService readers;
  private @Nullable HttpClient client;

  /** Creates a driver that is not started. */
  public AsyncHeddleDriver() {}

  @Override
  public String name() {
    return "heddle-async";
  }

  @Override
  public String version() {
    return Release.of(HttpClient.class);
  }

  @Override
  public void start(DriverConfig config) throws IOException {
    // Not earlier: a wrong name must not fail the other drivers of this folder.
    readers = Readers.named(System.getProperty(Readers.PROPERTY, "own")).open();
    client = HeddleDriver.open(config);
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    HttpClient started = Objects.requireNonNull(client, "the driver was not started");
    Request made = HeddleDriver.request(request);
    boolean large = request.isAnswerLarge();
    ExecutorService others = readers;
    return completion -> {
      CompletableFuture<Response> sent = started.sendAsync(made);
      CompletableFuture<Answer> answered = others == null
          ? sent.thenApply(response -> read(response, large))
          : sent.thenApplyAsync(response -> read(response, large), others);
      var _ = answered.whenComplete((answer, cause) -> {
        if (cause == null) {
          completion.answered(answer);
        } else {
          completion.failed(cause);
        }
      });
    };
  }

  /** Waits for the content. */
  private static Answer read(Response answer, boolean large) {
    try (Response response = answer) {
      long length = large ? response.body().discard() : response.bytes().length;
      return new Answer(response.status().code(), length);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    if (readers != null) {
      readers.shutdownNow();
    }
  }
}
