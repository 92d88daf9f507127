package heddle.bench.drivers.jetty;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.util.Jetty;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's client through its asynchronous API, configured like {@link JettyDriver}; content is
 * counted as it arrives and discarded.
 */
public final class AsyncJettyDriver implements AsyncClientDriver {

  private @Nullable HttpClient client;
  private HttpVersion version = HttpVersion.HTTP_1_1;

  /** Creates a driver that is not started. */
  public AsyncJettyDriver() {}

  @Override
  public String name() {
    return "jetty-async";
  }

  @Override
  public String version() {
    return Jetty.VERSION;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    version = JettyClient.versionFor(config);
    client = JettyClient.start(config);
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    HttpClient started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    byte[] content = request.content();
    return completion ->
        JettyClient.request(started, request, content).send(new Counting(completion, version));
  }

  /** Counts the content of one answer and discards it. */
  private static final class Counting implements Response.Listener {

    private final Completion completion;
    private final HttpVersion version;
    private long bytes;

    Counting(Completion completion, HttpVersion version) {
      this.completion = completion;
      this.version = version;
    }

    @Override
    public void onContent(Response response, ByteBuffer piece) {
      bytes += piece.remaining();
    }

    @Override
    public void onComplete(Result result) {
      Throwable failure = result.getFailure();
      if (failure == null) {
        try {
          JettyClient.check(result.getResponse(), version);
        } catch (IOException e) {
          failure = e;
        }
      }
      if (failure == null) {
        completion.answered(new Answer(result.getResponse().getStatus(), bytes));
      } else {
        completion.failed(failure);
      }
    }
  }

  @Override
  public void close() throws IOException {
    JettyClient.stop(client);
  }
}
