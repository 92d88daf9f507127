package heddle.bench.drivers.jetty;

import heddle.bench.driver.Answer;
import heddle.bench.driver.AsyncClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.util.Jetty;

/**
 * Jetty's client through its asynchronous API, configured like {@link JettyDriver}; content is
 * counted as it arrives and discarded.
 */
public final class AsyncJettyDriver implements AsyncClientDriver {

  private final JettyClient client = new JettyClient();

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
    client.start(config);
  }

  @Override
  public AsyncExchange prepare(DriverRequest request) {
    Supplier<Request> requests = client.requests(request);
    return completion -> requests.get().send(new Counting(completion, client));
  }

  /** Counts the content of one answer and discards it. */
  private static final class Counting implements Response.Listener {

    private final Completion completion;
    private final JettyClient client;
    private long bytes;

    Counting(Completion completion, JettyClient client) {
      this.completion = completion;
      this.client = client;
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
          client.check(result.getResponse());
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
    client.stop();
  }
}
