package heddle.bench.drivers.jetty;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.util.Jetty;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's client through its blocking API. Tuned, it may open as many connections as the load has
 * (64 by default), and over HTTP/2 it opens them all rather than filling one first. A request
 * object is sent once.
 */
public final class JettyDriver implements ClientDriver {

  private static final long HEAD_SECONDS = 60;

  private @Nullable HttpClient client;
  private HttpVersion version = HttpVersion.HTTP_1_1;

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
    version = JettyClient.versionFor(config);
    client = JettyClient.start(config);
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    HttpClient started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    byte[] content = request.content();
    return () -> {
      Request made = JettyClient.request(started, request, content);
      return request.isAnswerLarge() ? stream(made) : gather(made);
    };
  }

  private Answer gather(Request request) throws Exception {
    ContentResponse response = request.send();
    check(response);
    return new Answer(response.getStatus(), response.getContent().length);
  }

  private Answer stream(Request request) throws Exception {
    InputStreamResponseListener listener = new InputStreamResponseListener();
    request.send(listener);
    Response response = listener.get(HEAD_SECONDS, TimeUnit.SECONDS);
    check(response);
    try (InputStream content = listener.getInputStream()) {
      return Answer.drain(response.getStatus(), content);
    }
  }

  private void check(Response response) throws IOException {
    JettyClient.check(response, version);
  }

  @Override
  public void close() throws IOException {
    JettyClient.stop(client);
  }
}
