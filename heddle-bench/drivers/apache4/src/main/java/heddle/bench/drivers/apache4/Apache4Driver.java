package heddle.bench.drivers.apache4;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import heddle.bench.driver.DriverRequest;
import heddle.bench.driver.Release;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import org.apache.http.HttpEntity;
import org.apache.http.HttpResponse;
import org.apache.http.client.ResponseHandler;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.entity.ContentType;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.util.EntityUtils;
import org.jspecify.annotations.Nullable;

/**
 * Apache HttpClient 4.5, the line before the current one, which many programs still have. Tuned,
 * its pool may hold as many connections as the load has (2 for each route and 20 in all by
 * default).
 */
public final class Apache4Driver implements ClientDriver {

  private static final ResponseHandler<Answer> GATHER = Apache4Driver::gather;
  private static final ResponseHandler<Answer> STREAM = Apache4Driver::stream;

  private @Nullable CloseableHttpClient client;

  @Override
  public String name() {
    return "apache4";
  }

  @Override
  public String version() {
    return Release.of(HttpClientBuilder.class);
  }

  @Override
  public @Nullable String refusal(DriverConfig config) {
    return config.isHttp2() ? "no HTTP/2" : null;
  }

  @Override
  public void start(DriverConfig config) throws Exception {
    HttpClientBuilder builder = HttpClientBuilder.create();
    if (config.isTuned()) {
      int connections = config.wire().connections();
      builder.setMaxConnPerRoute(connections).setMaxConnTotal(connections);
    }
    if (config.isTls()) {
      builder.setSSLContext(config.wire().trust().context());
    }
    client = builder.build();
  }

  @Override
  public Exchange prepare(DriverRequest request) {
    CloseableHttpClient started = Objects.requireNonNull(client, "the driver was not started");
    URI uri = request.uri();
    ResponseHandler<Answer> reader = request.isAnswerLarge() ? STREAM : GATHER;
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

  private static int status(HttpResponse response) {
    return response.getStatusLine().getStatusCode();
  }

  private static Answer gather(HttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    long length = entity == null ? 0 : EntityUtils.toByteArray(entity).length;
    return new Answer(status(response), length);
  }

  private static Answer stream(HttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    return entity == null
        ? new Answer(status(response), 0)
        : Answer.drain(status(response), entity.getContent());
  }

  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
  }
}
