package heddle.bench.drivers.jdk;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Spread;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's {@link HttpClient} through its blocking API. It has no limits that could be raised.
 * Over HTTP/2 it keeps one connection to a server, so that several connections take several
 * clients.
 */
public final class JdkDriver implements ClientDriver {

  private final List<HttpClient> clients = new ArrayList<>();
  private boolean http2;
  private int streams;

  @Override
  public String name() {
    return "jdk";
  }

  @Override
  public String version() {
    return Runtime.version().toString();
  }

  /** In cleartext it upgrades from HTTP/1.1, as RFC 7540 had it and RFC 9113 no longer has. */
  @Override
  public @Nullable String refusal(DriverConfig config) {
    return config.isHttp2() && !config.isTls() ? "no HTTP/2 in cleartext by prior knowledge" : null;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    http2 = config.isHttp2();
    streams = config.wire().streams();
    for (int i = config.clientsOfOneConnection(); i > 0; i--) {
      HttpClient.Builder builder =
          HttpClient.newBuilder().version(config.isHttp2() ? Version.HTTP_2 : Version.HTTP_1_1);
      if (config.isTls()) {
        builder.sslContext(config.wire().trust().context());
      }
      clients.add(builder.build());
    }
  }

  @Override
  public Exchange prepare(DriverRequest request) throws Exception {
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
    HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri());
    if (request.isPost()) {
      builder.POST(BodyPublishers.ofByteArray(request.content()));
    }
    HttpRequest made = builder.build();
    List<Exchange> all = new ArrayList<>();
    for (HttpClient client : clients) {
      all.add(request.isAnswerLarge() ? () -> stream(client, made) : () -> gather(client, made));
    }
    if (http2) {
      Spread.connect(all);
    }
    return Spread.blocking(all, streams);
  }

  private static Answer gather(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
    check(client, response);
    return new Answer(response.statusCode(), response.body().length);
  }

  private static Answer stream(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
    check(client, response);
    try (InputStream content = response.body()) {
      return Answer.drain(response.statusCode(), content);
    }
  }

  /** A client that is asked for HTTP/2 makes do with HTTP/1.1 where it cannot have that. */
  private static void check(HttpClient client, HttpResponse<?> response) throws IOException {
    if (response.version() != client.version()) {
      throw new IOException("the answer came over " + response.version());
    }
  }

  @Override
  public void close() {
    clients.forEach(HttpClient::shutdownNow);
  }
}
