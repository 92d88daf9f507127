package heddle.bench.drivers.jdk;

import heddle.bench.driver.Clients;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The common part of the drivers of the JDK's client. */
final class JdkClients {
  private static final String NO_UPGRADE =
      "the server does not upgrade from HTTP/1.1 to HTTP/2 in cleartext";

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Supplier<HttpClient.Builder> builders;
  private final Clients<HttpClient> clients = new Clients<>();

  JdkClients(Supplier<HttpClient.Builder> builders) {
    this.builders = builders;
  }

  /**
   * In cleartext the client upgrades from HTTP/1.1 (RFC 7540 §3.2), which few servers support: asks
   * this one.
   */
  @Nullable
  String refusal(DriverConfig config) {
    if (!config.isHttp2() || config.isTls()) {
      return null;
    }
    HttpRequest first = HttpRequest.newBuilder(request(config.opening()), (name, value) -> true)
        .timeout(PATIENCE)
        .build();
    try (HttpClient probe = builders.get().version(Version.HTTP_2).build()) {
      Version version = probe.send(first, BodyHandlers.discarding()).version();
      return version == Version.HTTP_2 ? null : NO_UPGRADE;
    } catch (IOException e) {
      return NO_UPGRADE + " (" + e.getClass().getSimpleName() + ")"; // not what it said: frames
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  void start(DriverConfig config) throws Exception {
    clients.start(config, () -> client(config));
  }

  private HttpClient client(DriverConfig config) throws Exception {
    HttpClient.Builder builder =
        builders.get().version(config.isHttp2() ? Version.HTTP_2 : Version.HTTP_1_1);
    if (config.isTls()) {
      builder.sslContext(config.wire().trust().context());
    }
    return builder.build();
  }

  /** The clients; none before {@link #start}. */
  Clients<HttpClient> all() {
    return clients;
  }

  static HttpRequest request(DriverRequest request) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri());
    if (request.isPost()) {
      builder.POST(BodyPublishers.ofByteArray(request.content()));
    }
    String type = request.contentType();
    if (type != null) {
      builder.header("Content-Type", type);
    }
    return builder.build();
  }

  /** A client that should use HTTP/2 falls back to HTTP/1.1 if the server does not support it. */
  static void check(HttpClient client, HttpResponse<?> response) throws IOException {
    if (response.version() != client.version()) {
      throw new IOException("the answer came over " + response.version());
    }
  }

  void close() {
    clients.forEach(HttpClient::shutdownNow);
  }
}
