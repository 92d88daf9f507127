package heddle.bench.drivers.jdk;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.ClientDriver.Exchange;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Spread;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The common part of the drivers of the JDK's client. */
final class JdkClients {
  private static final String NO_UPGRADE =
      "the server does not upgrade from HTTP/1.1 to HTTP/2 in cleartext";

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Supplier<HttpClient.Builder> builders;
  private final List<HttpClient> clients = new ArrayList<>();
  /** Over HTTP/2. */
  private @Nullable HttpRequest opening;

  private int streams;

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
    opening = config.isHttp2() ? request(config.opening()) : null;
    streams = config.wire().streams();
    for (int i = config.clientsOfOneConnection(); i > 0; i--) {
      HttpClient.Builder builder =
          builders.get().version(config.isHttp2() ? Version.HTTP_2 : Version.HTTP_1_1);
      if (config.isTls()) {
        builder.sslContext(config.wire().trust().context());
      }
      clients.add(builder.build());
    }
  }

  /**
   * Combines an exchange with each client.
   *
   * @throws Exception if a client could not connect over HTTP/2
   */
  Exchange spread(Function<HttpClient, Exchange> each) throws Exception {
    connect();
    return Spread.blocking(started().stream().map(each).toList(), streams);
  }

  /** The same for asynchronous exchanges. */
  AsyncExchange spreadAsync(Function<HttpClient, AsyncExchange> each) throws Exception {
    connect();
    return Spread.async(started().stream().map(each).toList(), streams);
  }

  private void connect() throws Exception {
    HttpRequest first = opening;
    if (first != null) {
      List<Exchange> all = new ArrayList<>();
      for (HttpClient client : clients) {
        all.add(() -> JdkDriver.gather(client, first));
      }
      Spread.connect(all);
    }
  }

  private List<HttpClient> started() {
    if (clients.isEmpty()) {
      throw new IllegalStateException("the driver was not started");
    }
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
