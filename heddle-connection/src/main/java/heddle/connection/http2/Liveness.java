package heddle.connection.http2;

import heddle.transport.time.Deadline;

/**
 * Checks that a peer that sends nothing while exchanges are under way is still there: it is sent a
 * PING, and anything that it sends after that counts as an answer (RFC 9113 §6.7). Only the loop
 * calls the methods, except {@link #begin}.
 */
final class Liveness {
  /** Silence after which a PING is sent. */
  static final long PING_AFTER_NANOS = 15_000_000_000L;

  /** How long the peer may take to answer. */
  static final long ANSWER_NANOS = 5_000_000_000L;

  /** What to do now: nothing, send a PING, or close the connection. */
  enum Verdict {
    WAIT,
    PING,
    DEAD
  }

  private volatile long heardAt;
  private long askedAt = Deadline.NEVER_NANOS;

  /** The first exchange after an idle time begins: silence counts from now. From any thread. */
  void begin(long now) {
    heardAt = now;
  }

  /** The peer has sent something. */
  void heard(long now) {
    heardAt = now;
    askedAt = Deadline.NEVER_NANOS;
  }

  /** Checks the time; the caller sends a PING if this returns {@link Verdict#PING}. */
  Verdict check(long now) {
    if (askedAt != Deadline.NEVER_NANOS) {
      return now - askedAt >= ANSWER_NANOS ? Verdict.DEAD : Verdict.WAIT;
    }
    if (now - heardAt < PING_AFTER_NANOS) {
      return Verdict.WAIT;
    }
    askedAt = now;
    return Verdict.PING;
  }

  /** When to check again. */
  long nextLook() {
    return askedAt != Deadline.NEVER_NANOS ? askedAt + ANSWER_NANOS : heardAt + PING_AFTER_NANOS;
  }
}
