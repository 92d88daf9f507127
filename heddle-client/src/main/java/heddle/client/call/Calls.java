package heddle.client.call;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Connector;
import heddle.client.pool.Lease;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Route;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.MinimumRate;
import heddle.http.FailurePoint;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.transport.EventLoop;
import heddle.transport.names.Resolver;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the calls of one client share. Safe for use by many threads. */
public final class Calls {
  private final CallOptions options;
  private final ConnectionPool pool;
  private final EventLoop loop;
  private final Observers observers;
  private final PoolRecorder recorder;
  private final @Nullable ConnectionWatch watch;
  private final @Nullable Coalescing coalescing;

  private final Retries retries;
  private final @Nullable Predicate<Status> closesAfter;

  private final long maxSilenceNanos;
  private final long firstByteNanos;
  private final long continueNanos;
  private final long expectContinueFrom;
  private final boolean dropsExpectations;

  private Calls(
      CallOptions options,
      ConnectionPool pool,
      EventLoop loop,
      Observers observers,
      @Nullable ConnectionWatch watch,
      @Nullable Coalescing coalescing) {
    this.watch = watch;
    this.coalescing = coalescing;
    this.retries = new Retries(options, coalescing != null, pool, loop, observers);
    this.options = options;
    this.closesAfter = options.closesAfter();
    this.pool = pool;
    this.loop = loop;
    this.observers = observers;
    this.recorder = new PoolRecorder(pool);
    Timeouts timeouts = options.timeouts();
    Duration firstByte = timeouts.firstByte();
    this.maxSilenceNanos = Deadline.boundedNanos(timeouts.silence());
    this.continueNanos = Deadline.boundedNanos(timeouts.expectContinue());
    this.expectContinueFrom = options.expectContinueFrom();
    this.dropsExpectations = options.retries().repeatsWithoutExpectation();
    this.firstByteNanos = firstByte == null ? maxSilenceNanos : Deadline.boundedNanos(firstByte);
  }

  /**
   * Calls over the connections of a pool. Listeners are not called when connections open or close.
   */
  public static Calls over(ConnectionPool pool, EventLoop loop, CallOptions options) {
    return new Calls(options, pool, loop, new Observers(options.listeners()), null, null);
  }

  /**
   * Calls over a new pool.
   *
   * @param connector opens its connections; listeners are called when they open and close
   * @param makePool makes the pool that uses the given connector
   * @param coalescing looks up the hosts of calls that may use connections of other origins; null
   *     if none may
   */
  public static Calls over(
      Connector connector,
      Function<Connector, ConnectionPool> makePool,
      EventLoop loop,
      CallOptions options,
      @Nullable Resolver coalescing) {
    Observers observers = new Observers(options.listeners());
    ConnectionWatch watch = new ConnectionWatch(connector, observers, loop.clock());
    ConnectionPool pool = makePool.apply(watch);
    Coalescing others = coalescing == null ? null : new Coalescing(coalescing, pool);
    return new Calls(options, pool, loop, observers, watch, others);
  }

  /** The connections that the calls use. */
  public ConnectionPool pool() {
    return pool;
  }

  /**
   * Makes a call on the calling thread.
   *
   * @param inherited deadline of the operation that the call is part of
   * @throws heddle.http.HttpException if it fails
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public Response send(Request request, Route route, Deadline inherited) throws IOException {
    return begin(request, route, inherited).execute();
  }

  /**
   * Makes a call on the calling thread, as {@link #send(Request, Route, Deadline)} does.
   *
   * @param listener for this call only, called after the client's listeners
   */
  public Response send(Request request, Route route, Deadline inherited, ExchangeListener listener)
      throws IOException {
    return begin(request, route, inherited, listener).execute();
  }

  /**
   * Begins a call: listeners are called on the calling thread.
   *
   * @return makes it, as {@link #send} does; to be called once, on any thread
   */
  public Callable<Response> prepare(Request request, Route route, Deadline inherited) {
    return begin(request, route, inherited)::execute;
  }

