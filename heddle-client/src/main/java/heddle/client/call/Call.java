package heddle.client.call;

import heddle.client.pool.Lease;
import heddle.client.settings.RetryPolicy.Attempt;
import heddle.client.spi.Route;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.MinimumRate;
import heddle.http.Body;
import heddle.http.FailurePoint;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.duplex.UpgradeContent;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.transport.DeadlinePassedException;
import heddle.transport.SecureChannel;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One call from start to end, on the caller's thread: lease a connection, exchange a request and a
 * response, and repeat that if the retry policy says so or the {@linkplain CallChain steps} of
 * the call proceed. Used by one thread, the caller's and then the one that reads the response's
 * body; {@link #cancel} and {@link #connection} by any.
 */
public final class Call implements Exchange, Calls.Prepared {
  /** A shorter phase is counted with the next one, so that most calls need no array of times. */
  private static final long WORTH_NOTING_NANOS = 100_000;

  private static final int PHASES = Phase.values().length;

  private static final AtomicReferenceFieldUpdater<Call, Deadline> HEAD_DEADLINE =
      AtomicReferenceFieldUpdater.newUpdater(Call.class, Deadline.class, "headDeadline");

  private static final AtomicReferenceFieldUpdater<Call, Lease> USED =
      AtomicReferenceFieldUpdater.newUpdater(Call.class, Lease.class, "used");

  private final Calls client;
  private final long startedAt;

  /** The request of the caller, and what may follow its response; null if there are no steps. */
  private Request first;

  private final @Nullable CallChain chain;

  private Request request;
  private Route route;

  /** By when the caller must have the response; {@linkplain Deadline#never never} once it has. */
  private volatile Deadline headDeadline;

  /** By when the last byte of the response's content must have been read. */
  private Deadline deadline;

  private Phase phase = Phase.QUEUE;
  private Sent sent = Sent.NO;
  private @Nullable Lease lease;

  /**
   * The latest lease, also once its attempt is over. Read by any thread; set in release mode, which
   * saves a fence: others may see it a moment later.
   */
  private volatile @Nullable Lease used;

  private @Nullable Repetitions repetitions;

  /** Whether the response came while the content waited to be sent, so that none of it was. */
  private boolean withheld;

  /** Whether earlier requests of the call's steps were sent; null until the first proceeds. */
  private @Nullable Sent earlier;

  /** When the current phase began, or an earlier one that was too short to be noted. */
  private long since;

  /** Nanoseconds in each phase that is over; null while all were too short to be noted. */
  private long @Nullable [] spent;

  private volatile boolean cancelled;

  /** Null if there are no listeners and no recordings. */
  private final @Nullable CallEvents events;

  Call(
      Calls client,
      Request first,
      Deadline inherited,
      @Nullable CallEvents told,
      Request sent,
      Route route,
      @Nullable CallChain chain) {
    this.client = client;
    this.first = first;
    this.chain = chain;
    this.request = Expectation.applied(sent, client.expectContinueFrom);
    this.route = route;
    this.startedAt = now();
    this.since = startedAt;
    this.deadline = client.deadline(first, startedAt).earlier(inherited);
    this.headDeadline =
        first.deadline() == null ? client.headDeadline(startedAt) : Deadline.never();
    this.events = told;
    if (told != null) {
      told.proceeds(sent);
    }
  }

  /** Makes a call without steps, or whose steps follow its first response. */
  @Override
  public Response call() throws IOException {
    return events == null ? given(followed(repeat())) : run(() -> followed(repeat()));
  }

  private Response followed(Response response) throws IOException {
    return chain == null ? response : chain.follow(this, first, response);
  }

  /** The caller gets the response. */
  private Response given(Response response) {
    headDeadline = Deadline.never();
    if (request.body() instanceof UpgradeContent) {
      // The other protocol may be idle for hours. What is kept is what its failures name.
      request = request.toBuilder().headers(Headers.empty()).body(Body.empty()).build();
      first = request;
      route = usedRoute();
      spent = null;
    }
    return response;
  }

  @Override
  public Response fail(IOException failure) throws IOException {
    return run(() -> {
      throw failure;
    });
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  /** The number by which listeners know this call; 0 if there are none. */
  long id() {
    return events == null ? 0 : events.attempt().call().id();
  }

  /** The caller waits for the response no longer than for that of another call. */
  void boundBy(Call other) {
    headDeadline = headDeadline.earlier(other.headDeadline);
  }

  /** The caller gets the response of a hedge; no attempt of this call is under way. */
  void answeredBy(Response hedged) {
    if (events != null) {
      events.answeredBy(hedged.status());
    }
  }

  /** Waits on behalf of a step, which has not proceeded or may proceed again. */
  void pause(Duration time) throws IOException {
    if (earlier == null) {
      since = now(); // the time that the steps took so far was not spent in the queue
    }
    enter(Phase.BACKOFF);
    long left = deadline().remainingNanos(client.loop.clock());
    if (Deadline.boundedNanos(time) <= left) {
      client.retries.pause(time, this);
      enter(Phase.QUEUE);
    } else {
      client.retries.pause(Duration.ofNanos(left), this);
      throw explain(new DeadlinePassedException("deadline passed before the request was sent"));
    }
  }

  /** Makes a call by running its steps, which {@link #proceed}. */
  Response run(Abortable.Step<Response> steps) throws IOException {
    return given(events == null ? steps.run() : events.tell(steps, () -> tellEnd(events)));
  }

  /**
   * Sends the request that the steps made; the previous exchange must be {@linkplain #isOpen over}.
   *
   * @param limit deadline of this exchange, not after that of the whole call
   */
  Response proceed(Request next, Route to, Deadline limit) throws IOException {
    if (earlier == null) {
      since = now(); // the time that the steps took so far was not spent in the queue
    }
    earlier = sentAtAll();
    request = Expectation.applied(next, client.expectContinueFrom);
    route = to;
    deadline = limit;
    repetitions = null;
    forgetAttempt();
    if (events != null) {
      events.proceeds(next);
    }
    return repeat();
  }

  private void forgetAttempt() {
    sent = Sent.NO;
    withheld = false;
    lease = null;
  }

  /** Whether the response's body has been neither read to its end nor closed. */
  boolean isOpen() {
    return lease != null && !lease.isReleased();
  }

  /** Whether the request's body may have been read, in whole or in part. */
  boolean hasBegunToSend() {
    return !withheld && phase.compareTo(Phase.SEND) >= 0;
  }

  private Response repeat() throws IOException {
    while (true) {
      try {
        Response response = attempt();
        if (!mayRepeatAfter(response)) {
          return response;
        }
      } catch (IOException e) {
        repeatAfter(e);
      }
    }
  }

  // Not divided further: what it calls to wait stands on top of it, in the heap of each caller.
  private Response attempt() throws IOException {
    if (events != null) {
      events.attemptStarted(now());
    }
    try {
      if (phase != Phase.QUEUE) {
        enter(Phase.QUEUE);
      }
      Lease acquired;
      try {
        acquired = repetitions == null ? client.acquireElsewhere(route, this) : null;
        if (acquired == null) {
          boolean anew = request.needsNewConnection()
              || (repetitions != null && repetitions.needsNewConnection());
          acquired = client.pool().acquire(route, this, anew, attemptedAt());
        }
      } catch (IOException e) {
        throw unacquired(e);
      }
      lease = acquired;
      USED.lazySet(this, acquired);
      if (events != null) {
        events.acquired(ConnectionWatch.info(acquired), acquired.isReused(), now());
      }
      Request dressed = client.dressed(request, deadline(), events, acquired);
      Response response = acquired.watch(acquired.connection().send(dressed, this), this);
      if (acquired.isDowngraded()) {
        Alternatives.note(response.headers(), acquired);
      }
      if (events != null) {
        events.responseHead(response.status(), response.headers(), now());
        events.attemptEnded(null);
      }
      return response;
    } catch (IOException | RuntimeException | Error e) {
      if (e instanceof Error && lease != null) {
        lease.release(false); // If memory ran out, there may be no exchange that would do so.
      }
      if (events != null) {
        events.attemptEnded(e instanceof IOException failure ? failure : new IOException(e));
      }
      throw e;
    }
  }

  /** The time, which for the first attempt is that of the start, a moment ago. */
  private long attemptedAt() {
    boolean atStart = repetitions == null && earlier == null && !client.lookElsewhere();
    return atStart ? startedAt : now();
  }

  private IOException unacquired(IOException e) {
    IOException explained = explain(e);
    if (events != null) {
      events.unacquired(explained, route);
    }
    return explained;
  }

  // ---- repeating

  /** Returns when the request is to be sent again, and throws the failure otherwise. */
  private void repeatAfter(IOException e) throws IOException {
    Attempt attempt = account().failed(e, sent, lease);
    if (attempt == null) {
      throw e;
    }
    boolean downgraded = route.version() == null && account().wantsHttp11(e);
    Duration delay =
        downgraded ? Duration.ZERO : client.retries.delay(attempt, deadline(), usedRoute());
    if (delay == null) {
      throw e;
    }
    route = downgraded ? route.withVersion(HttpVersion.HTTP_1_1) : route;
    try {
      prepareNext(delay);
    } catch (IOException interrupted) {
      interrupted.addSuppressed(e);
      throw interrupted;
    }
  }

  /** Whether the request is to be sent again although there is a response, which is closed then. */
  private boolean mayRepeatAfter(Response response) throws IOException {
    Duration delay = delayAfter(response);
    if (delay == null) {
      return false;
    }
    response.close();
    prepareNext(delay);
    return true;
  }

  private @Nullable Duration delayAfter(Response response) {
    Status status = response.status();
    Request without =
        withheld && client.dropsExpectations ? Expectation.refused(request, status) : null;
    if (without != null) {
      request = without;
      account().notProcessed(request);
      return Duration.ZERO; // Its body was not opened.
    }
    if (!client.retries.areConsideredAfter(status)) {
      return null;
    }
    if (lease != null && !usedRoute().equals(route) && status.equals(Status.MISDIRECTED_REQUEST)) {
      lease.misdirected(request.origin());
      account().notProcessed(request);
      return request.body().isReplayable() ? Duration.ZERO : null;
    }
    Duration elapsed = Duration.ofNanos(now() - startedAt);
    Attempt attempt = account().answered(response, lease, elapsed);
    return attempt == null ? null : client.retries.delay(attempt, deadline(), usedRoute());
  }

  private void prepareNext(Duration delay) throws IOException {
    if (events != null) {
      events.retried(delay);
    }
    forgetAttempt();
    enter(Phase.BACKOFF);
    if (!delay.isZero()) {
      client.retries.pause(delay, this);
    }
  }

  private Repetitions account() {
    if (repetitions == null) {
      repetitions = new Repetitions(request, client.loop);
    }
    return repetitions;
  }

  private Route usedRoute() {
    return lease == null ? route : lease.route();
  }

  // ---- Exchange: callbacks from the connection

  @Override
  public Deadline deadline() {
    return headDeadline.earlier(deadline);
  }

  /** By when the last byte of the response's content must have been read. */
  Deadline wholeDeadline() {
    return deadline;
  }

  /** Perhaps while the caller gets the response, from when on there is no such deadline. */
  @Override
  public void contentSent() {
    Deadline before = headDeadline;
    if (!before.isNever()) {
      HEAD_DEADLINE.compareAndSet(this, before, client.headDeadline(now()));
    }
  }

  @Override
  public long maxSilenceNanos() {
    return client.maxSilenceNanos;
  }

  @Override
  public long maxSilenceNanos(boolean begun) {
    return begun ? client.maxSilenceNanos : client.firstByteNanos;
  }

  @Override
  public MinimumRate minRate() {
    return client.minRate;
  }

  @Override
  public long continueNanos() {
    return client.continueNanos;
  }

  @Override
  public void contentWithheld() {
    withheld = true;
  }

  @Override
  public void enter(Phase next) {
    enter(next, now());
  }

  @SuppressWarnings("EnumOrdinal") // The index of an array that does not outlive the call.
  @Override
  public void enter(Phase next, long at) {
    // Listeners get the exact time, which costs a read of the clock.
    long now = events == null ? at : now();
    long took = now - since;
    if (spent != null || took >= WORTH_NOTING_NANOS || events != null) {
      if (spent == null) {
        spent = new long[PHASES];
      }
      spent[phase.ordinal()] += took;
      since = now;
    }
    if (events != null) {
      if (next == Phase.AWAIT_HEAD) {
        events.requestSent(now);
      }
      events.entered(next, now);
    }
    phase = next;
  }

  @Override
  public void sent(Sent known) {
    sent = known;
  }

  @Override
  public boolean keepsConnection(Status status) {
    Predicate<Status> closes = client.closesAfter;
    return closes == null || !closes.test(status);
  }

  /** Over all attempts: an earlier one may have been sent although the last was not. */
  private Sent sentAtAll() {
    Sent now = repetitions == null ? sent : repetitions.sentAtAll(sent);
    return earlier == null ? now : now.or(earlier);
  }

  @Override
  public void queued() {
    if (events != null) {
      events.queued();
    }
  }

  @Override
  public void resolving(String host) {
    enter(Phase.RESOLVE);
    if (events != null) {
      events.resolving(host);
    }
  }

  @Override
  public void resolved(String host, List<InetAddress> addresses) {
    if (events != null) {
      events.resolved(host, addresses, now());
    }
  }

  @Override
  public void connected(SocketAddress address) {
    if (events != null) {
      events.connected(address, now());
    }
  }

  @Override
  public void secured(SecureChannel channel) {
    if (events != null) {
      events.secured(channel, now());
    }
  }

  @Override
  public void received(long bytes) {
    if (events != null) {
      events.received(bytes);
    }
  }

  @Override
  public void failed(IOException e) {
    if (events != null) {
      events.failed(e);
    }
  }

  @Override
  public void ended(boolean reusable) {
    if (lease != null) {
      lease.release(reusable);
    }
    if (events != null && events.bodyEnded()) {
      tellEnd(events);
    }
  }

  private void tellEnd(CallEvents events) {
    long now = now();
    events.callEnded(sentAtAll(), Duration.ofNanos(now - startedAt), account(now));
  }

  /** The phases that took any time, with the current one. */
  @SuppressWarnings("EnumOrdinal") // The index of an array that does not outlive the call.
  private Map<Phase, Duration> account(long now) {
    Map<Phase, Duration> account = new EnumMap<>(Phase.class);
    for (Phase each : Phase.values()) {
      long nanos = spent == null ? 0 : spent[each.ordinal()];
      nanos += each == phase ? now - since : 0;
      if (nanos > 0) {
        account.put(each, Duration.ofNanos(nanos));
      }
    }
    return account;
  }

  @Override
  public @Nullable Lease lease() {
    return used;
  }

  // ---- failing

  @Override
  public FailurePoint point() {
    long now = now();
    Duration elapsed = Duration.ofNanos(now - startedAt);
    return new FailurePoint(request, phase, sentAtAll(), elapsed, account(now));
  }

  @Override
  public IOException explain(Exception cause) {
    FailurePoint at = point();
    if (cancelled) {
      return new CallCancelledException("the call was cancelled", at, cause);
    }
    IOException explained = Failures.explain(cause, at);
    boolean lost =
        explained instanceof ConnectionLostException || explained instanceof ConnectFailedException;
    return lost && client.pool().isAborted()
        ? new ClientClosedException("the client was closed before the call ended", at, cause)
        : explained;
  }

  private long now() {
    return client.loop.clock().nanoTime();
  }
}
