package heddle.bench.drivers.jetty;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import java.io.IOException;
import java.net.URI;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.Jetty;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's client through its blocking API. Tuned, it may open as many connections as there are
 * callers (64 by default). A request object of its is sent once.
 */
public final class JettyDriver implements ClientDriver {

  private @Nullable HttpClient client;

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
    HttpClient made = new HttpClient();
    if (config.isTuned()) {
      made.setMaxConnectionsPerDestination(config.callers());
      made.setMaxRequestsQueuedPerDestination(
          Math.max(config.callers(), made.getMaxRequestsQueuedPerDestination()));
    }
    client = made;
    made.start();
  }

  @Override
  public Exchange prepare(URI uri) {
    HttpClient started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    return () -> {
      ContentResponse response = started.newRequest(uri).send();
      return new Answer(response.getStatus(), response.getContent().length);
    };
  }

  @Override
  public void close() throws IOException {
    if (client == null) {
      return;
    }
    try {
      client.stop();
    } catch (Exception e) {
      throw new IOException("Jetty's client did not stop", e);
    }
  }
}
