package heddle.connection.http2;

import heddle.transport.Deadline;

/**
 * Whether the peer is still there, although it says nothing while exchanges are under way: it is
 * sent a PING, and whatever it says after that will do for an answer (RFC 9113 §6.7). All but
 * {@link #begin} belongs to the loop.
 */
final class Liveness {
  /** Silence after which the peer is asked. */
  static final long PING_AFTER_NANOS = 15_000_000_000L;

  /** How long it may take to answer. */
  static final long ANSWER_NANOS = 5_000_000_000L;

  /** What is to be done now. */
  enum Verdict {
    /** Nothing. */
    WAIT,
    /** Send a PING. */
    PING,
    /** Give the connection up. */
    DEAD
  }

  private volatile long heardAt;
  private long askedAt = Deadline.NEVER_NANOS;

  /** The first exchange after a while begins: only now silence counts. From any thread. */
  void begin(long now) {
    heardAt = now;
  }

  /** The peer has said something. */
  void heard(long now) {
    heardAt = now;
    askedAt = Deadline.NEVER_NANOS;
  }

  /** Looks at the time; a PING is sent if it says so. */
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

  /** When to look again. */
  long nextLook() {
    return askedAt != Deadline.NEVER_NANOS ? askedAt + ANSWER_NANOS : heardAt + PING_AFTER_NANOS;
  }
}
