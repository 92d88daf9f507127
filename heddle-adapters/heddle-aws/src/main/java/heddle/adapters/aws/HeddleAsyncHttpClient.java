package heddle.adapters.aws;

import heddle.client.HttpClient;
import heddle.client.spi.ProxySelector;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * An asynchronous HTTP client for the AWS SDK over Heddle. Each call has a virtual thread, which
 * calls its response handler and the subscriber of its content; they may block. Thread-safe; make
 * one and keep it.
 *
 * <pre>{@code
 * S3AsyncClient s3 =
 *     S3AsyncClient.builder().httpClientBuilder(HeddleAsyncHttpClient.builder()).build();
 * }</pre>
 *
 * <p>The SDK's limits apply. Consider raising {@link ClientBuilder#maxConcurrency}, which is 50 per
 * host.
 */
public final class HeddleAsyncHttpClient implements SdkAsyncHttpClient {
  private static final String NAME = "HeddleAsync";

  private final HttpClient client;
  private final Contents contents;
  private final Set<AsyncCall> running = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  private HeddleAsyncHttpClient(Settings settings, ProxySelector proxies) {
    client = settings.client(proxies);
    contents = new Contents(settings.writeTimeout(), settings.version());
  }

  /** Returns a client with the SDK's defaults. */
  public static HeddleAsyncHttpClient create() {
    return builder().buildWithDefaults(AttributeMap.empty());
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a client. Not thread-safe. */
  public static final class Builder extends ClientBuilder<Builder>
      implements SdkAsyncHttpClient.Builder<Builder> {
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
    public HeddleAsyncHttpClient buildWithDefaults(AttributeMap serviceDefaults) {
      return new HeddleAsyncHttpClient(
          new Settings(given(), serviceDefaults, false), chosenProxies());
    }
  }

  /**
   * Makes a call. Cancelling the future, or completing it in any other way, aborts the call.
   *
   * @return completed with null when the content of the response has been published, or
   *     exceptionally with the failure that the response handler got
   */
  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
    return new AsyncCall(
            client, contents, request, PoolMetrics.of(request.metricCollector(), NAME), running)
        .start();
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
      running.forEach(AsyncCall::clientClosed);
    }
  }
}
