package heddle.adapters.feign;

import feign.AsyncClient;
import feign.Request;
import feign.Response;
import heddle.adapters.support.SocketFailures;
import heddle.client.HttpClient;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Feign's asynchronous calls over Heddle, each on a virtual thread, which decodes the response too
 * and may block. Safe for use by many threads; made once, kept, and closed when no more calls are
 * made.
 *
 * <pre>{@code
 * GitHub gitHub =
 *     AsyncFeign.builder().client(HeddleAsyncClient.create()).target(GitHub.class, url);
 * }</pre>
 *
 * @param <C> the context of a call, which is not looked at
 */
public final class HeddleAsyncClient<C> implements AsyncClient<C>, AutoCloseable {
  private final OptionClients clients;

  private HeddleAsyncClient(Consumer<HttpClient.Builder> settings) {
    clients = new OptionClients(settings);
  }

  /** A client with Heddle's defaults, but no limit on a call other than Feign's options. */
  public static <C> HeddleAsyncClient<C> create() {
    return with(builder -> {});
  }

  /**
   * A client whose connections are made with settings of Heddle's, as by {@link
   * HeddleClient#with}.
   *
   * @throws IllegalArgumentException if the settings contradict each other
   */
  public static <C> HeddleAsyncClient<C> with(Consumer<HttpClient.Builder> settings) {
    return new HeddleAsyncClient<>(settings);
  }

  /**
   * Makes a call. Cancelling the future, or completing it in any other way, aborts the call.
   *
   * @return completed with the response when its head is there, and exceptionally with what {@link
   *     HeddleClient#execute} throws
   */
  @Override
  public CompletableFuture<Response> execute(
      Request request, Request.Options options, Optional<C> requestContext) {
    CompletableFuture<Response> result = new CompletableFuture<>();
    try {
      CompletableFuture<heddle.http.Response> answer =
          clients.with(options).sendAsync(Messages.request(request));
      // First the way back, so that no one who completes the result is missed.
      var _ = result.whenComplete((response, failure) -> answer.cancel(true));
      var _ = answer.whenComplete((response, failure) -> end(result, request, response, failure));
    } catch (IOException | RuntimeException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  private static void end(
      CompletableFuture<Response> result,
      Request request,
      heddle.http.@Nullable Response response,
      @Nullable Throwable failure) {
    try {
      if (response == null) {
        result.completeExceptionally(
            failure == null
                ? new IOException("the call ended with no response")
                : SocketFailures.translate(failure));
      } else if (!result.complete(Messages.response(request, response))) {
        response.close(); // Nobody is left to read it.
      }
    } catch (IOException | RuntimeException e) {
      result.completeExceptionally(SocketFailures.translate(e));
    }
  }

  /** Takes no more calls; those under way have 5 s before they are aborted. Idempotent. */
  @Override
  public void close() {
    clients.close();
  }
}
