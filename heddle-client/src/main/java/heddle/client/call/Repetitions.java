package heddle.client.call;

import heddle.client.pool.Lease;
import heddle.client.settings.RetryPolicy.Attempt;
import heddle.http.FailurePoint;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Counts the attempts of a call, once the first has failed or its response may be retried. */
final class Repetitions {
  private Request request;
  private final EventLoop loop;

  private int attempts;
  private int notProcessed;
  private int responses;
  private int perhapsProcessed;
  private boolean lostAfterSending;
  private @Nullable IOException lastFailure;

  Repetitions(Request request, EventLoop loop) {
    this.request = request;
    this.loop = loop;
  }

  /** Whether the server requires HTTP/1.1 (RFC 9113 §7) and the request can be sent again. */
  boolean wantsHttp11(IOException failure) {
    return failure instanceof StreamResetException reset
        && reset.requiresHttp11()
        && isRepeatable(reset.at());
  }

  /**
   * Counts an attempt that has failed; the exception of the previous attempt becomes suppressed.
   *
   * @param sent whether the request was sent in this attempt
   * @param held the lease of its connection; null if it got none
   * @return what the retry policy sees; null if the request must not be repeated
   */
  @Nullable
  Attempt failed(IOException failure, Sent sent, @Nullable Lease held) {
    if (lastFailure != null && lastFailure != failure) {
      failure.addSuppressed(lastFailure);
    }
    boolean reused = held != null && held.isReused();
    if (held != null && reused && failure instanceof ConnectionLostException) {
      held.foundDead(); // before the next attempt asks for a connection
      lostAfterSending |= sent != Sent.NO;
    }
    attempts++;
    lastFailure = failure;
    FailurePoint at = failure instanceof HttpException named ? named.at() : null;
    boolean ended =
        failure instanceof ClientClosedException || failure instanceof CallCancelledException;
    if (at == null || !isRepeatable(at) || ended) {
      return null;
    }
    boolean unprocessed = failure instanceof RequestNotProcessedException;
    boolean refused = failure instanceof RequestNotProcessedException e && e.isRefused();
    notProcessed += unprocessed ? 1 : 0;
    Attempt attempt = new Attempt(
        request,
        attempts,
        null,
        Headers.empty(),
        failure,
        at.phase(),
        sent,
        unprocessed,
        refused,
        failure instanceof ConnectionLostException,
        reused,
        notProcessed,
        responses,
        perhapsProcessed,
        at.elapsed(),
        loop.random());
    perhapsProcessed += unprocessed || sent == Sent.NO ? 0 : 1;
    return attempt;
  }

  /**
   * Whether the request must not be sent again on a connection that was idle: it was lost with one
   * after it may have been sent, so that losing it once more would fail the call.
   */
  boolean needsNewConnection() {
    return lostAfterSending;
  }

  /**
   * Whether the request was sent in any attempt.
   *
   * @param latest whether it was sent in the current attempt
   */
  Sent sentAtAll(Sent latest) {
    if (responses > 0) {
      return Sent.YES; // A server that has answered has had the request.
    }
    return latest == Sent.NO && perhapsProcessed > 0 ? Sent.UNKNOWN : latest;
  }

  /**
   * Counts an attempt whose server did not process the request, so that it may be repeated whatever
   * its method is: the answer was 421 (RFC 9110 §15.5.20), or refused the expectation.
   *
   * @param next what is sent from now on
   */
  void notProcessed(Request next) {
    attempts++;
    notProcessed++;
    lastFailure = null;
    request = next;
  }

  /** Counts an attempt that brought a response; null if the request must not be repeated. */
  @Nullable
  Attempt answered(Response response, @Nullable Lease held, Duration elapsed) {
    attempts++;
    responses++;
    lastFailure = null;
    if (!request.body().isReplayable()) {
      return null;
    }
    return new Attempt(
        request,
        attempts,
        response.status(),
        response.headers(),
        null,
        Phase.READ_BODY,
        Sent.YES,
        false,
        false,
        false,
        held != null && held.isReused(),
        notProcessed,
        responses,
        perhapsProcessed,
        elapsed,
        loop.random());
  }

  private boolean isRepeatable(@Nullable FailurePoint at) {
    return at != null && at.phase() != Phase.READ_BODY && request.body().isReplayable();
  }
}
