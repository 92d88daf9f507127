package heddle.client.call;

import heddle.client.jfr.ClientEvents.AttemptEvent;
import heddle.client.jfr.ClientEvents.AttemptPart;
import heddle.client.jfr.ClientEvents.CallEvent;
import heddle.client.jfr.ClientEvents.ConnectEvent;
import heddle.client.jfr.ClientEvents.ExchangeEvent;
import heddle.client.jfr.ClientEvents.PoolEvent;
import heddle.client.jfr.ClientEvents.PoolRefusalEvent;
import heddle.client.jfr.ClientEvents.PoolState;
import heddle.client.jfr.ClientEvents.QueueEvent;
import heddle.client.jfr.ClientEvents.ResolveEvent;
import heddle.client.jfr.ClientEvents.TlsEvent;
import heddle.client.jfr.FlightRecording;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.PoolQueueFullException;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.client.spi.Route;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.failure.DeadlineExceededException;
import heddle.transport.SecureChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;

/**
 * Reports what happens to one call to listeners and flight recordings. Created only if there are
 * any; used by the thread that makes the call, and then by the one that reads the response's body.
 */
final class CallEvents {
  private static final AtomicLong LAST_ID = new AtomicLong();

  private final Observers observers;
  private final CallInfo call;
  private final @Nullable CallEvent whole;

  /** The request that is sent: the caller's, or the one that the steps made of it. */
  private Request request;

  private AttemptInfo attempt;
  private long attemptAt;
  private long phaseAt;
  private @Nullable ConnectionInfo connection;
  private boolean reused;

  private @Nullable Status status;
  private @Nullable Throwable failure;
  private long contentReceived;

  /** Whether the caller has the response, so that the end of its body ends the call. */
  private boolean handedOver;

  /** Whether no response is open: none has come yet, or its body was read or closed. */
  private boolean bodyEnded = true;

  // Events that are being recorded; null if no recording wants them.
  private @Nullable AttemptEvent trying;
  private @Nullable ExchangeEvent exchanging;
  private @Nullable AttemptPart part;

  CallEvents(Observers observers, Request request, @Nullable String client, long hedgeOf) {
    this.observers = observers;
    this.call = new CallInfo(LAST_ID.incrementAndGet(), request, client, hedgeOf);
    this.request = request;
    this.attempt = new AttemptInfo(call, 0, request);
    this.whole = begun(isRecorded() && CallEvent.PROBE.isEnabled(), CallEvent::new);
    observers.tell(each -> each.callStarted(call));
  }

  AttemptInfo attempt() {
    return attempt;
  }

  /** A step of the call proceeds; the previous exchange, if any, is over. */
  void proceeds(Request next) {
    AttemptInfo ended = attempt;
    request = next;
    if (ended.number() > 0) {
      exchangeEnded(failure);
      failure = null;
      observers.tell(each -> each.followed(ended, next));
    }
  }

  void attemptStarted(long now) {
    AttemptInfo next = new AttemptInfo(call, attempt.number() + 1, request);
    attempt = next;
    attemptAt = now;
    phaseAt = now;
    connection = null;
    reused = false;
    status = null;
    bodyEnded = false;
    trying = begun(isRecorded() && AttemptEvent.PROBE.isEnabled(), AttemptEvent::new);
    observers.tell(each -> each.attemptStarted(next));
  }

  /** A phase has begun; the event of the previous phase is committed. */
  void entered(Phase phase, long now) {
    commitPart(null);
    phaseAt = now;
    part = isRecorded() ? begun(phase) : null;
    if (phase == Phase.SEND) {
      exchanging = begun(isRecorded() && ExchangeEvent.PROBE.isEnabled(), ExchangeEvent::new);
    }
  }

  private static @Nullable AttemptPart begun(Phase phase) {
    return switch (phase) {
      case RESOLVE -> begun(ResolveEvent.PROBE.isEnabled(), ResolveEvent::new);
      case CONNECT -> begun(ConnectEvent.PROBE.isEnabled(), ConnectEvent::new);
      case TLS -> begun(TlsEvent.PROBE.isEnabled(), TlsEvent::new);
      case QUEUE, SEND, AWAIT_HEAD, READ_BODY, BACKOFF -> null;
    };
  }

