package heddle.connection.request;

import heddle.connection.Exchange;
import heddle.connection.WaitLimit;
import heddle.http.Headers;
import heddle.http.InformationalListener;
import heddle.http.Request;
import heddle.http.Status;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The interim responses of one exchange (RFC 9110 §15.2) on their way from the loop to the thread
 * of the call: what a listener of the user's is to be told, and the 100 (Continue) for which the
 * request's content may wait (§10.1.1). Made only for a request that wants either. The session
 * bounds how many there may be.
 *
 * <p>The loop adds what came and then unparks the caller; the caller looks whether it has what it
 * waits for, and parks only after that was in vain. What a listener does meanwhile may use up a
 * wake-up, so whoever has told one looks again before it parks.
 */
public final class InterimResponses {
  private record Interim(Status status, Headers headers) {}

  private final Exchange owner;
  private final EventLoop loop;
  private final @Nullable InformationalListener listener;
  private final boolean expectsContinue;
  private final Thread caller = Thread.currentThread();
  private final Queue<Interim> untold = new ConcurrentLinkedQueue<>();

  /** Whether the server wants the content. */
  private volatile boolean continued;

  /** Whether it has had its time to say so. */
  private volatile boolean late;

  /**
   * Those of a request that the calling thread is about to send.
   *
   * @param loop that of the connection
   */
  public InterimResponses(Request request, Exchange owner, EventLoop loop) {
    this.owner = owner;
    this.loop = loop;
    this.listener = request.informational();
    this.expectsContinue = request.expectsContinue();
  }

  /** Whether a request asks for any. */
  public static boolean areWanted(Request request) {
    return request.informational() != null || request.expectsContinue();
  }

  // ---- on the loop

  /** An interim response has come. */
  public void add(Status status, Headers headers) {
    if (listener != null) {
      untold.add(new Interim(status, headers));
    }
    if (status.equals(Status.CONTINUE)) {
      continued = true;
    }
    loop.unpark(caller);
  }

  // ---- on the caller's thread

  /** Whether the content waits for 100 (Continue). */
  public boolean expectsContinue() {
    return expectsContinue;
  }

  /**
   * Parks until the server wants the content, or has said nothing for as long as the owner waits.
   *
   * @param answered whether there is a final response, or the exchange has failed
   * @return whether the content is to be sent; false when that has happened
   * @throws heddle.transport.DeadlinePassedException when the deadline passes in the listener
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public boolean awaitContinue(BooleanSupplier answered) throws IOException {
    Timer timer = loop.newTimer(() -> {
      late = true;
      loop.unpark(caller);
    });
    long lateAt = loop.clock().nanoTime() + owner.continueNanos();
    timer.arm(lateAt);
    try {
      while (true) {
        tell();
        if (answered.getAsBoolean()) {
          return false;
        }
        if (continued || late) {
          tell(); // It may have come since, and its listener hears of it before content is sent.
          return true;
        }
        parkUnlessUntold("interrupted while waiting for 100 (Continue)", lateAt);
        if (loop.clock().nanoTime() - lateAt >= EventLoop.PARK_MARGIN_NANOS) {
          late = true; // The timer has not come, but it is not the only one with a clock.
        }
      }
    } finally {
      timer.cancel();
    }
  }

  /**
   * Parks until there is a final response, and tells the listener of what comes before it.
   *
   * @param answered whether there is one, or the exchange has failed
   * @param limit fails when the loop has not ended the wait in time
   * @throws heddle.transport.DeadlinePassedException when the deadline passes in the listener
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public void awaitAnswer(BooleanSupplier answered, WaitLimit limit) throws IOException {
    while (!answered.getAsBoolean()) {
      parkUnlessUntold("interrupted while waiting for a response", limit.check());
      tell();
    }
    // What came before it is there by now.
    tell();
  }

  private void tell() throws IOException {
    InformationalListener told = listener;
    if (told == null || untold.isEmpty()) {
      return;
    }
    try (UserCode guard = new UserCode(owner, loop)) {
      for (Interim next = untold.poll(); next != null; next = untold.poll()) {
        Interim interim = next;
        guard.run(
            () -> {
              told.onInformational(interim.status(), interim.headers());
              return interim;
            },
            "a listener was told of an informational response");
      }
    }
  }

  private void parkUnlessUntold(String interrupted, long until) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(interrupted);
    }
    if (untold.isEmpty()) {
      loop.park(this, until);
    }
  }
}
