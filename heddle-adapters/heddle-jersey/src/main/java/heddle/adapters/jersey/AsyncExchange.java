package heddle.adapters.jersey;

import heddle.adapters.jersey.Messages.Received;
import jakarta.ws.rs.ProcessingException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.client.spi.AsyncConnectorCallback;
import org.glassfish.jersey.process.internal.RequestContext;
import org.glassfish.jersey.process.internal.RequestScope;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous call. Its own virtual thread writes the entity and runs the callback, in the
 * request scope of the thread that has started the call. Cancelling it aborts the call, with either
 * flag.
 *
 * <p>If the user has set an executor or the number of threads for asynchronous calls, the call runs
 * on the thread on which Jersey starts it, and has ended when it is returned, as with Jersey's own
 * connector.
 */
final class AsyncExchange extends CompletableFuture<@Nullable ClientResponse> {
  /** The prefix of thread names of Jersey's default executor. */
  private static final String EXECUTOR_OF_JERSEYS = "jersey-client-async-executor";

  private final HeddleConnector connector;
  private final ClientRequest request;
  private final AsyncConnectorCallback callback;
  private final RequestScope scope;

  /** Null if the starting thread has no request scope. */
  private final @Nullable RequestContext context;

  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable Received received;
  private boolean interruptible = true;
  private boolean interrupted;
  private boolean clientClosed;

  private AsyncExchange(
      HeddleConnector connector,
      ClientRequest request,
      AsyncConnectorCallback callback,
      CancelWatch watch) {
    this.connector = connector;
    this.request = request;
    this.callback = callback;
    this.scope = request.getInjectionManager().getInstance(RequestScope.class);
    this.context = scope.suspendCurrent();
    Thread begun = Thread.currentThread();
    this.thread = isWhereToStay(begun, request)
        ? begun
        : Thread.ofVirtual().name(begun.getName()).unstarted(() -> run(watch));
  }

  /**
   * Whether the call stays on its starting thread: a virtual one, the user's, or one of a limited
   * number.
   */
  private static boolean isWhereToStay(Thread begun, ClientRequest request) {
    Integer most = request.resolveProperty(ClientProperties.ASYNC_THREADPOOL_SIZE, Integer.class);
    return begun.isVirtual()
        || !begun.getName().startsWith(EXECUTOR_OF_JERSEYS)
        || (most != null && most > 0);
  }

  static AsyncExchange start(
      HeddleConnector connector,
      ClientRequest request,
      AsyncConnectorCallback callback,
      CancelWatch watch) {
    AsyncExchange exchange = new AsyncExchange(connector, request, callback, watch);
    watch.add(exchange);
    if (exchange.thread == Thread.currentThread()) {
      exchange.run(watch);
    } else {
      exchange.thread.start();
    }
    return exchange;
  }

  private void run(CancelWatch watch) {
    try {
      exchangeInScope();
    } catch (RuntimeException e) {
      if (scope.isActive()) {
        throw e;
      }
      // The client is closed, so its callbacks no longer run.
      completeExceptionally(e);
      request.cancel(false);
    } finally {
      watch.remove(this);
      var ignored = endInterrupts();
      ended.countDown();
    }
  }

  private void exchangeInScope() {
    if (context == null) {
      exchange();
      return;
    }
    try {
      scope.runInScope(context, this::exchange);
    } finally {
      context.release();
    }
  }

  private void exchange() {
    Received arrived;
    try {
      arrived = connector.receive(request);
    } catch (RuntimeException | Error e) {
      fail(e);
      return;
    }
    ClientResponse response = arrived.response();
    if (!take(arrived)) {
      response.close();
      fail(new IOException("the call was cancelled, or its client was closed"));
      return;
    }
    try {
      // Jersey may read the entity here, so the call is not over yet.
      callback.response(response);
    } catch (RuntimeException | Error e) {
      // As with Jersey's own connector: if reading the entity fails, the future is not completed
      // yet.
      fail(e);
      return;
    }
    complete(response);
  }

  /** Stores the response, to be closed when the call is ended. Returns false if it was ended. */
  private boolean take(Received arrived) {
    lock.lock();
    try {
      received = arrived;
      return !isUnwanted() && !clientClosed;
    } finally {
      lock.unlock();
    }
  }

  private void fail(Throwable failure) {
    boolean closed = endInterrupts();
    Throwable told = failure;
    if (isUnwanted()) {
      told = new ProcessingException(new CancellationException("the call was cancelled"));
    } else if (closed) {
      told = new ProcessingException("the client was closed before the call ended", failure);
    }
    completeExceptionally(told);
    callback.failure(told);
  }

  /**
   * Stops interrupting the thread and clears an interrupt sent here, which must reach neither the
   * callback nor later work of the thread.
   *
   * @return whether the client was closed
   */
  private boolean endInterrupts() {
    lock.lock();
    try {
      interruptible = false;
      if (interrupted) {
        interrupted = false;
        var ignored = Thread.interrupted();
      }
      return clientClosed;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the call was cancelled. */
  boolean isUnwanted() {
    return isCancelled() || request.isCancelled();
  }

  void abort() {
    lock.lock();
    try {
      if (interruptible) {
        interrupted = true;
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the call, because its client is being closed. A callback that has the response is not
   * interrupted, but can no longer read it.
   */
  void closeWithClient() {
    Received arrived;
    lock.lock();
    try {
      clientClosed = true;
      arrived = received;
      if (arrived == null) {
        abort();
      }
    } finally {
      lock.unlock();
    }
    if (arrived != null) {
      try {
        arrived.entity().close();
      } catch (IOException e) {
        // The reader gets a failure anyway, which is the purpose.
        completeExceptionally(e);
      }
    }
  }

  /**
   * Waits until the call has ended and its callback has run. Does nothing on the call's own thread.
   */
  void awaitEnd(Duration most) throws InterruptedException {
    if (thread != Thread.currentThread()) {
      var ignored = ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    if (cancelled) {
      abort();
    }
    return cancelled;
  }

  /** Dependent stages are plain futures: cancelling them must not abort the call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
