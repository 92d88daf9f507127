package heddle.bench.drivers.apache;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jspecify.annotations.Nullable;

/**
 * Apache HttpClient 5 through its classic API, which supports HTTP/1.1 only. Tuned, its pool may
 * hold as many connections as the load has (5 for each route and 25 in all by default). A request
 * object can be cancelled, and therefore belongs to one exchange.
 */
public final class ApacheDriver implements ClientDriver {

  private static final HttpClientResponseHandler<Answer> GATHER = ApacheDriver::gather;
  private static final HttpClientResponseHandler<Answer> STREAM = ApacheDriver::stream;

  private final String name;
  private final Connections connections;
  private @Nullable CloseableHttpClient client;

  /** Creates the connection manager of Apache's client. */
  @FunctionalInterface
  public interface Connections {

    /** Creates a manager with the limits and the trust of a load. */
    HttpClientConnectionManager manager(DriverConfig config) throws Exception;
  }

  /** The driver of the name {@code apache}, not started. */
  public ApacheDriver() {
    this("apache", ApacheDriver::pool);
  }

  /** Creates a driver that is not started. */
  public ApacheDriver(String name, Connections connections) {
    this.name = name;
    this.connections = connections;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return Release.of(HttpClientBuilder.class);
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return config.isHttp2() ? "its classic API has no HTTP/2: see apache-async" : null;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    client = HttpClientBuilder.create()
        .setConnectionManager(connections.manager(config))
        .build();
  }

  private static HttpClientConnectionManager pool(DriverConfig config) throws Exception {
    PoolingHttpClientConnectionManagerBuilder pool =
        PoolingHttpClientConnectionManagerBuilder.create();
    if (config.isTuned()) {
      int connections = config.wire().connections();
      pool.setMaxConnPerRoute(connections).setMaxConnTotal(connections);
    }
    if (config.isTls()) {
      pool.setTlsSocketStrategy(ClientTlsStrategyBuilder.create()
          .setSslContext(config.wire().trust().context())
          .buildClassic());
    }
    return pool.build();
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    CloseableHttpClient started = Objects.requireNonNull(client, "the driver was not started");
    URI uri = request.uri();
    HttpClientResponseHandler<Answer> reader = request.isAnswerLarge() ? STREAM : GATHER;
    if (!request.isPost()) {
      return () -> started.execute(new HttpGet(uri), reader);
    }
    byte[] content = request.content();
    String asked = request.contentType();
    ContentType type =
        asked == null ? ContentType.APPLICATION_OCTET_STREAM : ContentType.parse(asked);
    return () -> {
      HttpPost post = new HttpPost(uri);
      post.setEntity(new ByteArrayEntity(content, type));
      return started.execute(post, reader);
    };
  }

  private static Answer gather(ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    long length = entity == null ? 0 : EntityUtils.toByteArray(entity).length;
    return new Answer(response.getCode(), length);
  }

  private static Answer stream(ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    return entity == null
        ? new Answer(response.getCode(), 0)
        : Answer.drain(response.getCode(), entity.getContent());
  }

  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
  }
}
