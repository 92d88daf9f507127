package heddle.adapters.jersey;

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
 * A call on a virtual thread of its own, on which the entity is written and the callback called, in
 * the request scope of the thread that has begun it. Cancelling it aborts the call, with either
 * flag.
 *
 * <p>Where users have said which threads asynchronous calls are for, or how many, it stays on the
 * thread that Jersey begins it on, and has ended when it is returned, as by Jersey's own connector.
 */
final class AsyncExchange extends CompletableFuture<@Nullable ClientResponse> {
  /** What the names of all threads of the executor begin with that Jersey has unless told. */
  private static final String EXECUTOR_OF_JERSEYS = "jersey-client-async-executor";

  private final HeddleConnector connector;
  private final ClientRequest request;
  private final AsyncConnectorCallback callback;
  private final RequestScope scope;

  /** Null where the thread that has begun the call is in none. */
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

  /** A thread of users', one of few, or one that costs no more than a virtual one of ours. */
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
      // The client is closed, and its callbacks take no word any more of how a call has ended.
      completeExceptionally(e);
      request.cancel(false);
    } finally {
      watch.remove(this);
      var _ = endInterrupts();
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
      fail(new IOException("nobody waits for the response any more"));
      return;
    }
    try {
      // Here Jersey may read the entity, so the call is not over yet.
      callback.response(response);
    } catch (RuntimeException | Error e) {
      // As with Jersey's own connector: where the entity cannot be read, nobody has been told yet.
      fail(e);
      return;
    }
    complete(response);
  }

  /** Keeps the response for whoever ends the call; false if somebody has. */
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
   * What ends a call is not meant for those who are told of its end, nor for what its thread does
   * next.
   *
   * @return whether the client has been closed
   */
  private boolean endInterrupts() {
    lock.lock();
    try {
      interruptible = false;
      if (interrupted) {
        interrupted = false;
        var _ = Thread.interrupted();
      }
      return clientClosed;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nobody waits for the response any more. */
  boolean isUnwanted() {
    return isCancelled() || request.isCancelled();
  }

  /** Ends the call at once. */
  void abort() {
    lock.lock();
    try {
      interrupt();
    } finally {
      lock.unlock();
    }
  }

  // Under the lock.
  private void interrupt() {
    if (interruptible) {
      interrupted = true;
      thread.interrupt();
    }
  }

  /**
   * Ends the call, as its client is being closed. Those who are told of the response already are
   * not interrupted, but can read no more of it.
   */
  void closeWithClient() {
    Received arrived;
    lock.lock();
    try {
      clientClosed = true;
      arrived = received;
      if (arrived == null) {
        interrupt();
      }
    } finally {
      lock.unlock();
    }
    if (arrived != null) {
      try {
        arrived.entity().close();
      } catch (IOException e) {
        // Whoever reads it is told that he cannot, which is all that this is for.
        completeExceptionally(e);
      }
    }
  }

  /**
   * Waits until all who have to be told of the end of the call have been; not on their own thread.
   */
  void awaitEnd(Duration most) throws InterruptedException {
    if (thread != Thread.currentThread()) {
      var _ = ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
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

  /** Stages that follow are plain futures: cancelling them must not abort the call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
