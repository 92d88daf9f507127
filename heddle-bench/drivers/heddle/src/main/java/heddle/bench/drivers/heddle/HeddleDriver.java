package heddle.bench.drivers.heddle;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Heddle's client through its blocking API. Tuned, its limits are raised to the load.
 */
public final class HeddleDriver implements ClientDriver {

  private final String name;
  private final boolean discards;
  private @Nullable HttpClient client;

  /** The driver of the name {@code heddle}, which reads large content a piece at a time. */
  public HeddleDriver() {
    this("heddle", false);
  }

  /**
   * @param discards whether large content is discarded instead of read
   */
  HeddleDriver(String name, boolean discards) {
    this.name = name;
    this.discards = discards;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return Release.of(HttpClient.class);
  }

  @Override
  public void start(DriverConfig config) throws IOException {
    client = open(config);
  }

  /**
   * A client that keeps to the configuration.
   *
   * @throws IOException if the certificates to trust cannot be read
   */
  public static HttpClient open(DriverConfig config) throws IOException {
    // Every driver sends the same requests.
    HttpClient.Builder builder = HttpClient.builder()
        .version(config.isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
        .plain();
    if (config.isTuned()) {
      HeddleSettings.tune(builder, config.wire());
    }
    if (config.isTls()) {
      builder.tls(HeddleSettings.tls(config.wire().trust()));
    }
    return builder.build();
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    HttpClient started = Objects.requireNonNull(client, "the driver was not started");
    Request made = request(request);
    if (request.isAnswerLarge() && discards) {
      return () -> {
        try (Response response = started.send(made)) {
          return new Answer(response.status().code(), response.body().discard());
        }
      };
    }
    if (request.isAnswerLarge()) {
      return () -> {
        try (Response response = started.send(made);
            InputStream content = response.body().stream()) {
          return Answer.drain(response.status().code(), content);
        }
      };
    }
    return () -> {
      try (Response response = started.send(made)) {
        return new Answer(response.status().code(), response.bytes().length);
      }
    };
  }

  private static Body content(DriverRequest request) {
    String type = request.contentType();
    return type == null
        ? Body.of(request.content())
        : Body.of(request.content(), MediaType.parse(type));
  }

  /** The request of a load as one of Heddle's. */
  public static Request request(DriverRequest request) {
    return request.isPost()
        ? Request.builder(request.uri())
            .method(Method.POST)
            .body(content(request))
            .build()
        : Request.get(request.uri());
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
