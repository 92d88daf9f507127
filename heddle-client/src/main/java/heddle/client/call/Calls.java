package heddle.client.call;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Connector;
import heddle.client.pool.Lease;
import heddle.client.route.Route;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.RetryPolicy;
import heddle.client.spi.RetryPolicy.Attempt;
import heddle.client.spi.RetryPolicy.Decision;
import heddle.client.spi.RetryPolicy.Repeat;
import heddle.client.spi.RetryPolicy.Stop;
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
import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Resolver;
import heddle.transport.Roster;
import heddle.transport.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the calls of one client have in common. Safe for use by many threads. */
public final class Calls {
  /** Above so many routes with buckets, those that are full are dropped. */
  private static final int MANY_BUCKETS = 1000;

  private final CallOptions options;
  private final ConnectionPool pool;
  private final EventLoop loop;
  private final Observers observers;
  private final PoolRecorder recorder;
  private final @Nullable ConnectionWatch watch;
  private final @Nullable Coalescing coalescing;

  private final RetryPolicy retries;
  private final @Nullable Predicate<Status> closesAfter;

  private final long maxSilenceNanos;
  private final long firstByteNanos;
  private final long continueNanos;
  private final long expectContinueFrom;
  private final boolean dropsExpectations;

  private final Map<Route, RetryTokens> buckets = new ConcurrentHashMap<>();

  /** The threads that wait before they send a request again. */
  private final Roster<Thread> pausing = new Roster<>();

  private volatile boolean closed;

  /**
   * A policy, and the one status that concerns calls on the connections of other origins: after it
   * those are sent again without asking.
   */
  private record OrMisdirected(RetryPolicy policy) implements RetryPolicy {
    @Override
    public Decision decide(Attempt attempt) {
      Status status = attempt.status();
      return status == null || policy.isAskedAbout(status)
          ? policy.decide(attempt)
          : Decision.stop();
    }

    @Override
    public boolean isAskedAbout(Status status) {
      return status.equals(Status.MISDIRECTED_REQUEST) || policy.isAskedAbout(status);
    }
  }

  private Calls(
      CallOptions options,
      ConnectionPool pool,
      EventLoop loop,
      Observers observers,
      @Nullable ConnectionWatch watch,
      @Nullable Coalescing coalescing) {
    this.watch = watch;
    this.coalescing = coalescing;
    RetryPolicy policy = options.retries();
    this.retries = coalescing == null ? policy : new OrMisdirected(policy);
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
    this.dropsExpectations = policy.repeatsWithoutExpectation();
    this.firstByteNanos = firstByte == null ? maxSilenceNanos : Deadline.boundedNanos(firstByte);
  }

  /** Calls over the connections of a pool, whose connector tells nobody of connections. */
  public static Calls over(ConnectionPool pool, EventLoop loop, CallOptions options) {
    return new Calls(options, pool, loop, new Observers(options.listeners()), null, null);
  }

  /**
   * Calls over a new pool.
   *
   * @param connector opens its connections, of which listeners are told
   * @param makePool makes the pool that uses a connector
   * @param coalescing looks up the hosts of calls that may use the connections of other origins;
   *     null where none may
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
   * @param inherited a deadline of what the call is a part of
   * @throws heddle.http.HttpException when it fails
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public Response send(Request request, Route route, Deadline inherited) throws IOException {
    return begin(request, route, inherited).execute();
  }

  /**
   * Makes a call on the calling thread, as {@link #send(Request, Route, Deadline)} does.
   *
   * @param listener looks on at this call alone, after those of all calls
   */
  public Response send(Request request, Route route, Deadline inherited, ExchangeListener listener)
      throws IOException {
    return begin(request, route, inherited, listener).execute();
  }

  /**
   * Begins a call on the calling thread, of which those who look on are told here.
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
   * Calls fail that wait before they send a request again, or look for a connection of another
   * origin; the pool is to be closed before. Idempotent.
   */
  public void close() {
    closed = true;
    recorder.close();
    if (coalescing != null) {
      coalescing.close();
    }
    pausing.inOrder().forEach(LockSupport::unpark);
  }

  /** After the pool's own abort: calls that open a connection fail. Does not wait. */
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

  CallOptions options() {
    return options;
  }

  /** By when a call must be over that starts at this time. */
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

  /** Tells those who look on of a new call, one of them at it alone; null where is nobody. */
  private @Nullable CallEvents observe(Request request, @Nullable ExchangeListener own) {
    recorder.lookForRecordings();
    Observers all = own == null ? observers : observers.and(own);
    return !options.fields().isEmpty() || all.lookAtCalls() ? new CallEvents(all, request) : null;
  }

  /**
   * The request with the fields of an attempt.
   *
   * @param told of the attempt; null where nobody looks on
   * @param acquired given back where a field cannot be had
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
   * A connection for the first attempt of a call, which may be another origin's. What has to be
   * sent again is sent on one of its own.
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

  /** What a call is to throw for a cause, at the point that it has come to. */
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

  boolean isAskedAbout(Status status) {
    try {
      return retries.isAskedAbout(status);
    } catch (RuntimeException | Error e) {
      observers.fault(options.retries(), e);
      return false;
    }
  }

  /**
   * How long to wait before a request is sent again; null where it must not be.
   *
   * @param free whether it takes nothing from the budget
   * @param route whose budget it is
   */
  @Nullable
  Duration delay(Attempt attempt, boolean free, Deadline deadline, Route route) {
    return switch (decide(attempt)) {
      case Stop stop -> null;
      case Repeat repeat -> {
        boolean inTime = deadline.isNever()
            || Deadline.boundedNanos(repeat.delay()) < deadline.remainingNanos(clock());
        yield inTime && (free || takeToken(route)) ? repeat.delay() : null;
      }
    };
  }

  private Decision decide(Attempt attempt) {
    try {
      return Objects.requireNonNull(retries.decide(attempt), "a retry policy must not answer null");
    } catch (RuntimeException | Error e) {
      observers.fault(options.retries(), e);
      return Decision.stop();
    }
  }

  /** Whether the route's budget allows one more repetition; counts it if so. */
  private boolean takeToken(Route route) {
    long now = clock().nanoTime();
    if (buckets.size() > MANY_BUCKETS) {
      buckets.values().removeIf(bucket -> bucket.isFull(now));
    }
    double rate = pool.arrivalRate(route);
    return buckets
        .computeIfAbsent(route, each -> new RetryTokens(options.budget()))
        .take(now, rate);
  }

  /**
   * Parks the calling thread for a time.
   *
   * @throws ClientClosedException when the client is closed meanwhile
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   */
  void pause(Duration delay, Call call) throws IOException {
    Thread thread = Thread.currentThread();
    pausing.add(thread);
    try {
      Waiting.until(
          () -> closed, loop, Deadline.after(delay, clock()), "waiting to send the request again");
      throw new ClientClosedException(
          "the client was closed before the request was sent again", call.point(), null);
    } catch (DeadlinePassedException e) {
      // The time is over.
      return;
    } finally {
      pausing.remove(thread);
    }
  }
}
