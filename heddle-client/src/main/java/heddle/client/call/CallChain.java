package heddle.client.call;

import heddle.client.route.RoutePlanner;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The steps between a client's callers and its {@link Calls}. All requests that the steps of a call
 * send belong to one call, with one deadline, one record of the time spent, and one end that
 * listeners see. Safe for use by many threads.
 */
public final class CallChain {
  private final Calls calls;
  private final RoutePlanner routes;
  private final List<Interceptor> steps;
  private final @Nullable Scope scope;

  /** Runs steps so that the calls they make inherit the deadline of their call. */
  @FunctionalInterface
  public interface Scope {
    /** Runs the steps of a call, on the calling thread. */
    Response within(Deadline deadline, ScopedValue.CallableOp<Response, IOException> steps)
        throws IOException;
  }

  /**
   * @param routes asked for each request that the last step sends
   * @param steps from the outermost to the one next to the connections
   * @param scope null if no step runs code that may make calls
   */
  public CallChain(
      Calls calls, RoutePlanner routes, List<Interceptor> steps, @Nullable Scope scope) {
    this.calls = calls;
    this.routes = routes;
    this.steps = List.copyOf(steps);
    this.scope = scope;
  }

  /**
   * Makes a call on the calling thread.
   *
   * @param inherited deadline of the operation that the call is part of
   * @param listener for this call only, called after the client's listeners; null for none
   * @throws heddle.http.HttpException if it fails
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException if a step throws one
   */
  public Response send(Request request, Deadline inherited, @Nullable ExchangeListener listener)
      throws IOException {
    return begin(request, inherited, listener).run();
  }

  /**
   * Begins a call: listeners are called on the calling thread.
   *
   * @return makes it, as {@link #send} does; to be called once, on any thread
   */
  public Callable<Response> prepare(Request request, Deadline inherited) {
    return begin(request, inherited, null)::run;
  }

  private ChainedCall begin(
      Request request, Deadline inherited, @Nullable ExchangeListener listener) {
    return new ChainedCall(this, request, inherited, listener);
  }

  // ---- for a call

  Calls calls() {
    return calls;
  }

  RoutePlanner routes() {
    return routes;
  }

  List<Interceptor> steps() {
    return steps;
  }

  @Nullable
  Scope scope() {
    return scope;
  }
}
