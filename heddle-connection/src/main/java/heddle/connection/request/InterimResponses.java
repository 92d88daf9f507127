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
 * of the call: those for the user's listener, and the 100 (Continue) for which the request's
 * content may wait (§10.1.1). The session limits their number.
 *
 * <p>The loop adds each response and then unparks the caller; the caller checks for what it waits
 * for before it parks. The listener may consume a wake-up while it runs, so the caller checks again
 * after calling it.
 */
public final class InterimResponses {
  private record Interim(Status status, Headers headers) {}

  private final Exchange owner;
  private final EventLoop loop;
  private final @Nullable InformationalListener listener;
  private final boolean expectsContinue;
  private final Thread caller = Thread.currentThread();
  private final Queue<Interim> untold = new ConcurrentLinkedQueue<>();

  /** Whether the content is to be sent: the server wants it, or has not said so in time. */
  private volatile boolean contentDue;

  /** Of a request that the calling thread is about to send. */
  public InterimResponses(Request request, Exchange owner, EventLoop loop) {
    this.owner = owner;
    this.loop = loop;
    this.listener = request.informational();
    this.expectsContinue = request.expectsContinue();
  }

  /** Whether a request has a listener or expects 100 (Continue). */
  public static boolean areWanted(Request request) {
    return request.informational() != null || request.expectsContinue();
  }

  // ---- on the loop

  /** An interim response has arrived. */
  public void add(Status status, Headers headers) {
    if (listener != null) {
      untold.add(new Interim(status, headers));
    }
    if (status.equals(Status.CONTINUE)) {
      contentDue = true;
    }
    loop.unpark(caller);
  }

  // ---- on the caller's thread

  /** Whether the content waits for 100 (Continue). */
  public boolean expectsContinue() {
    return expectsContinue;
  }

  /**
   * Parks until the server wants the content, or has sent nothing for as long as the owner waits.
   *
   * @param answered whether there is a final response, or the exchange has failed
   * @return whether the content is to be sent; false if {@code answered}
   * @throws heddle.transport.DeadlinePassedException when the deadline passes in the listener
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public boolean awaitContinue(BooleanSupplier answered) throws IOException {
    Timer timer = loop.newTimer(() -> {
      contentDue = true;
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
        if (contentDue) {
          tell(); // It may have arrived since; the listener is called before content is sent.
          return true;
        }
        parkUnlessUntold("interrupted while waiting for 100 (Continue)", lateAt);
        if (loop.clock().nanoTime() - lateAt >= EventLoop.PARK_MARGIN_NANOS) {
          contentDue = true; // The timer has not fired, so the thread ends the wait.
        }
      }
    } finally {
      timer.cancel();
    }
  }

  /**
   * Parks until there is a final response, and calls the listener for each interim response before
   * it.
   *
   * @param answered whether there is one, or the exchange has failed
   * @param limit fails when the loop has not ended the wait in time
   * @throws IOException as {@link #awaitContinue} does
   */
  public void awaitAnswer(BooleanSupplier answered, WaitLimit limit) throws IOException {
    while (!answered.getAsBoolean()) {
      parkUnlessUntold("interrupted while waiting for a response", limit.check());
      tell();
    }
    tell(); // All interim responses have arrived by now.
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
