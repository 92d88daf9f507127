package heddle.client.call;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Connector;
import heddle.client.pool.Lease;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Route;
import heddle.connection.Exchange;
import heddle.connection.MinimumRate;
import heddle.http.FailurePoint;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.transport.EventLoop;
import heddle.transport.names.Resolver;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the calls of one client share. Safe for use by many threads. */
public final class Calls {
  /** A call that has begun. */
  public interface Prepared {
    /**
     * Makes the call; to be called once, on any thread.
     *
     * @throws heddle.http.HttpException if it fails
     * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
     * @throws IOException if a step throws one
     */
    Response call() throws IOException;

    /** Ends the call instead of making it: listeners learn of the failure, which is thrown. */
    Response fail(IOException failure) throws IOException;

    /**
     * What fails from now on does so with a {@link heddle.http.failure.CallCancelledException}.
     * From any thread, before it interrupts the one that makes the call or closes the response.
     */
    void cancel();

    /** How far the call has come; on the thread that makes the call. */
    FailurePoint point();

    /** That of the connection which was used last; null if there was none. From any thread. */
    @Nullable
    Lease lease();

    /** The connection that was used last; null if there was none yet. From any thread. */
    default @Nullable ConnectionInfo connection() {
      Lease latest = lease();
      return latest == null ? null : ConnectionWatch.info(latest);
    }
  }

  /** Until there is a response, if neither the client nor the request limits the time of a call. */
  private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(60);

  final EventLoop loop;
  final Retries retries;
  final MinimumRate minRate;
  final @Nullable Predicate<Status> closesAfter;
  final long maxSilenceNanos;
  final long firstByteNanos;
  final long continueNanos;
  final long expectContinueFrom;
  final boolean dropsExpectations;

  private final ConnectionPool pool;
  private final ConnectionWatch watch;
  private final Observers observers;
  private final PoolRecorder recorder;
  private final @Nullable Coalescing coalescing;
  private final @Nullable String label;
  private final @Nullable Duration timeout;
  private final @Nullable Duration headTimeout;
  private final @Nullable HeaderName deadlineHeader;
  private final List<AttemptFields> fields;

  /**
   * Calls over a new pool.
   *
   * @param connector opens its connections; listeners are called when they open and close
   * @param makePool makes the pool that uses the given connector
   * @param options are copied
   * @param coalescing looks up hosts if calls may use connections of other origins, or null
   */
  public Calls(
      Connector connector,
      Function<Connector, ConnectionPool> makePool,
      EventLoop loop,
      CallOptions options,
      @Nullable Resolver coalescing) {
    this.loop = loop;
    observers = new Observers(options.listeners);
    watch = new ConnectionWatch(connector, observers, loop.clock());
    pool = makePool.apply(watch);
    recorder = new PoolRecorder(pool);
    this.coalescing = coalescing == null ? null : new Coalescing(coalescing, pool);
    retries = new Retries(options, coalescing != null, pool, loop, observers);
    label = options.label;
    minRate = options.minResponseRate;
    closesAfter = options.closesAfter;
    expectContinueFrom = options.expectContinueFrom;
    dropsExpectations = options.retries.repeatsWithoutExpectation();
    deadlineHeader = options.deadlineHeader;
    fields = List.copyOf(options.fields);
    Timeouts timeouts = options.timeouts;
    Duration firstByte = timeouts.firstByte();
    timeout = timeouts.call();
    Duration head = timeouts.head();
    headTimeout = head == null && timeout == null ? HEAD_TIMEOUT : head;
    maxSilenceNanos = Deadline.boundedNanos(timeouts.silence());
    firstByteNanos = firstByte == null ? maxSilenceNanos : Deadline.boundedNanos(firstByte);
    continueNanos = Deadline.boundedNanos(timeouts.expectContinue());
  }

  /** The connections that the calls use. */
  public ConnectionPool pool() {
    return pool;
  }

