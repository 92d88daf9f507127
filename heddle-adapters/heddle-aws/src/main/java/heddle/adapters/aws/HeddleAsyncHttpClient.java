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
 * The asynchronous clients of the AWS SDK over Heddle. Each call has a virtual thread, on which its
 * response handler and the subscriber of its content are called: they may block. Safe for use by
 * many threads; made once and kept.
 *
 * <pre>{@code
 * S3AsyncClient s3 =
 *     S3AsyncClient.builder().httpClientBuilder(HeddleAsyncHttpClient.builder()).build();
 * }</pre>
 *
 * <p>The limits of the SDK hold, of which {@link ClientBuilder#maxConcurrency} is the one to raise:
 * it is 50 for each host.
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

  /** A client with the SDK's defaults. */
  public static HeddleAsyncHttpClient create() {
    return builder().buildWithDefaults(AttributeMap.empty());
  }

  public static Builder builder() {
    return new Builder();
  }

  /** What a client is made with. Not safe for use by several threads. */
  public static final class Builder extends ClientBuilder<Builder>
      implements SdkAsyncHttpClient.Builder<Builder> {
    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * A client with these options, then those of a service, then the SDK's global defaults.
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
   * @return completed with null when the content of the response has been handed over, and
   *     exceptionally with what the response handler was told of
   */
  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
    PoolMetrics metrics = PoolMetrics.of(request.metricCollector(), NAME);
    return new AsyncCall(client, contents, request, metrics, running).start();
  }

  @Override
  public String clientName() {
    return NAME;
  }

  /** Takes no more calls; those under way have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      client.close();
      running.forEach(AsyncCall::clientClosed);
    }
  }
}
