package heddle.connection.http2;

import heddle.connection.ServerLimits;
import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a server's connection waits for, and for how long: the client's first SETTINGS and that it
 * acknowledges ours, the end of a head, content, a request at all, a sign of life while requests
 * are open, and the end. One timer is armed for the nearest of these times; it looks at all of them
 * when it fires, so that nothing has to be armed for a request. The loop's own, but for {@link
 * #idleNow}.
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
    /** The client does not answer to the announcement that we take no more requests. */
    DRAIN,
    /** The client does not close. */
    LINGER,
    /** The client has not answered a PING. */
    SILENCE
  }

  /** Asked and told on the loop. */
  interface Owner {
    /** Whether a request is open or answered. */
    boolean isBusy();

    /**
     * Whether the client need not answer a PING: something is still to be written before it, or the
     * client has ended its output and waits for its answers.
     */
    boolean owesUsNothing();

    /** Asks the client whether it is still there. */
    void ping(long data);

    /** Looks for silent bodies; answers when to look again. */
    long checkBodies(long nowNanos, long maxSilenceNanos);

    void onPassed(Passed what);
  }

  private final Clock clock;
  private final Timer timer;
  private final ServerLimits limits;
  private final Owner owner;

  private final Liveness liveness = new Liveness();

  private long armedNanos = Deadline.NEVER_NANOS;
  private @Nullable Passed awaited = Passed.SETTINGS;
  private long awaitedNanos = Deadline.NEVER_NANOS;
  private long headNanos = Deadline.NEVER_NANOS;
  private long bodiesNanos = Deadline.NEVER_NANOS;
  private long silenceNanos = Deadline.NEVER_NANOS;

  /** When the connection became idle. */
  private volatile long idleNanos = Deadline.NEVER_NANOS;

  ServerTimes(EventLoop loop, ServerLimits limits, Owner owner) {
    this.clock = loop.clock();
    this.limits = limits;
    this.owner = owner;
    this.timer = loop.newTimer(this::onFire);
  }

  /** The client has the time of a head to send its first SETTINGS and to acknowledge ours. */
  void begin() {
    await(Passed.SETTINGS, limits.headTimeout());
  }

  /** The connection is in use: from now on it may be idle for so long. */
  void settled() {
    idleNow();
    await(Passed.IDLE, limits.idleTimeout());
  }

  /** The client is to answer our GOAWAY. */
  void drain() {
    await(Passed.DRAIN, limits.lingerTimeout());
  }

  /** All was said; the client is to close. */
  void linger() {
    headNanos = Deadline.NEVER_NANOS;
    bodiesNanos = Deadline.NEVER_NANOS;
    silenceNanos = Deadline.NEVER_NANOS;
    await(Passed.LINGER, limits.lingerTimeout());
  }

  /** Nothing more is awaited but what the requests under way still need. */
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

  /** Content is to come. */
  void watchBodies() {
    if (bodiesNanos == Deadline.NEVER_NANOS) {
      long patience =
          Math.min(Deadline.boundedNanos(limits.bodyTimeout()), limits.minRate().graceNanos());
      bodiesNanos = clock.nanoTime() + patience;
      armBy(bodiesNanos);
    }
  }

  /** What is left of the content of an answered request has come by then, or is refused. */
  void watchBodies(long untilNanos) {
    bodiesNanos = Math.min(bodiesNanos, untilNanos);
    armBy(untilNanos);
  }

  /** The client has said something. */
  void heard(long nowNanos) {
    liveness.heard(nowNanos);
  }

  /** A request begins, and while one is open the client's silence counts. */
  void watchSilence(long nowNanos) {
    if (silenceNanos == Deadline.NEVER_NANOS) {
      silenceNanos = nowNanos + Liveness.PING_AFTER_NANOS;
      armBy(silenceNanos);
    }
  }

  /** Answers when to look again. */
  private long checkSilence(long now) {
    if (!owner.isBusy()) {
      return Deadline.NEVER_NANOS;
    }
    if (owner.owesUsNothing()) {
      liveness.heard(now); // what is written has a limit of its own
    }
    switch (liveness.check(now)) {
      case WAIT -> {}
      case PING -> owner.ping(now);
      case DEAD -> {
        owner.onPassed(Passed.SILENCE);
        return Deadline.NEVER_NANOS;
      }
    }
    return liveness.nextLook();
  }

  /** From any thread: when the idle time is over, if the connection is idle. */
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
      bodiesNanos = owner.checkBodies(now, Deadline.boundedNanos(limits.bodyTimeout()));
    }
    if (now >= silenceNanos) {
      silenceNanos = checkSilence(now);
    }
    if (now >= headNanos) {
      headNanos = Deadline.NEVER_NANOS;
      owner.onPassed(Passed.HEAD);
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
      long due = (owner.isBusy() ? now : idleNanos) + idle;
      if (due > now) {
        awaitedNanos = due;
        return;
      }
    }
    awaitNothing();
    owner.onPassed(what);
  }
}
