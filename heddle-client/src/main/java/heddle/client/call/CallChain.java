package heddle.client.call;

import heddle.client.route.RoutePlanner;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.client.spi.Route;
import heddle.http.Body;
import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The steps between a client's callers and its {@link Calls}. All requests that the steps of a call
 * send belong to one call, with one deadline, one record of the time spent, and one end that
 * listeners see. Safe for use by many threads.
 *
 * @param routes asked for each request that the last step sends
 * @param steps from the outermost to the one next to the connections
 * @param scope null if no step runs code that may make calls
 * @param shortcut null if the steps must be run for each call
 */
public record CallChain(
    Calls calls,
    RoutePlanner routes,
    List<Interceptor> steps,
    @Nullable Scope scope,
    @Nullable Shortcut shortcut) {
  /**
   * Steps that only add fields to the first request, and have nothing to do with most responses: a
   * call runs them once there is a response that concerns them. Their frames would otherwise be
   * part of the stack, and so of the heap, of each thread that waits.
   */
  public interface Shortcut {
    /** The request that the steps would send first. */
    Request dressed(Request request);

    /** Whether the steps would do anything with this response. */
    boolean concerns(Response response);
  }

  /** The steps of a call. */
  @FunctionalInterface
  public interface Steps {
    Response take() throws IOException;
  }

  /** Runs steps so that the calls they make inherit the deadline of their call. */
  @FunctionalInterface
  public interface Scope {
    /** Runs the steps of a call, on the calling thread. */
    Response within(Deadline deadline, Steps steps) throws IOException;
  }

  public CallChain {
    steps = List.copyOf(steps);
  }

  /** Begins a call, as {@link Calls#begin} does. */
  public Calls.Prepared begin(
      Request request, Deadline inherited, @Nullable ExchangeListener listener) {
    Shortcut around = shortcut;
    if (around != null) {
      Request dressed = around.dressed(request);
      return calls.begin(request, inherited, listener, dressed, routes.plan(dressed), this);
    }
    Route route = new Route(request.origin());
    return new ChainedCall(request, calls.begin(request, route, inherited, listener), null, 0);
  }

  /** What the caller gets after the first response, which the steps have not seen. */
  Response follow(Call call, Request first, Response response) throws IOException {
    Shortcut around = shortcut;
    return around == null || around.concerns(response)
        ? new ChainedCall(first, call, response, 0).follow()
        : response;
  }

  /** One call on its way through the steps. Used by one thread. */
  private final class ChainedCall implements Calls.Prepared {
    private final Request first;
    private final Call call;

    /** The index of the first step that is taken. */
    private final int start;

    /** Of the whole call, to its last byte, for all requests of its steps. */
    private final Deadline deadline;

    /** The thread that makes the call; null before. */
    private @Nullable Thread thread;

    /** The response to the first request, sent before the steps; null once they have it. */
    private @Nullable Response arrived;

    /** The last response. */
    private @Nullable Response latest;

    /** The last body that was sent and is not replayable. */
    private @Nullable Body used;

    ChainedCall(Request first, Call call, @Nullable Response arrived, int start) {
      this.first = first;
      this.call = call;
      this.start = start;
      this.arrived = arrived;
      this.deadline = call.wholeDeadline();
    }

    @Override
    public Response call() throws IOException {
      thread = Thread.currentThread();
      Scope around = scope;
      return call.run(
          around == null ? this::takeSteps : () -> around.within(deadline, this::takeSteps));
    }

    Response follow() throws IOException {
      thread = Thread.currentThread();
      return takeSteps();
    }

    @Override
    public Response fail(IOException failure) throws IOException {
      return call.fail(failure);
    }

    @Override
    public void cancel() {
      call.cancel();
    }

    @Override
    public FailurePoint point() {
      return call.point();
    }

    private Response takeSteps() throws IOException {
      boolean done = false;
      try {
        Response response = new Link(start).proceed(first);
        done = true;
        return response;
      } finally {
        if (!done) {
          closeLatest();
        }
      }
    }

    /** A step has failed, so the caller cannot read the response that the step had. */
    private void closeLatest() {
      Response open = call.isOpen() ? latest : null;
      if (open != null) {
        try {
          open.close();
        } catch (IOException e) {
          // The call fails with the step's exception; the connection is closed in any case.
        }
      }
    }

    /** Sends the request of the last step. */
    private Response exchange(Request request) throws IOException {
      Response known = arrived;
      if (known != null) {
        arrived = null;
        latest = known;
        noteUse(request.body());
        return known.answering(request, List.of());
      }
      if (call.isOpen()) {
        throw new IllegalStateException("the previous response is still open: read it to its end or"
            + " close it before proceeding");
      }
      Body body = request.body();
      if (body == used) {
        throw new IllegalStateException("the body of this request can be sent only once, and was:"
            + " use Body.replayable or Body.of(byte[]) if a step sends a request again");
      }
      Route route = routes.plan(request);
      boolean done = false;
      try {
        Response response = call.proceed(request, route, limit(request));
        latest = response;
        done = true;
        return response.answering(request, List.of());
      } finally {
        noteUse(body);
        if (!done) {
          call.enter(Phase.BACKOFF); // in case a step sends it again
        }
      }
    }

    private void noteUse(Body body) {
      if (!body.isReplayable() && call.hasBegunToSend()) {
        used = body;
      }
    }

    /** The deadline of the call, or the one that a step gave the request if that is earlier. */
    private Deadline limit(Request request) {
      Duration own = request.deadline();
      return own == null || Objects.equals(own, first.deadline())
          ? deadline
          : Deadline.after(own, calls.loop.clock()).earlier(deadline);
    }

    /** The rest of the chain: the steps from an index on. */
    private final class Link implements Interceptor.Chain {
      private final int index;
      private boolean over;

      Link(int index) {
        this.index = index;
      }

      @Override
      public Response proceed(Request request) throws IOException {
        if (over) {
          throw new IllegalStateException(
              "this part of the call is over: proceed before intercept returns, not after");
        }
        if (Thread.currentThread() != thread) {
          throw new IllegalStateException("only the thread that makes the call, %s, may proceed"
              .formatted(thread == null ? "none yet" : thread.getName()));
        }
        if (index == steps.size()) {
          return exchange(request);
        }
        Interceptor step = steps.get(index);
        Link rest = new Link(index + 1);
        try {
          return Objects.requireNonNull(
              step.intercept(request, rest),
              () ->
                  step.getClass().getName() + " returned null: it must return a response or throw");
        } finally {
          rest.over = true;
        }
      }

      @Override
      public Response callSeparately(Request request) throws IOException {
        Route route = new Route(request.origin());
        Call separate = calls.begin(request, route, Deadline.never(), null);
        return new ChainedCall(request, separate, null, index).call();
      }

      @Override
      public FailurePoint point() {
        return call.point();
      }
    }
  }
}
