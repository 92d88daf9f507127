package heddle.connection.http2;

import heddle.connection.ServerLimits;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of a server's connection: for the client's first SETTINGS and its acknowledgement
 * of ours, for the end of a head, for content, for the next request, for a sign of life while
 * requests are open, and for closing. One timer is armed for the earliest; it checks all of them
 * when it fires, so that no timer has to be armed per request. Used by the loop only, except {@link
 * #idleNow} and {@link #idleUntil}.
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
    /** The client does not close. */
    LINGER,
    /** The client has not answered a PING. */
    SILENCE
  }

  private final Clock clock;
  private final Timer timer;
  private final ServerLimits limits;
  private final Http2ServerConnection connection;

  private final Liveness liveness = new Liveness();

  private long armedNanos = Deadline.NEVER_NANOS;
  private @Nullable Passed awaited = Passed.SETTINGS;
  private long awaitedNanos = Deadline.NEVER_NANOS;
  private long headNanos = Deadline.NEVER_NANOS;
  private long bodiesNanos = Deadline.NEVER_NANOS;
  private long silenceNanos = Deadline.NEVER_NANOS;

  /** When the connection became idle. */
  private volatile long idleNanos = Deadline.NEVER_NANOS;

  ServerTimes(EventLoop loop, ServerLimits limits, Http2ServerConnection connection) {
    this.clock = loop.clock();
    this.limits = limits;
    this.connection = connection;
    this.timer = loop.newTimer(this::onFire);
  }

  /** The client has the head timeout to send its first SETTINGS and to acknowledge ours. */
  void begin() {
    await(Passed.SETTINGS, limits.headTimeout());
  }

  /** SETTINGS are exchanged: the idle timeout begins. */
  void settled() {
    idleNow();
    await(Passed.IDLE, limits.idleTimeout());
  }

  /** Starts the time for the client to answer our GOAWAY. */
  void drain() {
    await(Passed.DRAIN, limits.lingerTimeout());
  }

  /** All is sent: starts the time for the client to close. */
  void linger() {
    headNanos = Deadline.NEVER_NANOS;
    bodiesNanos = Deadline.NEVER_NANOS;
    silenceNanos = Deadline.NEVER_NANOS;
    await(Passed.LINGER, limits.lingerTimeout());
  }

  /** From now on only the limits of the requests under way apply. */
  void awaitNothing() {
    awaited = null;
    awaitedNanos = Deadline.NEVER_NANOS;
  }

  void cancel() {
    timer.cancel();
  }

  private void await(Passed what, Duration patience) {
    awaited = what;
    awaitedNanos = clock.nanoTime() + Deadline.boundedNanos(patience);
    armBy(awaitedNanos);
  }

  /** Whether a head has begun and is not complete. */
  void inHead(boolean begun, long nowNanos) {
    if (!begun) {
      headNanos = Deadline.NEVER_NANOS;
    } else if (headNanos == Deadline.NEVER_NANOS) {
      headNanos = nowNanos + Deadline.boundedNanos(limits.headTimeout());
      armBy(headNanos);
    }
  }

  /** Content is expected. */
  void watchBodies() {
    if (bodiesNanos == Deadline.NEVER_NANOS) {
      long patience =
          Math.min(Deadline.boundedNanos(limits.bodyTimeout()), limits.minRate().graceNanos());
      bodiesNanos = clock.nanoTime() + patience;
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
      case PING -> connection.ping(now);
      case DEAD -> {
        connection.onPassed(Passed.SILENCE);
        return Deadline.NEVER_NANOS;
      }
    }
    return liveness.nextLook();
  }

  /** From any thread: when the idle timeout ends, if the connection is idle. */
  long idleUntil() {
    long since = idleNanos;
    return since == Deadline.NEVER_NANOS
        ? since
        : since + Deadline.boundedNanos(limits.idleTimeout());
  }

  /** From any thread: nothing is open from now on. */
  void idleNow() {
    idleNanos = clock.nanoTime();
  }

  private void armBy(long atNanos) {
    if (atNanos < armedNanos) {
      armedNanos = atNanos;
      timer.arm(atNanos);
    }
  }

  private void onFire() {
    long now = clock.nanoTime();
    armedNanos = Deadline.NEVER_NANOS;
    if (now >= bodiesNanos) {
      bodiesNanos = connection.checkBodies(now, Deadline.boundedNanos(limits.bodyTimeout()));
    }
    if (now >= silenceNanos) {
      silenceNanos = checkSilence(now);
    }
    if (now >= headNanos) {
      headNanos = Deadline.NEVER_NANOS;
      connection.onPassed(Passed.HEAD);
    }
    Passed what = awaited;
    if (what != null && now >= awaitedNanos) {
      onAwaited(what, now);
    }
    armBy(Math.min(Math.min(bodiesNanos, silenceNanos), Math.min(headNanos, awaitedNanos)));
  }

  private void onAwaited(Passed what, long now) {
    if (what == Passed.IDLE) {
      long idle = Deadline.boundedNanos(limits.idleTimeout());
      long due = (connection.isBusy() ? now : idleNanos) + idle;
      if (due > now) {
        awaitedNanos = due;
        return;
      }
    }
    awaitNothing();
    connection.onPassed(what);
  }
}
