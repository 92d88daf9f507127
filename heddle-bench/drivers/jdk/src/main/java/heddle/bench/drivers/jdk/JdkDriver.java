package heddle.bench.drivers.jdk;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;

/** The JDK's {@link HttpClient} through its blocking API. It has no limits that could be raised. */
public final class JdkDriver implements ClientDriver {

  private @Nullable HttpClient client;

  @Override
  public String name() {
    return "jdk";
  }

  @Override
  public String version() {
    return Runtime.version().toString();
  }

  @Override
  public void start(DriverConfig config) {
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @Override
  public Exchange prepare(URI uri) {
    HttpClient started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return () -> {
      HttpResponse<byte[]> response = started.send(request, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body().length);
    };
  }

  @Override
  public void close() {
    if (client != null) {
      client.shutdownNow();
    }
  }
}
