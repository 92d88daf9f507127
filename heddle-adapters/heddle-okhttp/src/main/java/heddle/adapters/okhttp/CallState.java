package heddle.adapters.okhttp;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.internal.connection.RealCall;
import okio.AsyncTimeout;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The state of one OkHttp call until the end of its response body. OkHttp does not notice that end,
 * as it knows only its own bodies. So this class stands in for the call's listener, and reports the
 * end of the call to it at the right time.
 *
 * <p>Used by the thread that makes the call, the one that reads the body, and one that writes to
 * the connection itself; {@link #canceled} by any.
 */
final class CallState extends EventListener {
  private static final int BODY_OPEN = 1;
  private static final int CALL_OVER = 2;

  /** The program writes to the connection itself: a duplex body, or after an upgrade. */
  private static final int WRITING = 4;

  final RealCall call;

  /** The call's own listener. */
  final EventListener listener;

  private final AtomicInteger marks = new AtomicInteger();

  /** Whether the call fails although it has a response; used by the thread that makes the call. */
  private boolean givenUp;

  /** Whether the connection was lost with the rest of a body; used by the same thread. */
  private boolean lost;

  /** The request of the call as application interceptors have changed it. */
  private Request first;

  private volatile @Nullable HeddleExchange current;
  private volatile @Nullable HeddleConnection connection;

  private CallState(RealCall call, EventListener listener) {
    this.call = call;
    this.listener = listener;
    this.first = call.request();
  }

  /** Returns the state of a chain's call, created on first use. */
  static CallState of(Interceptor.Chain chain) {
    RealCall call = (RealCall) chain.call();
    CallState known = call.tag(CallState.class);
    return known == null ? begin(call) : known;
  }

  private static CallState begin(RealCall call) {
    CallState state = new CallState(call, call.getEventListener$okhttp());
    call.tag(CallState.class, () -> state);
    call.setEventListener$okhttp(state);
    return state;
  }

  // ---- the events that OkHttp itself still reports. The adapter reports all others.

  @Override
  public void canceled(Call cancelled) {
    HeddleExchange running = current;
    if (running != null) {
      running.abort();
    }
    listener.canceled(cancelled);
  }

  @Override
  public void cacheHit(Call cached, Response response) {
    listener.cacheHit(cached, response);
  }

  @Override
  public void cacheMiss(Call missed) {
    listener.cacheMiss(missed);
  }

  @Override
  public void cacheConditionalHit(Call cached, Response response) {
    listener.cacheConditionalHit(cached, response);
  }

  @Override
  public void satisfactionFailure(Call failed, Response response) {
    listener.satisfactionFailure(failed, response);
  }

  @Override
  public void callEnd(Call ended) {
    over(null);
  }

  @Override
  public void callFailed(Call failed, IOException failure) {
    over(failure);
  }

  Request first() {
    return first;
  }

  /**
   * Called when an application interceptor proceeds.
   *
   * @throws IllegalStateException if the body of the previous response is still open, or the
   *     program still writes to its connection
   */
  void checkReady(Request request) {
    first = request;
    int open = marks.get();
    if ((open & BODY_OPEN) != 0) {
      throw new IllegalStateException("cannot make a new request because the previous response is "
          + "still open: please call response.close()");
    }
    if ((open & WRITING) != 0) {
      throw new IllegalStateException("cannot make a new request because the sink of the previous "
          + "one is still open: please close it");
    }
  }

  /**
   * Begins an exchange.
   *
   * @throws IOException if the call was already cancelled
   */
  void begin(HeddleExchange exchange) throws IOException {
    current = exchange;
    // Cancelling sets its flag first and then reads the exchange.
    checkNotCancelled();
  }

  /** The deadline of the call, by {@link System#nanoTime}; 0 for none. */
  long endsAt() {
    Timeout timeout = call.timeout();
    boolean ends = timeout.timeoutNanos() != 0 || timeout.hasDeadline();
    return ends && timeout instanceof AsyncTimeout entered ? entered.getTimeoutAt$okio() : 0;
  }

  void checkNotCancelled() throws IOException {
    if (call.isCanceled()) {
      throw new IOException("Canceled");
    }
  }

  // ---- connections

  @Nullable
  HeddleConnection connection() {
    return connection;
  }

  /** Called when the rest of a body did not come in time, so that its connection was closed. */
  void connectionLost() {
    lost = true;
  }

  boolean hasLostConnection() {
    return lost;
  }

  /** Releases the connection, which the next exchange may not use. */
  void releaseConnection() {
    lost = false;
    HeddleConnection held = connection;
    if (held != null) {
      connection = null;
      listener.connectionReleased(call, held);
    }
  }

  /** Called when an exchange has a connection, usually the one that the call already had. */
  void acquired(HeddleConnection acquired) {
    if (acquired != connection) {
      releaseConnection();
      connection = acquired;
      listener.connectionAcquired(call, acquired);
    }
  }

  // ---- the end

  /** Fails the call. Later events of its response are not reported. */
  void giveUp() {
    givenUp = true;
  }

  boolean isGivenUp() {
    return givenUp;
  }

  /** Called when the response has a body that must be read or closed. */
  void bodyOpened() {
    marks.getAndUpdate(before -> before | BODY_OPEN);
  }

  /**
   * Called when the body was read or closed, or has failed.
   *
   * @param of the exchange of the body; ignored if it was {@linkplain #abandon abandoned}
   * @param failure what reading throws; null for none
   */
  void bodyEnded(HeddleExchange of, @Nullable IOException failure) {
    ended(of, BODY_OPEN, failure);
  }

  /** Called when the program gets a sink that writes to the connection. */
  void writingBegan() {
    marks.getAndUpdate(before -> before | WRITING);
  }

  /** Called when the sink was closed or has failed; as {@link #bodyEnded}. */
  void writingEnded(HeddleExchange of, @Nullable IOException failure) {
    ended(of, WRITING, failure);
  }

  private void ended(HeddleExchange of, int direction, @Nullable IOException failure) {
    if (of != current) {
      return;
    }
    int before = marks.getAndUpdate(marked -> marked & ~direction);
    if (before == (direction | CALL_OVER)) {
      end(failure);
    }
  }

  /** Whether the program may read from the connection, or write to it. */
  boolean isOpen() {
    return (marks.get() & (BODY_OPEN | WRITING)) != 0;
  }

  /**
   * Abandons the response. If a network interceptor has kept its body open, reading it fails from
   * now on, and so does writing to a duplex body.
   */
  void abandon() {
    int open = BODY_OPEN | WRITING;
    int before = marks.getAndUpdate(marked -> marked & ~open);
    HeddleExchange kept = current;
    if ((before & open) != 0 && kept != null) {
      current = null;
      kept.abort();
      releaseConnection();
    }
  }

  private void over(@Nullable IOException failure) {
    int before = marks.getAndUpdate(marked -> marked | CALL_OVER);
    if (before == 0) {
      end(failure);
    }
  }

  private void end(@Nullable IOException failure) {
    releaseConnection();
    if (failure == null) {
      listener.callEnd(call);
    } else {
      listener.callFailed(call, failure);
    }
  }
}
