package heddle.bench.drivers.jetty;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.util.Jetty;

/**
 * Jetty's client through its blocking API. Tuned, it may open as many connections as the load has
 * (64 by default), and over HTTP/2 it opens them all rather than filling one first. A request
 * object is sent once.
 */
public final class JettyDriver implements ClientDriver {

  private static final long HEAD_SECONDS = 60;

  private final JettyClient client = new JettyClient();

  @Override
  public String name() {
    return "jetty";
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
  public Exchange prepare(DriverRequest request) {
    Supplier<Request> requests = client.requests(request);
    return () -> {
      Request made = requests.get();
      return request.isAnswerLarge() ? stream(made) : gather(made);
    };
  }

  private Answer gather(Request request) throws Exception {
    ContentResponse response = request.send();
    client.check(response);
    return new Answer(response.getStatus(), response.getContent().length);
  }

  private Answer stream(Request request) throws Exception {
    InputStreamResponseListener listener = new InputStreamResponseListener();
    request.send(listener);
    Response response = listener.get(HEAD_SECONDS, TimeUnit.SECONDS);
    client.check(response);
    try (InputStream content = listener.getInputStream()) {
      return Answer.drain(response.getStatus(), content);
    }
  }

  @Override
  public void close() throws IOException {
    client.stop();
  }
}
