package heddle.connection.http2;

import heddle.codec.http2.Http2Session;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.time.Duration;

/**
 * When a client's connection has to check its exchanges, the silence of the peer, its
 * acknowledgement of our SETTINGS, and its own end. One timer is armed for the earliest of these
 * times. Most exchanges end long before, so when it fires the connection checks only the few that
 * are under way. Guarded by the connection's lock, except {@link #heard}.
 */
final class ExchangeTimer {
  /** What is missing although its time is up. */
  enum Due {
    NOTHING,
    /** The channel is to be closed now. */
    CLOSE,
    /** The peer has not acknowledged our SETTINGS. Returned only once. */
    SETTINGS_ACKNOWLEDGEMENT,
    /** The peer has not answered a PING. */
    PING_ANSWER
  }

  private final Liveness liveness = new Liveness();
  private final long settingsNanos;
  private final Timer timer;
  private long armedAt = Deadline.NEVER_NANOS;
  private long closeAt = Deadline.NEVER_NANOS;
  private long settingsDueAt = Deadline.NEVER_NANOS;
  private boolean settingsSent;

  /**
   * @param settingsTimeout how long the peer may take to acknowledge our SETTINGS
   * @param onTime run on the loop, without the lock, when {@link #check} is to be called
   */
  ExchangeTimer(EventLoop loop, Duration settingsTimeout, Runnable onTime) {
    this.settingsNanos = Deadline.boundedNanos(settingsTimeout);
    this.timer = loop.newTimer(onTime);
  }

  /**
   * An exchange is about to begin.
   *
   * @param alone whether no other is under way
   */
  void begin(Http2Exchange exchange, boolean alone) {
    long now = exchange.response.heardAt();
    if (alone) {
      liveness.begin(now);
      settingsSent(now); // with the first request (RFC 9113 §3.4)
    }
    armBy(Math.min(exchange.response.nextLook(now), now + Liveness.PING_AFTER_NANOS));
  }

  /** Our SETTINGS go out, if they have not before: the time for their acknowledgement begins. */
  void settingsSent(long now) {
    if (!settingsSent) {
      settingsSent = true;
      settingsDueAt = now + settingsNanos;
      armBy(settingsDueAt);
    }
  }

  /** The channel is to be closed at this time, if it is still open. */
  void closeAt(long nanos) {
    closeAt = Math.min(closeAt, nanos);
    armBy(closeAt);
  }

  /** On the loop: the peer has sent something. */
  void heard(long now) {
    liveness.heard(now);
  }

  /** The connection is closed. */
  void cancel() {
    timer.cancel();
  }

  private void armBy(long nanos) {
    if (nanos < armedAt) {
      armedAt = nanos;
      timer.arm(nanos);
    }
  }

  /**
   * On the loop, when the timer has fired: asks a silent peer for a PING, and arms the timer again.
   *
   * @param next when the next exchange may be out of time
   * @param underWay whether there is an exchange
   */
  Due check(long now, long next, boolean underWay, Http2Session session) {
    armedAt = Deadline.NEVER_NANOS;
    Liveness.Verdict verdict = underWay ? liveness.check(now) : Liveness.Verdict.WAIT;
    if (verdict == Liveness.Verdict.PING) {
      session.ping(now);
    }
    boolean acknowledged = session.areSettingsAcknowledged();
    boolean late = !acknowledged && now >= settingsDueAt;
    if (acknowledged || late) {
      settingsDueAt = Deadline.NEVER_NANOS;
    }
    boolean close = now >= closeAt;
    long due = Math.min(next, settingsDueAt);
    due = underWay ? Math.min(due, liveness.nextLook()) : due;
    armBy(close ? due : Math.min(due, closeAt));
    if (verdict == Liveness.Verdict.DEAD) {
      return Due.PING_ANSWER;
    }
    return late ? Due.SETTINGS_ACKNOWLEDGEMENT : close ? Due.CLOSE : Due.NOTHING;
  }
}
