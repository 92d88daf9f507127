package heddle.adapters.aws;

import heddle.client.HttpClient;
import heddle.client.spi.ProxySelector;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * A blocking HTTP client for the AWS SDK over Heddle. Thread-safe; make one and keep it.
 *
 * <pre>{@code
 * S3Client s3 = S3Client.builder().httpClientBuilder(HeddleHttpClient.builder()).build();
 * }</pre>
 *
 * <p>The SDK's limits apply. With virtual threads, raise {@link ClientBuilder#maxConcurrency},
 * which is 50. A connection is closed after a 5xx response, as by the SDK's own blocking clients.
 */
public final class HeddleHttpClient implements SdkHttpClient {
  private static final String NAME = "Heddle";

  private final HttpClient client;
  private final Contents contents;
  private final AtomicBoolean closed = new AtomicBoolean();

  private HeddleHttpClient(Settings settings, ProxySelector proxies) {
    client = settings.client(proxies);
    contents = new Contents(settings.writeTimeout(), settings.version());
  }

  /** Returns a client with the SDK's defaults. */
  public static HeddleHttpClient create() {
    return builder().buildWithDefaults(AttributeMap.empty());
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a client. Not thread-safe. */
  public static final class Builder extends ClientBuilder<Builder>
      implements SdkHttpClient.Builder<Builder> {
    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * Builds a client from these options, then those of a service, then the SDK's global defaults.
     *
     * @throws IllegalArgumentException if an option cannot be honoured, or a setting of the
     *     system's proxies is malformed; the message names it
     */
    @Override
    public HeddleHttpClient buildWithDefaults(AttributeMap serviceDefaults) {
      return new HeddleHttpClient(new Settings(given(), serviceDefaults, true), chosenProxies());
    }
  }

  /**
   * Prepares a call. Its {@code call} method makes it, once, on the calling thread.
   *
   * @throws IllegalArgumentException if something in the request cannot be sent
   */
  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new BlockingCall(
        client, contents, request, PoolMetrics.of(request.metricCollector(), NAME));
  }

  @Override
  public String clientName() {
    return NAME;
  }

  /** Refuses further calls. Running calls have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      client.close();
    }
  }
}
