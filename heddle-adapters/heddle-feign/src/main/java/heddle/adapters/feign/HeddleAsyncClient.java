package heddle.adapters.feign;

import feign.AsyncClient;
import feign.Request;
import feign.Response;
import heddle.adapters.support.ClientsByOptions;
import heddle.client.HttpCall;
import heddle.client.HttpClient;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Makes Feign's asynchronous calls over Heddle, each on a virtual thread, which also decodes the
 * response and may block. Thread-safe. Make one, keep it, and close it after the last call.
 *
 * <pre>{@code
 * GitHub gitHub =
 *     AsyncFeign.builder().client(HeddleAsyncClient.create()).target(GitHub.class, url);
 * }</pre>
 *
 * @param <C> the context of a call, which is ignored
 */
public final class HeddleAsyncClient<C> implements AsyncClient<C>, AutoCloseable {
  private final ClientsByOptions<CallOptions> clients;

  private HeddleAsyncClient(Consumer<HttpClient.Builder> settings) {
    clients = CallOptions.clients(settings);
  }

  /**
   * Returns a client with Heddle's defaults, but without limits per call other than Feign's
   * options.
   */
  public static <C> HeddleAsyncClient<C> create() {
    return with(builder -> {});
  }

  /**
   * Returns a client with settings of Heddle's, as {@link HeddleClient#with}.
   *
   * @throws IllegalArgumentException if the settings contradict each other
   */
  public static <C> HeddleAsyncClient<C> with(Consumer<HttpClient.Builder> settings) {
    return new HeddleAsyncClient<>(settings);
  }

  /**
   * Makes a call. Cancelling the future, or completing it in any other way, aborts the call.
   *
   * @return completed with the response when its head has arrived, or exceptionally with what
   *     {@link HeddleClient#execute} throws
   */
  @Override
  public CompletableFuture<Response> execute(
      Request request, Request.Options options, Optional<C> requestContext) {
    CompletableFuture<Response> result = new CompletableFuture<>();
    try {
      HttpCall call = clients.with(CallOptions.of(options)).newCall(Messages.request(request));
      var ignored = result.whenComplete((response, failure) -> {
        if (call.state() != HttpCall.State.ANSWERED) {
          call.cancel(); // Does nothing if the call has failed.
        }
      });
      Thread.ofVirtual().name("heddle-feign").start(() -> run(call, request, result));
    } catch (IOException | RuntimeException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  // Reports every failure, because the caller waits for the future.
  private static void run(HttpCall call, Request request, CompletableFuture<Response> result) {
    try {
      heddle.http.Response response = call.execute();
      if (!result.complete(Messages.response(request, response))) {
        call.cancel();
      }
    } catch (IOException | RuntimeException | Error e) {
      result.completeExceptionally(CallOptions.ADVICE.translate(e));
    }
  }

  /** Refuses further calls. Running calls have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    clients.close();
  }
}
