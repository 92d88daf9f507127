package heddle.client.call;

import heddle.client.spi.RetryPolicy.Attempt;
import heddle.http.FailurePoint;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.RequestNotProcessedException;
import heddle.http.failure.StreamResetException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps the account of a call's attempts once the first was not good enough. */
final class Repetitions {
  private final Request request;

  private int attempts;
  private int notProcessed;
  private int responses;
  private int perhapsProcessed;
  private @Nullable IOException lastFailure;

  Repetitions(Request request) {
    this.request = request;
  }

  /** What the attempt before the present one failed with, if it did. */
  @Nullable
  IOException lastFailure() {
    return lastFailure;
  }

  /** Whether the server wants the request over HTTP/1.1 (RFC 9113 §7) and can have it so. */
  boolean wantsHttp11(IOException failure) {
    return failure instanceof StreamResetException reset
        && reset.requiresHttp11()
        && isRepeatable(reset);
  }

  /**
   * Counts an attempt that has failed.
   *
   * @return what a policy is to be told of it; null where nobody may repeat the request
   */
  @Nullable
  Attempt failed(IOException failure, boolean reused) {
    attempts++;
    lastFailure = failure;
    if (!(failure instanceof HttpException named) || !isRepeatable(named)) {
      return null;
    }
    FailurePoint at = named.at();
    if (at == null || failure instanceof InterruptedIOException) {
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
        at.sent(),
        unprocessed,
        refused,
        failure instanceof ConnectionLostException,
        reused,
        notProcessed,
        responses,
        perhapsProcessed,
        at.elapsed());
    perhapsProcessed += unprocessed || at.sent() == Sent.NO ? 0 : 1;
    return attempt;
  }

  /** Counts an attempt that has brought a response; null where nobody may repeat the request. */
  @Nullable
  Attempt answered(Response response, boolean reused, Duration elapsed) {
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
        reused,
        notProcessed,
        responses,
        perhapsProcessed,
        elapsed);
  }

  private boolean isRepeatable(HttpException failure) {
    FailurePoint at = failure.at();
    return at != null && at.phase() != Phase.READ_BODY && request.body().isReplayable();
  }
}
