package heddle.adapters.okhttp;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.internal.connection.RealCall;
import okio.AsyncTimeout;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * One call of OkHttp's for as long as it lasts: to the end of its response's body, which OkHttp
 * itself does not see, as it knows only bodies of its own. So its listener is held back here, and
 * told of the end when that has come.
 *
 * <p>Used by the thread that makes the call and by whoever reads the body; {@link #cancel} by any.
 */
final class CallState {
  private static final int BODY_OPEN = 1;
  private static final int CALL_OVER = 2;

  final RealCall call;

  /** Who is told of everything that happens. */
  final EventListener listener;

  private final AtomicInteger marks = new AtomicInteger();

  /** Whether the call fails with its response at hand; used by the thread that makes the call. */
  private boolean givenUp;

  private volatile @Nullable HeddleExchange current;
  private volatile @Nullable HeddleConnection connection;

  private CallState(RealCall call, EventListener listener) {
    this.call = call;
    this.listener = listener;
  }

  /** The state of a chain's call, made when the call comes here for the first time. */
  static CallState of(Interceptor.Chain chain) {
    RealCall call = (RealCall) chain.call();
    CallState known = call.tag(CallState.class);
    return known == null ? begin(call) : known;
  }

  private static CallState begin(RealCall call) {
    CallState state = new CallState(call, call.getEventListener$okhttp());
    call.tag(CallState.class, () -> state);
    call.setEventListener$okhttp(state.new Ends());
    return state;
  }

  /** What OkHttp still tells itself once the call is here; all else, the listener is told by us. */
  private final class Ends extends EventListener {
    @Override
    public void canceled(Call cancelled) {
      cancel();
      listener.canceled(cancelled);
    }

    @Override
    public void callEnd(Call ended) {
      over(null);
    }

    @Override
    public void callFailed(Call failed, IOException failure) {
      over(failure);
    }
  }

  private void cancel() {
    HeddleExchange running = current;
    if (running != null) {
      running.abort();
    }
  }

  /**
   * An interceptor of the application's proceeds.
   *
   * @throws IllegalStateException if the body of the response before is still open
   */
  void checkReady() {
    if ((marks.get() & BODY_OPEN) != 0) {
      throw new IllegalStateException("cannot make a new request because the previous response is "
          + "still open: please call response.close()");
    }
  }

  /**
   * An exchange begins.
   *
   * @throws IOException when the call was cancelled before
   */
  void begin(HeddleExchange exchange) throws IOException {
    current = exchange;
    // Who cancels sets this first and then looks for the exchange.
    checkNotCancelled();
  }

  /** When the time of the call is over, on the clock of {@link System#nanoTime}; 0: never. */
  long endsAt() {
    Timeout timeout = call.timeout();
    boolean never = timeout.timeoutNanos() == 0 && !timeout.hasDeadline();
    return never || !(timeout instanceof AsyncTimeout entered) ? 0 : entered.getTimeoutAt$okio();
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

  /** The next exchange may not use the connection that the one before has used. */
  void releaseConnection() {
    HeddleConnection held = connection;
    if (held != null) {
      connection = null;
      listener.connectionReleased(call, held);
    }
  }

  /** An exchange has got a connection, as a rule the one that the call had before. */
  void acquired(HeddleConnection acquired) {
    if (!acquired.equals(connection)) {
      releaseConnection();
      connection = acquired;
      listener.connectionAcquired(call, acquired);
    }
  }

  // ---- the end

  /** The call fails, and nobody is told of what its response still holds. */
  void giveUp() {
    givenUp = true;
  }

  boolean isGivenUp() {
    return givenUp;
  }

  /** The response has a body that is still to be read or closed. */
  void bodyOpened() {
    marks.getAndUpdate(before -> before | BODY_OPEN);
  }

  /**
   * The body was read, closed, or has failed.
   *
   * @param of the exchange that it belongs to; one that was {@linkplain #abandon abandoned} is over
   * @param failure what reading throws; null where all is well
   */
  void bodyEnded(HeddleExchange of, @Nullable IOException failure) {
    if (of != current) {
      return;
    }
    int before = marks.getAndUpdate(marked -> marked & ~BODY_OPEN);
    if (before == (BODY_OPEN | CALL_OVER)) {
      end(failure);
    }
  }

  /**
   * Nobody waits for the response any more: what a network interceptor has kept open of it fails
   * from now on.
   */
  void abandon() {
    int before = marks.getAndUpdate(marked -> marked & ~BODY_OPEN);
    HeddleExchange kept = current;
    if ((before & BODY_OPEN) != 0 && kept != null) {
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