  void queued() {
    part = begun(isRecorded() && QueueEvent.PROBE.isEnabled(), QueueEvent::new);
    observers.tell(each -> each.queued(attempt));
  }

  /** The attempt got no connection; the failure says whether the pool refused one. */
  void unacquired(IOException failure, Route route) {
    PoolSnapshot held =
        switch (failure) {
          case PoolQueueFullException full -> full.pool();
          case AcquireTimeoutException late -> late.pool();
          case DeadlineExceededException passed
          when passed.getCause() instanceof AcquireTimeoutException late -> late.pool();
          default -> null;
        };
    if (held == null) {
      return;
    }
    if (isRecorded() && PoolRefusalEvent.PROBE.isEnabled()) {
      PoolRefusalEvent refusal = new PoolRefusalEvent();
      refusal.callId = call.id();
      refusal.attempt = attempt.number();
      refusal.failure = failure.toString();
      fill(refusal, request.origin(), held.route(route));
      refusal.commit();
    }
    observers.tell(each -> each.poolRefused(attempt, failure));
  }

  /** Called as the phase is entered, so that the event names the host even if the lookup fails. */
  void resolving(String host) {
    if (part instanceof ResolveEvent lookup) {
      lookup.host = host;
    }
  }

  void resolved(String host, List<InetAddress> addresses, long now) {
    if (part instanceof ResolveEvent lookup) {
      lookup.addresses = addresses.toString();
    }
    List<InetAddress> copy = List.copyOf(addresses);
    observers.tell(each -> each.resolved(attempt, host, copy, since(phaseAt, now)));
  }

  void connected(SocketAddress address, long now) {
    if (part instanceof ConnectEvent connecting) {
      connecting.address = address.toString();
    }
    observers.tell(each -> each.connected(attempt, address, since(phaseAt, now)));
  }

  void secured(SecureChannel channel, long now) {
    String applicationProtocol = channel.applicationProtocol();
    if (part instanceof TlsEvent handshake) {
      handshake.applicationProtocol = applicationProtocol;
      handshake.protocol = channel.session().getProtocol();
      handshake.cipherSuite = channel.session().getCipherSuite();
    }
    observers.tell(each -> each.secured(attempt, applicationProtocol, since(phaseAt, now)));
  }

  void acquired(ConnectionInfo acquired, boolean isReused, long now) {
    commitPart(null);
    connection = acquired;
    reused = isReused;
    observers.tell(each -> each.acquired(attempt, acquired, isReused, since(attemptAt, now)));
  }

  void requestSent(long now) {
    Duration took = since(phaseAt, now);
    phaseAt = now;
    observers.tell(each -> each.requestSent(attempt, took));
  }

  void responseHead(Status received, Headers fields, long now) {
    status = received;
    if (exchanging != null) {
      exchanging.status = received.code();
    }
    observers.tell(each -> each.responseHead(attempt, received, fields, since(phaseAt, now)));
  }

  void attemptEnded(@Nullable IOException attemptFailure) {
    Status brought = status;
    commitPart(attemptFailure);
    if (trying != null) {
      trying.method = request.method().toString();
      trying.path = request.path();
      trying.status = brought == null ? 0 : brought.code();
      trying.connectionId = connection == null ? 0 : connection.id();
      trying.reused = reused;
      commit(trying, attemptFailure);
      trying = null;
    }
    if (attemptFailure != null) {
      exchangeEnded(attemptFailure);
      bodyEnded = true;
    }
    observers.tell(each -> each.attemptEnded(attempt, brought, attemptFailure));
  }

  void retried(Duration delay) {
    exchangeEnded(null);
    observers.tell(each -> each.retried(attempt, delay));
  }

  private void exchangeEnded(@Nullable Throwable failure) {
    if (exchanging != null && connection != null) {
      exchanging.connectionId = connection.id();
      exchanging.protocol = connection.version().toString();
      exchanging.address = String.valueOf(connection.remoteAddress());
      commit(exchanging, failure);
    }
    exchanging = null;
  }

  void received(long bytes) {
    contentReceived = bytes;
  }

  /** Makes the call, and reports its end if no response body is left open. */
  Response tell(Abortable.Step<Response> whole, Runnable end) throws IOException {
    try {
      Response response = whole.run();
      handedOver = true;
      if (bodyEnded) {
        failure = null; // A step may have recovered from a failure: the caller has a response.
        end.run();
      }
      return response;
    } catch (IOException | RuntimeException | Error e) {
      failed(e);
      end.run();
      throw e;
    }
  }

