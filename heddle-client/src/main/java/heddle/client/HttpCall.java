package heddle.client;

import heddle.client.call.Calls;
import heddle.client.pool.Lease;
import heddle.client.spi.ConnectionInfo;
import heddle.connection.InterruptScope;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.duplex.DuplexContent;
import heddle.http.failure.CallCancelledException;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that is ready to be sent once, and that any thread may cancel. Made by {@link
 * HttpClient#newCall}.
 *
 * <pre>{@code
 * HttpCall call = client.newCall(Request.get("http://localhost:8080/report"));
 * cancelButton.onClick(call::cancel);
 * try (Response response = call.execute()) {
 *   show(response.string());
 * }
 * }</pre>
 *
 * <p>One thread executes it; the other methods may be called by any thread at any time.
 */
public final class HttpCall {
  /** How far a call has come. */
  public enum State {
    /** It was neither executed nor cancelled. */
    READY,
    /** It was executed, and has no response yet. */
    RUNNING,
    /** The head of the response has arrived. Its content may still be arriving. */
    ANSWERED,
    /** It has failed without a response. */
    FAILED,
    /** It was cancelled before it had failed. */
    CANCELLED
  }

  private final Request request;

  /** Of the client. */
  private final EventLoop loop;

  /** Begins the call: its deadline starts, and listeners are called. */
  private final Supplier<Calls.Prepared> begin;

  private final AtomicReference<State> state = new AtomicReference<>(State.READY);

  /** Entered while the executing thread waits for the head of the response. */
  private final InterruptScope waiting = new InterruptScope();

  /** Written when {@code state} is {@code RUNNING}; null before. */
  private volatile Calls.@Nullable Prepared prepared;

  /** Written before {@code state} is {@code ANSWERED}; null before. */
  private volatile @Nullable Response response;

  HttpCall(Request request, EventLoop loop, Supplier<Calls.Prepared> begin) {
    this.request = request;
    this.loop = loop;
    this.begin = begin;
  }

  /** The request that this call sends. */
  public Request request() {
    return request;
  }

  EventLoop loop() {
    return loop;
  }

  /** How far the call has come at this moment. */
  public State state() {
    return state.get();
  }

  /**
   * The connection that this call has used last, also once the call has ended. A redirect or a
   * retry may use another one than the first request did; a hedge counts once it has won. Null
   * before the call has a connection, and if the whole response came from a cache. After an upgrade
   * from HTTP/1.1 to HTTP/2 the version is the latter.
   */
  public @Nullable ConnectionInfo connection() {
    Calls.Prepared begun = prepared;
    return begun == null ? null : begun.connection();
  }

  /**
   * Whether {@link #connection} had served another call before this one. If such a connection was
   * lost before any byte of a response, its server may have closed it because it was idle.
   */
  public boolean isConnectionReused() {
    Calls.Prepared begun = prepared;
    Lease used = begun == null ? null : begun.lease();
    return used != null && used.isReused();
  }

  /**
   * Sends the request on the calling thread and waits for the head of the response, as {@link
   * HttpClient#send} does. The deadline of the call starts now.
   *
   * @throws CallCancelledException if the call is cancelled before or meanwhile
   * @throws IOException as {@link HttpClient#send} does
   * @throws IllegalStateException if the call was executed before
   */
  public Response execute() throws IOException {
    return run(begin());
  }

  /**
   * Sends the request on a new virtual thread. Cancelling the future, with either flag, {@linkplain
   * #cancel cancels} the call; so does completing it early in any other way, such as with {@link
   * CompletableFuture#orTimeout}. The call begins here: its deadline starts now, and listeners are
   * called for its start on the calling thread.
   *
   * @return fails as {@link #execute} does
   * @throws IllegalStateException if the call was executed before
   */
  public CompletableFuture<Response> executeAsync() {
    Outcome outcome = new Outcome(this);
    Calls.Prepared begun = begin();
    if (begun == null) {
      outcome.fail(cancelledBefore());
    } else {
      Thread.ofVirtual().name("heddle-call").start(() -> outcome.run(begun));
    }
    return outcome;
  }

  /**
   * Cancels the call. A thread that waits for the response, or reads its content, gets a {@link
   * CallCancelledException}; the connection is closed, or the stream reset over HTTP/2, unless the
   * whole response has arrived. If the call was not executed yet, executing it fails. Does nothing
   * if the call has failed or was cancelled before. Does not wait.
   */
  public void cancel() {
    State before = state.getAndUpdate(now -> now == State.FAILED ? now : State.CANCELLED);
    if (before != State.RUNNING && before != State.ANSWERED) {
      return;
    }
    Calls.Prepared running = prepared;
    if (running != null) {
      running.cancel();
    }
    waiting.interrupt();
    Response open = response;
    if (before == State.ANSWERED && open != null) {
      discard(open);
    }
    if (request.body() instanceof DuplexContent content) {
      content.abort(); // It may be written on although the response has ended.
    }
  }

  /** Begins the call; null if it was cancelled before. */
  Calls.@Nullable Prepared begin() {
    if (!state.compareAndSet(State.READY, State.RUNNING)) {
      if (state.get() == State.CANCELLED && prepared == null) {
        return null;
      }
      throw new IllegalStateException(
          "the call was executed before; make another one with HttpClient.newCall");
    }
    boolean done = false;
    try {
      Calls.Prepared begun = begin.get();
      prepared = begun;
      if (state.get() == State.CANCELLED) {
        begun.cancel(); // Cancelled meanwhile: run() ends it, so that listeners learn of its end.
      }
      done = true;
      return begun;
    } finally {
      if (!done) {
        state.compareAndSet(State.RUNNING, State.FAILED);
      }
    }
  }

  /**
   * Makes the call on the calling thread.
   *
   * @param begun null if it was cancelled before it began
   */
  Response run(Calls.@Nullable Prepared begun) throws IOException {
    if (begun == null) {
      throw cancelledBefore();
    }
    boolean entered = waiting.enter();
    boolean answered = false;
    try {
      Response received = entered ? begun.call() : begun.fail(cancelledBefore());
      response = received;
      answered = state.compareAndSet(State.RUNNING, State.ANSWERED);
      if (!answered) {
        discard(received);
        throw new CallCancelledException("the call was cancelled", begun.point(), null);
      }
      return received;
    } catch (InterruptedIOException e) {
      throw state.get() == State.CANCELLED
          ? new CallCancelledException("the call was cancelled", begun.point(), e)
          : e;
    } finally {
      if (!answered) {
        state.compareAndSet(State.RUNNING, State.FAILED);
      }
      waiting.leave();
    }
  }

  private static CallCancelledException cancelledBefore() {
    return new CallCancelledException("the call was cancelled before it was sent", null, null);
  }

  private static void discard(Response cancelled) {
    try {
      cancelled.close();
    } catch (IOException e) {
      // Its connection is closed in any case, and no one reads the rest.
    }
  }

  /** The outcome of an asynchronous call. Completing it before the call does cancels the call. */
  private static final class Outcome extends CompletableFuture<Response> {
    private final HttpCall call;

    Outcome(HttpCall call) {
      this.call = call;
    }

    private void run(Calls.Prepared begun) {
      try {
        Response received = call.run(begun);
        if (!super.complete(received)) {
          discard(received); // Cancelled at the last moment: the caller does not get it.
        }
      } catch (Throwable e) {
        fail(e);
      }
    }

    private void fail(Throwable failure) {
      super.completeExceptionally(failure);
    }

    /** Cancels the call, whatever the flag. */
    @Override
    public boolean cancel(boolean mayInterrupt) {
      return cancelIf(super.cancel(mayInterrupt));
    }

    @Override
    public boolean complete(Response instead) {
      return cancelIf(super.complete(instead));
    }

    @Override
    public boolean completeExceptionally(Throwable instead) {
      return cancelIf(super.completeExceptionally(instead));
    }

    private boolean cancelIf(boolean isCompletedByOthers) {
      if (isCompletedByOthers) {
        call.cancel();
      }
      return isCompletedByOthers;
    }

    /** Dependent stages are plain futures: cancelling one must not cancel the call. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>();
    }
  }
}
