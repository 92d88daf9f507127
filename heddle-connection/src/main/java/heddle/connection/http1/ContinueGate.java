package heddle.connection.http1;

import heddle.codec.http1.Http1Session;
import heddle.http.Headers;
import heddle.http.Status;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The 100 (Continue) that a request's client waits for (RFC 9110 §10.1.1): sent when the body is
 * first asked for, unless a final response has begun. Different threads may do the two: one waits
 * until the other has written.
 */
final class ContinueGate {
  private enum State {
    OWED,
    SENDING,
    SENT,
    OVER
  }

  private final Http1ServerConnection connection;
  private final Http1Session session;
  private final AtomicReference<State> state = new AtomicReference<>(State.OWED);
  private volatile @Nullable Thread finalSender;

  ContinueGate(Http1ServerConnection connection, Http1Session session) {
    this.connection = connection;
    this.session = session;
  }

  /** Sends 100 (Continue), unless it was sent or is not needed. */
  void open() throws IOException {
    if (state.get() != State.OWED || !state.compareAndSet(State.OWED, State.SENDING)) {
      return;
    }
    try {
      connection
          .channel()
          .write(session.interimHead(Status.CONTINUE, Headers.empty()), connection.writeDeadline());
    } finally {
      state.set(State.SENT);
      Thread waiting = finalSender;
      if (waiting != null) {
        connection.channel().loop().unpark(waiting);
      }
    }
  }

  /** Whether no 100 was sent yet; may change until {@link #shut}. */
  boolean isOwed() {
    return state.get() == State.OWED;
  }

  /** Whether the final response came first, so that no 100 was sent. */
  boolean wasNeverOpened() {
    return state.get() == State.OVER;
  }

  /** The content has begun to arrive unasked, so that no 100 is needed. On the loop. */
  void notNeeded() {
    state.compareAndSet(State.OWED, State.SENT);
  }

  /**
   * A final response is about to begin: from now on no 100 is sent. Returns whether none was sent,
   * so that the body may never arrive.
   */
  boolean shut() throws DeadlinePassedException, InterruptedIOException {
    if (state.compareAndSet(State.OWED, State.OVER)) {
      return true;
    }
    if (state.get() == State.SENDING) {
      finalSender = Thread.currentThread();
      Waiting.until(
          () -> state.get() != State.SENDING,
          connection.channel().loop(),
          connection.writeDeadline(),
          "another thread sends 100 (Continue)");
      finalSender = null;
    }
    return false;
  }
}
