package heddle.adapters.jersey;

import jakarta.ws.rs.ProcessingException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.client.spi.AsyncConnectorCallback;
import org.glassfish.jersey.client.spi.Connector;
import org.glassfish.jersey.process.internal.RequestContext;
import org.glassfish.jersey.process.internal.RequestScope;
import org.jspecify.annotations.Nullable;

/**
 * A call on a virtual thread of its own, on which the entity is written and the callback called, in
 * the request scope of the thread that has begun it. Cancelling it aborts the call, with either
 * flag.
 */
final class AsyncExchange extends CompletableFuture<@Nullable ClientResponse> {
  private final Connector connector;
  private final ClientRequest request;
  private final AsyncConnectorCallback callback;
  private final Thread thread;

  private AsyncExchange(
      Connector connector,
      ClientRequest request,
      AsyncConnectorCallback callback,
      CancelWatch watch) {
    this.connector = connector;
    this.request = request;
    this.callback = callback;
    RequestScope scope = request.getInjectionManager().getInstance(RequestScope.class);
    // Null where the calling thread is in none.
    RequestContext context = scope.suspendCurrent();
    this.thread = Thread.ofVirtual().name("heddle-jersey").unstarted(() -> {
      try {
        if (context == null) {
          exchange();
        } else {
          scope.runInScope(context, this::exchange);
        }
      } finally {
        watch.remove(this);
        if (context != null) {
          context.release();
        }
      }
    });
  }

  static AsyncExchange start(
      Connector connector,
      ClientRequest request,
      AsyncConnectorCallback callback,
      CancelWatch watch) {
    AsyncExchange exchange = new AsyncExchange(connector, request, callback, watch);
    watch.add(exchange);
    exchange.thread.start();
    return exchange;
  }

  private void exchange() {
    ClientResponse response;
    try {
      response = connector.apply(request);
    } catch (RuntimeException | Error e) {
      fail(e);
      return;
    }
    if (isCancelled()) {
      response.close();
      fail(new CancellationException("the call was cancelled"));
      return;
    }
    // Here Jersey may read the entity, so the call is not over yet.
    callback.response(response);
    complete(response);
  }

  private void fail(Throwable failure) {
    Throwable told = isUnwanted()
        ? new ProcessingException(new CancellationException("the call was cancelled"))
        : failure;
    completeExceptionally(told);
    // What ended the call is not meant for those who are told of its end.
    var _ = Thread.interrupted();
    callback.failure(told);
  }

  /** Whether nobody waits for the response any more. */
  boolean isUnwanted() {
    return isCancelled() || request.isCancelled();
  }

  /** Ends the call at once. */
  void abort() {
    thread.interrupt();
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    if (cancelled) {
      abort();
    }
    return cancelled;
  }

  /** Stages that follow are plain futures: cancelling them must not abort the call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
