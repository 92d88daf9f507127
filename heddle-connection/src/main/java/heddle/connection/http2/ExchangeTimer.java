package heddle.connection.http2;

import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.SilenceException;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the time limits of all exchanges of a connection with one timer: their deadlines, the
 * silence of the peer on each stream and on the connection, its acknowledgement of our SETTINGS,
 * and the time to close a connection that is ending. The timer is set to the earliest of these
 * times. Most exchanges end long before, so when it fires it checks only the few that are under
 * way.
 */
final class ExchangeTimer {
  private final ClientStreams streams;
  private final Liveness liveness = new Liveness();
  private final long settingsNanos;
  private final Runnable onDead;
  private final Runnable onUnacknowledged;
  private final BiConsumer<Http2Exchange, Exception> onOverdue;

  // The rest is guarded by the lock.
  private final Timer timer;
  private long armedAt = Deadline.NEVER_NANOS;
  private long closeAt = Deadline.NEVER_NANOS;
  private long settingsDueAt = Deadline.NEVER_NANOS;
  private boolean begun;

  /**
   * @param settingsTimeout how long the peer may take to acknowledge our SETTINGS
   * @param onOverdue called, on the loop and without the lock, for each exchange that is out of
   *     time
   * @param onDead run in the same way when the peer has not answered a PING
   * @param onUnacknowledged run in the same way when the peer has not acknowledged our SETTINGS
   */
  ExchangeTimer(
      ClientStreams streams,
      Duration settingsTimeout,
      BiConsumer<Http2Exchange, Exception> onOverdue,
      Runnable onDead,
      Runnable onUnacknowledged) {
    this.streams = streams;
    this.settingsNanos = Deadline.boundedNanos(settingsTimeout);
    this.onOverdue = onOverdue;
    this.onDead = onDead;
    this.onUnacknowledged = onUnacknowledged;
    this.timer = streams.channel.loop().newTimer(this::check);
  }

  /** Under the lock: an exchange is about to begin. */
  void begin(Http2Exchange exchange) {
    if (streams.exchanges.size() == 0) {
      liveness.begin(exchange.heardAt());
      if (!begun) {
        // Our SETTINGS go out with the first request (RFC 9113 §3.4).
        begun = true;
        settingsDueAt = exchange.heardAt() + settingsNanos;
        lookAt(settingsDueAt);
      }
    }
    lookAt(Math.min(
        nextLook(exchange, exchange.heardAt()), exchange.heardAt() + Liveness.PING_AFTER_NANOS));
  }

  /** Under the lock: closes the channel at this time, if it is still open. */
  void closeAt(long nanos) {
    closeAt = Math.min(closeAt, nanos);
    lookAt(closeAt);
  }

  /** On the loop: the peer has sent something. */
  void heard(long now) {
    liveness.heard(now);
  }

  /** The connection is closed. */
  void cancel() {
    timer.cancel();
  }

  private void lookAt(long nanos) {
    if (nanos < armedAt) {
      armedAt = nanos;
      timer.arm(nanos);
    }
  }

  private record Overdue(Http2Exchange exchange, Exception cause) {}

  private void check() {
    List<Overdue> overdue = new ArrayList<>();
    Liveness.Verdict verdict = Liveness.Verdict.WAIT;
    long now = streams.now();
    boolean output;
    boolean close;
    boolean unacknowledged;
    streams.lock.lock();
    try {
      armedAt = Deadline.NEVER_NANOS;
      long next = cancelOverdue(now, overdue);
      if (streams.exchanges.size() > 0) {
        verdict = liveness.check(now);
        next = Math.min(next, liveness.nextLook());
      }
      if (verdict == Liveness.Verdict.PING) {
        streams.session.ping(now);
      }
      unacknowledged = isUnacknowledged(now);
      next = Math.min(next, settingsDueAt);
      close = now >= closeAt;
      lookAt(close ? next : Math.min(next, closeAt));
      output = streams.session.hasOutput();
    } finally {
      streams.lock.unlock();
    }
    overdue.forEach(late -> onOverdue.accept(late.exchange(), late.cause()));
    if (verdict == Liveness.Verdict.DEAD) {
      onDead.run();
    } else if (unacknowledged) {
      onUnacknowledged.run();
    } else if (close) {
      streams.channel.close();
    } else if (output) {
      streams.flush.runAtOnce();
    }
  }

  /** Under the lock: whether the time for our SETTINGS is up; true only once. */
  private boolean isUnacknowledged(long now) {
    boolean acknowledged = streams.session.areSettingsAcknowledged();
    boolean late = !acknowledged && now >= settingsDueAt;
    if (acknowledged || late) {
      settingsDueAt = Deadline.NEVER_NANOS;
    }
    return late;
  }

  /** Under the lock; returns when the next may be overdue. */
  private long cancelOverdue(long now, List<Overdue> overdue) {
    long next = Deadline.NEVER_NANOS;
    boolean withheld = streams.credit.wasWithheld();
    Http2Exchange exchange = streams.exchanges.first();
    while (exchange != null) {
      Http2Exchange following = exchange.next;
      Exception cause = overdue(exchange, now, withheld);
      if (cause == null) {
        next = Math.min(next, nextLook(exchange, now));
      } else {
        streams.exchanges.remove(exchange);
        if (exchange.stream != null) {
          streams.session.reset(exchange.stream, ErrorCode.CANCEL);
        }
        overdue.add(new Overdue(exchange, cause));
      }
      exchange = following;
    }
    return next;
  }

  /**
   * When to check the time of an exchange. If the limit for the first byte is longer than the
   * silence allowed later, this is the earlier of the two, because the response may begin before.
   */
  private static long nextLook(Http2Exchange exchange, long now) {
    long silence = exchange.owner.maxSilenceNanos();
    long limit = nextLimit(exchange);
    long next = silence == Deadline.NEVER_NANOS ? limit : Math.min(limit, now + silence);
    return Math.min(next, exchange.rateDueAt(now));
  }

  /** When an exchange is out of time, as far as is known. */
  private static long nextLimit(Http2Exchange exchange) {
    long silence = exchange.owner.maxSilenceNanos(exchange.hasBegun());
    long silentAt = silence == Deadline.NEVER_NANOS ? silence : exchange.heardAt() + silence;
    return Math.min(exchange.owner.deadline().nanos(), silentAt);
  }

  /** Why an exchange is out of time, or null if it is not. */
  private @Nullable Exception overdue(Http2Exchange exchange, long now, boolean withheld) {
    Deadline deadline = exchange.owner.deadline();
    if (!deadline.isNever() && now >= deadline.nanos()) {
      return new DeadlinePassedException("the call's deadline passed");
    }
    // While credit is withheld the peer may wait for it because of other exchanges.
    if (!exchange.isPeersTurn() || streams.credit.isWithheld()) {
      exchange.heard(now);
    }
    if (now >= nextLimit(exchange)) {
      return SilenceException.of(exchange.owner, exchange.hasBegun());
    }
    return exchange.checkRate(now, withheld);
  }
}
