package heddle.client.call;

import heddle.client.call.Race.Outcome;
import heddle.client.pool.Lease;
import heddle.client.route.RoutePlanner;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.client.spi.Route;
import heddle.http.Body;
import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
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

  /** What the facade does for steps that run code which may make calls. */
  public interface Scope {
    /** Runs steps on the calling thread, so that the calls they make inherit the deadline. */
    Response within(Deadline deadline, Steps steps) throws IOException;

    /** A call that another thread may cancel. */
    Race.Entrant cancellable(Request request, Supplier<Calls.Prepared> begin);
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
    return new ChainedCall(request, calls.begin(request, route, inherited, listener), 0, null);
  }

  /** What the caller gets after the first response, which the steps have not seen. */
  Response follow(Call call, Request first, Response response) throws IOException {
    Shortcut around = shortcut;
    return around == null || around.concerns(response)
        ? new ChainedCall(first, call, 0, response).follow()
        : response;
  }

  /** One call on its way through the steps. Any thread may cancel it and ask for its connection. */
  private final class ChainedCall implements Calls.Prepared {
    private final Request first;
    private final Call call;

    /** The index of the first step that it takes; above 0 if another call has taken the others. */
    private final int from;

    /** Of the whole call, to its last byte, for all requests of its steps. */
    private final Deadline deadline;

    /** The thread that makes the call; null before. */
    private @Nullable Thread thread;

    /** The response to the first request, sent before the steps; null once they have it. */
    private @Nullable Response arrived;

    /** The last response. */
    private @Nullable Response latest;

    /** The hedge whose response is the latest; null if that is the call's own. */
    private volatile @Nullable ChainedCall hedge;

    /** The last body that was sent and is not replayable. */
    private @Nullable Body used;

    ChainedCall(Request first, Call call, int from, @Nullable Response arrived) {
      this.first = first;
      this.call = call;
      this.from = from;
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

    @Override
    public @Nullable Lease lease() {
      ChainedCall other = hedge;
      return other == null ? call.lease() : other.lease();
    }

    private Response takeSteps() throws IOException {
      boolean done = false;
      try {
        Response response = new Link(from).proceed(first);
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
      Response open = isOpen() ? latest : null;
      if (open != null) {
        try {
          open.close();
        } catch (IOException e) {
          // The call fails with the step's exception; the connection is closed in any case.
        }
      }
    }

    private boolean isOpen() {
      ChainedCall other = hedge;
      return call.isOpen() || (other != null && other.isOpen());
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
      if (isOpen()) {
        throw new IllegalStateException("the previous response is still open: read it to its end or"
            + " close it before proceeding");
      }
      Body body = request.body();
      if (body == used) {
        throw new IllegalStateException("the body of this request can be sent only once, and was:"
            + " use Body.replayable or Body.of(byte[]) if a step sends a request again");
      }
      Route route = routes.plan(request);
      hedge = null;
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
        requireTurn();
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

      private void requireTurn() {
        if (over) {
          throw new IllegalStateException(
              "this part of the call is over: proceed before intercept returns, not after");
        }
        if (Thread.currentThread() != thread) {
          throw new IllegalStateException("only the thread that makes the call, %s, may proceed"
              .formatted(thread == null ? "none yet" : thread.getName()));
        }
      }

      @Override
      public Response proceed(Request request, Interceptor.Hedges hedges) throws IOException {
        requireTurn();
        Scope around = scope;
        return around == null || !request.body().isReplayable()
            ? proceed(request)
            : new Hedged(this, request, hedges, around).await();
      }

      @Override
      public Deadline deadline() {
        return call.deadline();
      }

      @Override
      public Clock clock() {
        return calls.loop.clock();
      }

      @Override
      public void pause(Duration time) throws IOException {
        requireTurn();
        call.pause(time);
      }

      @Override
      public Response callSeparately(Request request) throws IOException {
        Route route = new Route(request.origin());
        Call separate = calls.begin(request, route, Deadline.never(), null);
        return new ChainedCall(request, separate, index, null).call();
      }

      @Override
      public FailurePoint point() {
        return call.point();
      }
    }

    /**
     * The rest of a call and its hedges, as {@link Interceptor.Chain#proceed(Request,
     * Interceptor.Hedges)} says. The first attempt is part of this call: it runs on another thread,
     * for which the caller waits before it uses the call again.
     */
    private final class Hedged implements Calls.Prepared {
      private final Link rest;
      private final Request request;
      private final Interceptor.Hedges hedges;
      private final Scope around;
      private final Deadline limit;
      private final Race race = new Race(calls.loop);

      /** The hedges, in the order in which they were started. */
      private final List<ChainedCall> started = new ArrayList<>();

      Hedged(Link rest, Request request, Interceptor.Hedges hedges, Scope around) {
        this.rest = rest;
        this.request = request;
        this.hedges = hedges;
        this.around = around;
        this.limit = limit(request);
      }

      /** Waits for the response that the caller gets. */
      Response await() throws IOException {
        Thread caller = thread;
        Outcome won = null;
        try {
          race.start(around.cancellable(request, () -> this));
          won = first();
        } finally {
          race.cancel(won);
          race.awaitEnd(0);
          thread = caller;
        }
        Response response = won.response();
        if (response == null) {
          throw Race.thrown(won);
        }
        if (won.number() > 0) {
          hedge = started.get(won.number() - 1);
          latest = response;
          call.answeredBy(response);
        }
        return response;
      }

      /** The first usable response; what the first attempt has brought if there is none. */
      private Outcome first() throws IOException {
        List<Throwable> failures = new ArrayList<>();
        Outcome own = null;
        Deadline next = after();
        while (own == null || race.running() > 0) {
          Outcome outcome = race.next(next);
          if (outcome == null) {
            next = startHedge() ? after() : Deadline.never();
          } else if (isUsable(outcome)) {
            return outcome;
          } else if (outcome.number() == 0) {
            own = outcome;
            next = Deadline.never(); // Whether a failure is followed by more is for retries.
          } else if (outcome.failure() != null) {
            failures.add(outcome.failure());
          }
        }
        Throwable failure = own.failure();
        if (failure != null) {
          failures.stream().filter(each -> each != failure).forEach(failure::addSuppressed);
        }
        return own;
      }

      private boolean isUsable(Outcome outcome) {
        Response response = outcome.response();
        return response != null && hedges.usable().test(response);
      }

      private Deadline after() {
        return started.size() < hedges.most()
            ? Deadline.after(hedges.after(), calls.loop.clock())
            : Deadline.never();
      }

      private boolean startHedge() {
        if (!calls.retries.spend(routes.plan(request))) {
          return false;
        }
        race.start(around.cancellable(request, () -> {
          Call made = calls.beginHedge(request, limit, call);
          ChainedCall next = new ChainedCall(request, made, rest.index, null);
          started.add(next);
          return next;
        }));
        return true;
      }

      /** The first attempt. */
      @Override
      public Response call() throws IOException {
        thread = Thread.currentThread();
        return around.within(deadline, () -> rest.proceed(request));
      }

      @Override
      public Response fail(IOException failure) throws IOException {
        throw failure;
      }

      /** Nothing: the thread is interrupted, and the steps may use the call again. */
      @Override
      public void cancel() {}

      @Override
      public FailurePoint point() {
        return call.point();
      }

      @Override
      public @Nullable Lease lease() {
        return call.lease();
      }
    }
  }
}