  /** The caller gets the response of another call. */
  void answeredBy(Status other) {
    status = other;
  }

  /** What the call, or reading its response's body, throws. */
  void failed(Throwable thrown) {
    failure = thrown;
  }

  /** The body was read or closed; returns whether that ends the call. */
  boolean bodyEnded() {
    bodyEnded = true;
    return handedOver;
  }

  void callEnded(Sent sent, Duration elapsed, Map<Phase, Duration> spent) {
    exchangeEnded(failure);
    CallSummary summary = new CallSummary(
        call,
        attempt.number(),
        status,
        connection,
        reused,
        sent,
        call.request().body().length(),
        contentReceived,
        elapsed,
        spent,
        failure);
    if (whole != null && whole.shouldCommit()) {
      fill(whole, summary);
      whole.commit();
    }
    observers.tell(each -> each.callEnded(summary));
  }

  // ---- recording

  /** Asked before any event class is used: most calls with a listener are not recorded. */
  private static boolean isRecorded() {
    return FlightRecording.isPossible();
  }

  /** Here and not in {@link PoolRecorder}, which must be verified without loading event classes. */
  static void record(RouteSnapshot held) {
    PoolEvent event = new PoolEvent();
    event.draining = held.draining();
    fill(event, held.route().origin(), held);
    event.commit();
  }

  private static void fill(CallEvent event, CallSummary summary) {
    Request request = summary.call().request();
    Status status = summary.status();
    ConnectionInfo used = summary.connection();
    Map<Phase, Duration> spent = summary.spent();
    event.callId = summary.call().id();
    event.method = request.method().toString();
    event.origin = request.origin().toString();
    event.path = request.path();
    event.attempts = summary.attempts();
    event.status = status == null ? 0 : status.code();
    event.protocol = used == null ? null : used.version().toString();
    event.connectionId = used == null ? 0 : used.id();
    event.reused = summary.reused();
    event.sent = summary.sent().toString();
    event.contentSent = summary.contentSent();
    event.contentReceived = summary.contentReceived();
    event.queue = nanos(spent, Phase.QUEUE);
    event.resolve = nanos(spent, Phase.RESOLVE);
    event.connect = nanos(spent, Phase.CONNECT);
    event.tls = nanos(spent, Phase.TLS);
    event.send = nanos(spent, Phase.SEND);
    event.awaitHead = nanos(spent, Phase.AWAIT_HEAD);
    event.readBody = nanos(spent, Phase.READ_BODY);
    event.backoff = nanos(spent, Phase.BACKOFF);
    event.failure = text(summary.failure());
  }

  private static void fill(PoolState event, Origin origin, RouteSnapshot held) {
    event.origin = origin.toString();
    event.open = held.open();
    event.idle = held.idle();
    event.inUse = held.inUse();
    event.pending = held.pending();
    event.inFlight = held.inFlight();
    event.inFlightLimit = held.inFlightLimit();
    event.arrivalRate = held.arrivalRate();
    event.meanTimeInUse = held.meanTimeInUse().toNanos();
    event.neededInFlight = held.neededInFlight();
  }

  private static long nanos(Map<Phase, Duration> spent, Phase phase) {
    return spent.getOrDefault(phase, Duration.ZERO).toNanos();
  }

  /** An event that begins now; null if no recording wants it. */
  private static <E extends Event> @Nullable E begun(boolean wanted, Supplier<E> kind) {
    if (!wanted) {
      return null;
    }
    E event = kind.get();
    event.begin();
    return event;
  }

  private void commitPart(@Nullable Throwable failure) {
    if (part != null) {
      commit(part, failure);
      part = null;
    }
  }

  private void commit(AttemptPart event, @Nullable Throwable failure) {
    if (event.shouldCommit()) {
      event.callId = call.id();
      event.attempt = attempt.number();
      event.origin = request.origin().toString();
      event.failure = text(failure);
      event.commit();
    }
  }

  private static @Nullable String text(@Nullable Throwable failure) {
    return failure == null ? null : failure.toString();
  }

  private static Duration since(long start, long now) {
    return Duration.ofNanos(now - start);
  }
}
