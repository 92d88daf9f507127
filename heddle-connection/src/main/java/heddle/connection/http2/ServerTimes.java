package heddle.connection.http2;

import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.time.Duration;

/**
 * The time limits of a server's connection. One timer is armed for the earliest; it checks all of
 * them when it fires, so that no timer has to be armed per request. Used by the loop only, except
 * {@link #idleNow} and {@link #idleUntil}.
 */
final class ServerTimes {
  /** What has taken too long. */
  enum Passed {
    /** The client has not sent its SETTINGS, or not acknowledged ours (RFC 9113 §6.5.3). */
    SETTINGS,
    /** A head that began is not complete. */
    HEAD,
    /** No request for a while. */
    IDLE,
    /** The client does not answer our announcement that we accept no more requests. */
    DRAIN,
    /** All is sent, and the client does not close. */
    LINGER,
    /** The client has not answered a PING. */
    SILENCE
  }

  private final Http2ServerConnection connection;
  private final Timer timer;
  private final Liveness liveness = new Liveness();

  private long armedNanos = Deadline.NEVER_NANOS;
  private Passed awaited = Passed.SETTINGS;
  private long awaitedNanos = Deadline.NEVER_NANOS;
  private long headNanos = Deadline.NEVER_NANOS;
  private long bodiesNanos = Deadline.NEVER_NANOS;
  private long silenceNanos = Deadline.NEVER_NANOS;
  private volatile long idleNanos = Deadline.NEVER_NANOS; // when the connection became idle

  ServerTimes(Http2ServerConnection connection) {
    this.connection = connection;
    this.timer = connection.loop().newTimer(this::onFire);
  }

  /** Starts the time for SETTINGS, IDLE, DRAIN or LINGER, instead of the one before. */
  void await(Passed what, Duration patience) {
    awaited = what;
    awaitedNanos = connection.now() + Deadline.boundedNanos(patience);
    armBy(awaitedNanos);
  }

  /** Only what {@link #await} starts still counts. */
  void forgetRequests() {
    headNanos = Deadline.NEVER_NANOS;
    bodiesNanos = Deadline.NEVER_NANOS;
    silenceNanos = Deadline.NEVER_NANOS;
  }

  void cancel() {
    timer.cancel();
  }

  /** Whether a head has begun and is not complete. */
  void inHead(boolean begun, long nowNanos) {
    if (!begun) {
      headNanos = Deadline.NEVER_NANOS;
    } else if (headNanos == Deadline.NEVER_NANOS) {
      headNanos = nowNanos + Deadline.boundedNanos(connection.limits.headTimeout());
      armBy(headNanos);
    }
  }

  /** Content is expected. */
  void watchBodies() {
    if (bodiesNanos == Deadline.NEVER_NANOS) {
      long silence = Deadline.boundedNanos(connection.limits.bodyTimeout());
      bodiesNanos =
          connection.now() + Math.min(silence, connection.limits.minRate().graceNanos());
      armBy(bodiesNanos);
    }
  }

  /** The rest of the content of an answered request must have arrived by then. */
  void watchBodies(long untilNanos) {
    bodiesNanos = Math.min(bodiesNanos, untilNanos);
    armBy(untilNanos);
  }

  /** The client has sent something. */
  void heard(long nowNanos) {
    liveness.heard(nowNanos);
  }

  /** A request begins; while one is open the client's silence counts. */
  void watchSilence(long nowNanos) {
    if (silenceNanos == Deadline.NEVER_NANOS) {
      silenceNanos = nowNanos + Liveness.PING_AFTER_NANOS;
      armBy(silenceNanos);
    }
  }

  /** Returns when to check again. */
  private long checkSilence(long now) {
    if (!connection.isBusy()) {
      return Deadline.NEVER_NANOS;
    }
    if (connection.owesUsNothing()) {
      liveness.heard(now); // writing has a separate limit
    }
    switch (liveness.check(now)) {
      case WAIT -> {}
      case PING -> connection.output.send(() -> connection.session.ping(now));
      case DEAD -> {
        connection.onPassed(Passed.SILENCE);
        return Deadline.NEVER_NANOS;
      }
    }
    return liveness.nextLook();
  }

  /** From any thread: nothing is open from now on. */
  void idleNow() {
    idleNanos = connection.now();
  }

  /** From any thread: when the idle timeout ends, if the connection is idle. */
  long idleUntil() {
    long since = idleNanos;
    return since == Deadline.NEVER_NANOS
        ? since
        : since + Deadline.boundedNanos(connection.limits.idleTimeout());
  }

  private void armBy(long atNanos) {
    if (atNanos < armedNanos) {
      armedNanos = atNanos;
      timer.arm(atNanos);
    }
  }

  private void onFire() {
    long now = connection.now();
    armedNanos = Deadline.NEVER_NANOS;
    if (now >= bodiesNanos) {
      bodiesNanos = connection.receiver.checkSilence(now);
    }
    if (now >= silenceNanos) {
      silenceNanos = checkSilence(now);
    }
    if (now >= headNanos) {
      headNanos = Deadline.NEVER_NANOS;
      connection.onPassed(Passed.HEAD);
    }
    if (now >= awaitedNanos) {
      onAwaited(now);
    }
    armBy(Math.min(Math.min(bodiesNanos, silenceNanos), Math.min(headNanos, awaitedNanos)));
  }

  private void onAwaited(long now) {
    if (awaited == Passed.IDLE) {
      long idle = Deadline.boundedNanos(connection.limits.idleTimeout());
      long due = (connection.isBusy() ? now : idleNanos) + idle;
      if (due > now) {
        awaitedNanos = due;
        return;
      }
    }
    awaitedNanos = Deadline.NEVER_NANOS;
    connection.onPassed(awaited);
  }
}
