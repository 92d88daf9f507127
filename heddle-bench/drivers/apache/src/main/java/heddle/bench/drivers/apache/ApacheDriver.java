package heddle.bench.drivers.apache;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import java.io.IOException;
import java.net.URI;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Apache HttpClient 5 through its classic API. Tuned, its pool may hold as many connections as
 * there are callers (5 for each route and 25 in all by default). A request object of its can be
 * cancelled, and so belongs to one exchange.
 */
public final class ApacheDriver implements ClientDriver {

  private static final HttpClientResponseHandler<Answer> READ_ALL = ApacheDriver::readAll;

  private @Nullable CloseableHttpClient client;

  @Override
  public String name() {
    return "apache";
  }

  @Override
  public String version() {
    VersionInfo info =
        VersionInfo.loadVersionInfo("org.apache.hc.client5", getClass().getClassLoader());
    return info == null ? "unknown" : info.getRelease();
  }

  @Override
  public void start(DriverConfig config) {
    PoolingHttpClientConnectionManagerBuilder pool =
        PoolingHttpClientConnectionManagerBuilder.create();
    if (config.isTuned()) {
      pool.setMaxConnPerRoute(config.callers()).setMaxConnTotal(config.callers());
    }
    client = HttpClientBuilder.create().setConnectionManager(pool.build()).build();
  }

  @Override
  public Exchange prepare(URI uri) {
    CloseableHttpClient started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    return () -> started.execute(new HttpGet(uri), READ_ALL);
  }

  private static Answer readAll(ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    long length = entity == null ? 0 : EntityUtils.toByteArray(entity).length;
    return new Answer(response.getCode(), length);
  }

  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
  }
}