  /**
   * Begins a call: listeners are called on the calling thread.
   *
   * @param inherited deadline of the operation that the call is part of
   * @param listener for this call only, called after the client's listeners; null for none
   */
  public Call begin(
      Request request, Route route, Deadline inherited, @Nullable ExchangeListener listener) {
    return begin(request, inherited, listener, request, route, null);
  }

  /** Begins a call of a request that another call has sent and waits for. */
  Call beginHedge(Request request, Deadline inherited, Call of) {
    Route route = new Route(request.origin());
    Call hedge = begin(request, inherited, observers, of.id(), request, route, null);
    hedge.boundBy(of);
    return hedge;
  }

  /**
   * As the other {@code begin}.
   *
   * @param sent what is sent first
   * @param chain which may follow the response to that; null if there are no steps
   */
  Call begin(
      Request request,
      Deadline inherited,
      @Nullable ExchangeListener listener,
      Request sent,
      Route route,
      @Nullable CallChain chain) {
    Observers all = listener == null ? observers : observers.and(listener);
    return begin(request, inherited, all, 0, sent, route, chain);
  }

  private Call begin(
      Request request,
      Deadline inherited,
      Observers all,
      long hedgeOf,
      Request sent,
      Route route,
      @Nullable CallChain chain) {
    recorder.lookForRecordings();
    boolean observed = !fields.isEmpty() || all.lookAtCalls();
    CallEvents told = observed ? new CallEvents(all, request, label, hedgeOf) : null;
    return new Call(this, request, inherited, told, sent, route, chain);
  }

  /**
   * Fails the calls that wait before a retry or look up a host to find a connection of another
   * origin. The pool must be shut down before. Idempotent.
   */
  public void close() {
    recorder.close();
    if (coalescing != null) {
      coalescing.close();
    }
    retries.close();
  }

  /** Fails the calls that open a connection; called after the pool was aborted. Does not wait. */
  public void abort() {
    watch.abort();
  }

  // ---- for a call

  /** The deadline of a whole call that starts at this time. */
  Deadline deadline(Request request, long startedAt) {
    Duration own = request.deadline();
    return after(own == null ? timeout : own, startedAt);
  }

  /** By when a call must have its response that starts, or has sent content, at this time. */
  Deadline headDeadline(long since) {
    return after(headTimeout, since);
  }

  private static Deadline after(@Nullable Duration time, long since) {
    return time == null ? Deadline.never() : Deadline.after(time, since);
  }

  /**
   * The request with the fields of an attempt.
   *
   * @param told events of the call; null if there are no listeners
   * @param acquired released if a field cannot be computed
   */
  Request dressed(Request request, Deadline deadline, @Nullable CallEvents told, Lease acquired) {
    if (deadlineHeader == null && fields.isEmpty()) {
      return request;
    }
    boolean done = false;
    try {
      Request dressed = withFields(request, deadline, told == null ? null : told.attempt());
      done = true;
      return dressed;
    } finally {
      if (!done) {
        acquired.release(true);
      }
    }
  }

  private Request withFields(Request request, Deadline deadline, @Nullable AttemptInfo attempt) {
    Headers.Builder headers = request.headers().toBuilder();
    if (deadlineHeader != null && !deadline.isNever()) {
      long millis = deadline.remainingNanos(loop.clock()) / 1_000_000;
      headers.set(deadlineHeader, Long.toString(millis));
    }
    if (attempt != null) {
      for (AttemptFields each : fields) {
        observers.guard(each, () -> {
          for (Headers.Field field : each.fields(attempt)) {
            headers.set(field.name(), field.value());
          }
        });
      }
    }
    return request.toBuilder().headers(headers.build()).build();
  }

  /** A connection of another origin, for the first attempt of a call; null if there is none. */
  @Nullable
  Lease acquireElsewhere(Route route, Exchange exchange) throws IOException {
    return coalescing == null ? null : coalescing.acquire(route, exchange);
  }

  /** Whether calls look for connections of other origins, which may take a while. */
  boolean lookElsewhere() {
    return coalescing != null;
  }
}