  Call begin(Request request, Route route, Deadline inherited) {
    return begin(request, route, inherited, null);
  }

  Call begin(
      Request request, Route route, Deadline inherited, @Nullable ExchangeListener listener) {
    return new Call(this, request, route, inherited, observe(request, listener));
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

  /**
   * Fails the calls that are opening a connection; called after the pool was aborted. Does not
   * wait.
   */
  public void abort() {
    if (watch != null) {
      watch.abort();
    }
  }

  // ---- for a call

  EventLoop loop() {
    return loop;
  }

  Clock clock() {
    return loop.clock();
  }

  Retries retries() {
    return retries;
  }

  /** The deadline of a call that starts at this time. */
  Deadline deadline(Request request, long startedAt) {
    Duration own = request.deadline();
    return Deadline.after(own == null ? options.timeouts().call() : own, startedAt);
  }

  MinimumRate minRate() {
    return options.minResponseRate();
  }

  long maxSilenceNanos() {
    return maxSilenceNanos;
  }

  long firstByteNanos() {
    return firstByteNanos;
  }

  long continueNanos() {
    return continueNanos;
  }

  /** The request with or without the expectation of 100 (Continue) that goes with its content. */
  Request expecting(Request request) {
    return Expectation.applied(request, expectContinueFrom);
  }

  @Nullable
  Request withoutExpectation(Request request, Status status) {
    return dropsExpectations ? Expectation.refused(request, status) : null;
  }

  /**
   * Reports a new call to the client's listeners and the call's own; null if none is interested.
   */
  private @Nullable CallEvents observe(Request request, @Nullable ExchangeListener own) {
    recorder.lookForRecordings();
    Observers all = own == null ? observers : observers.and(own);
    return !options.fields().isEmpty() || all.lookAtCalls() ? new CallEvents(all, request) : null;
  }

  /**
   * The request with the fields of an attempt.
   *
   * @param told events of the call; null if there are no listeners
   * @param acquired released if a field cannot be computed
   */
  Request dressed(Request request, Deadline deadline, @Nullable CallEvents told, Lease acquired) {
    if (options.deadlineHeader() == null && options.fields().isEmpty()) {
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
    HeaderName budget = options.deadlineHeader();
    if (budget != null && !deadline.isNever()) {
      long millis = deadline.remainingNanos(clock()) / 1_000_000;
      headers.set(budget, Long.toString(millis));
    }
    if (attempt != null) {
      for (AttemptFields fields : options.fields()) {
        observers.guard(fields, () -> setAll(headers, fields.fields(attempt)));
      }
    }
    return request.toBuilder().headers(headers.build()).build();
  }

  private static void setAll(Headers.Builder headers, Headers fields) {
    for (Headers.Field field : fields) {
      headers.set(field.name(), field.value());
    }
  }

  /**
   * A connection for the first attempt of a call; it may be one of another origin. Retries use a
   * connection of the call's own route.
   *
   * @param startedAt when the call began, a moment ago
   */
  Lease acquireFirst(Route route, Exchange exchange, long startedAt) throws IOException {
    Coalescing others = coalescing;
    if (others == null) {
      return pool.acquire(route, exchange, startedAt);
    }
    Lease found = others.acquire(route, exchange);
    return found == null ? pool.acquire(route, exchange) : found;
  }

  /** The exception that a call throws for a cause. */
  IOException explain(Exception cause, FailurePoint at) {
    IOException explained = Failures.explain(cause, at);
    boolean lost =
        explained instanceof ConnectionLostException || explained instanceof ConnectFailedException;
    return lost && pool.isAborted()
        ? new ClientClosedException("the client was closed before the call ended", at, cause)
        : explained;
  }

  boolean keepsConnection(Status status) {
    Predicate<Status> rule = closesAfter;
    return rule == null || !rule.test(status);
  }
}
