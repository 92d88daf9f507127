package heddle.client.call;

import heddle.client.pool.Lease;
import heddle.client.spi.RetryPolicy.Attempt;
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

/** Keeps the account of a call's attempts once the first was not good enough. */
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

  /** Whether the server wants the request over HTTP/1.1 (RFC 9113 §7) and can have it so. */
  boolean wantsHttp11(IOException failure) {
    return failure instanceof StreamResetException reset
        && reset.requiresHttp11()
        && isRepeatable(reset);
  }

  /**
   * Counts an attempt that has failed, whose exception takes that of the one before along.
   *
   * @param sent whether the request was sent in this attempt, whatever earlier ones have done
   * @param held the lease of its connection; null where it got none
   * @return what a policy is to be told of it; null where nobody may repeat the request
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
   * @param latest what is known of the present attempt, or the last
   */
  Sent sentAtAll(Sent latest) {
    if (responses > 0) {
      return Sent.YES; // A server that has answered has had the request.
    }
    return latest == Sent.NO && perhapsProcessed > 0 ? Sent.UNKNOWN : latest;
  }

  /**
   * Counts an attempt on a connection whose server says that it is the wrong one. RFC 9110
   * §15.5.20: the request was not processed, whatever its method is.
   *
   * @return how long to wait before it is sent again; null where it cannot be
   */
  @Nullable
  Duration misdirected() {
    attempts++;
    notProcessed++;
    lastFailure = null;
    return request.body().isReplayable() ? Duration.ZERO : null;
  }

  /**
   * Counts an attempt whose server has refused to say whether it takes the content, none of which
   * was sent then. The request was not processed, whatever its method is, and what was not opened
   * can be sent now.
   *
   * @param without what is sent from now on
   * @return how long to wait before it is
   */
  Duration expectationRefused(Request without) {
    attempts++;
    notProcessed++;
    lastFailure = null;
    request = without;
    return Duration.ZERO;
  }

  /** Counts an attempt that has brought a response; null where nobody may repeat the request. */
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
   * Whether the budget is not asked, because what did not even leave makes no work for a server: a
   * connection of the pool turned out dead, or took no more. That may happen a few times in a row.
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
