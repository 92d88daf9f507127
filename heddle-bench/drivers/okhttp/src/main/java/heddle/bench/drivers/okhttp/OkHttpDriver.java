package heddle.bench.drivers.okhttp;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver;
import heddle.bench.driver.DriverConfig;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * OkHttp through its blocking API. Tuned, it may keep as many idle connections as there are callers
 * (5 by default); its dispatcher's limits do not concern blocking calls.
 */
public final class OkHttpDriver implements ClientDriver {

  private @Nullable OkHttpClient client;

  @Override
  public String name() {
    return "okhttp";
  }

  @Override
  public String version() {
    return OkHttp.VERSION;
  }

  @Override
  public void start(DriverConfig config) {
    OkHttpClient.Builder builder = new OkHttpClient.Builder();
    if (config.isTuned()) {
      builder.connectionPool(new ConnectionPool(config.callers(), 5, TimeUnit.MINUTES));
    }
    client = builder.build();
  }

  @Override
  public Exchange prepare(URI uri) {
    OkHttpClient started = client;
    if (started == null) {
      throw new IllegalStateException("the driver was not started");
    }
    Request request = new Request.Builder().url(uri.toString()).build();
    return () -> {
      try (Response response = started.newCall(request).execute()) {
        return new Answer(response.code(), response.body().bytes().length);
      }
    };
  }

  @Override
  public void close() {
    if (client != null) {
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }
}
