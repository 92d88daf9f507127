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
  private static final int MAX_FREE = 5;

  private Request request;
  private final EventLoop loop;

  private int attempts;
  private int notProcessed;
  private int responses;
  private int perhapsProcessed;
  private @Nullable IOException lastFailure;

  Repetitions(Request request, EventLoop loop) {
    this.request = request;
    this.loop = loop;
  }

  /** Whether the server requires HTTP/1.1 (RFC 9113 §7) and the request can be sent again. */
  boolean wantsHttp11(IOException failure) {
    return failure instanceof StreamResetException reset
        && reset.requiresHttp11()
        && isRepeatable(reset);
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
    IOException earlier = lastFailure;
    if (earlier != null && earlier != failure) {
      failure.addSuppressed(earlier);
    }
    boolean reused = held != null && held.isReused();
    if (held != null && reused && failure instanceof ConnectionLostException) {
      held.foundDead(); // before the next attempt asks for a connection
    }
    attempts++;
    lastFailure = failure;
    if (!(failure instanceof HttpException named) || !isRepeatable(named)) {
      return null;
    }
    FailurePoint at = named.at();
    if (at == null || failure instanceof ClientClosedException) {
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
   * Counts an attempt that was answered 421 (Misdirected Request). RFC 9110 §15.5.20: the request
   * was not processed, so it may be repeated whatever its method is.
   *
   * @return how long to wait before it is sent again; null if it cannot be
   */
  @Nullable
  Duration misdirected() {
    attempts++;
    notProcessed++;
    lastFailure = null;
    return request.body().isReplayable() ? Duration.ZERO : null;
  }

  /**
   * Counts an attempt whose server refused the expectation before any content was sent. The request
   * was not processed, whatever its method is, and its body was not opened, so it can be sent now.
   *
   * @param without the request without the expectation, which is sent from now on
   * @return how long to wait before it is sent
   */
  Duration expectationRefused(Request without) {
    attempts++;
    notProcessed++;
    lastFailure = null;
    request = without;
    return Duration.ZERO;
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

  /**
   * Whether a retry does not count against the budget, because the request never left and so made
   * no work for a server: a pooled connection was dead, or took no more requests. That may happen a
   * few times in a row.
   */
  static boolean isFree(Attempt attempt) {
    boolean deadBefore = attempt.lost() && attempt.connectionReused() && attempt.sent() == Sent.NO;
    boolean notTaken = attempt.notProcessed() && !attempt.refused();
    return deadBefore || (notTaken && attempt.refusals() <= MAX_FREE);
  }

  private boolean isRepeatable(HttpException failure) {
    FailurePoint at = failure.at();
    return at != null && at.phase() != Phase.READ_BODY && request.body().isReplayable();
  }
}
