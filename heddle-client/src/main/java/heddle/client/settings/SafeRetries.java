package heddle.client.settings;

import heddle.http.Sent;
import heddle.http.Status;
import java.time.Duration;

/**
 * Repeats requests that were provably not processed, and once idempotent requests that were lost
 * with a reused connection (RFC 9110 section 9.2.2).
 */
final class SafeRetries implements RetryPolicy {
  /** How often a request that was not processed is repeated before the call fails. */
  static final int MAX_REFUSALS = 5;

  static final SafeRetries INSTANCE = new SafeRetries();

  /** A server that refuses requests is busy, so the delay grows with each refusal. */
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1));

  private SafeRetries() {}

  @Override
  public boolean isAskedAbout(Status status) {
    return false;
  }

  @Override
  public Decision decide(Attempt attempt) {
    if (attempt.notProcessed()) {
      if (attempt.refusals() > MAX_REFUSALS) {
        return Decision.stop();
      }
      return attempt.refused()
          ? Decision.repeatAfter(BACKOFF.delay(attempt.refusals(), attempt.random()))
          : Decision.repeat();
    }
    if (!attempt.lost() || !attempt.connectionReused()) {
      return Decision.stop();
    }
    // RFC 9112 §9.3.1: a server may close an idle connection at any time. Only what was sent
    // counts: a pool full of dead connections must not fail a call.
    boolean repeats = attempt.sent() == Sent.NO
        || (attempt.request().method().isIdempotent() && attempt.perhapsProcessed() == 0);
    return repeats ? Decision.repeat() : Decision.stop();
  }
}
