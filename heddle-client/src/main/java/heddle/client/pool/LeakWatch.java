package heddle.client.pool;

import heddle.connection.Exchange;
import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.failure.BodyNotClosedException;
import heddle.transport.SafeLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the body of a response became garbage although it was neither read to its end nor
 * closed, logs where it was acquired, and takes its connection back, which ends its call.
 *
 * <p>The lease holds the watch, and the connection the lease, until the body has ended: a body that
 * is closed properly costs this object, but no list and no lock. Bodies that arrived together with
 * the head are not watched. One of 128 records where it was acquired; each does with {@code
 * -Dheddle.leaks=all}, and none with {@code -Dheddle.leaks=untraced}.
 */
final class LeakWatch extends PhantomReference<WatchedBody> {
  /** Which watches record the stack: the values of {@code heddle.leaks}. */
  enum Mode {
    ALL,
    SAMPLED,
    UNTRACED
  }

  /** One of this many watches records the stack, which costs more than all the rest. */
  private static final int SAMPLED_OF = 128;

  private static final System.Logger LOG = System.getLogger("heddle.client");
  static final Mode MODE = mode(System.getProperty("heddle.leaks"));
  private static final ReferenceQueue<WatchedBody> GARBAGE = new ReferenceQueue<>();

  static {
    // Starts the one thread of all pools, with the first body that is watched. A virtual thread
    // inherits the scheduler of the thread that starts it, which may be that of a simulated world.
    // This one outlives those, so a short-lived platform thread starts it.
    Thread.ofPlatform().daemon().name("heddle-leaks-start").start(() -> Thread.ofVirtual()
        .name("heddle-leaks")
        .inheritInheritableThreadLocals(false)
        .start(LeakWatch::reportAll));
  }

  private static void reportAll() {
    while (true) {
      try {
        if (GARBAGE.remove() instanceof LeakWatch leaked) {
          leaked.takeBack();
        }
      } catch (InterruptedException | RuntimeException | Error e) {
        // The thread serves all clients of the process, so it goes on.
        SafeLog.log(LOG, Level.DEBUG, "a body that was not closed could not be given up", "", e);
      }
    }
  }

  private final Lease lease;
  private final Exchange exchange;
  private final Body content;

  /** The stack at which the body was acquired; null if it is not recorded. */
  final @Nullable Throwable acquired;

  LeakWatch(WatchedBody body, Body content, Lease lease, Exchange exchange, Mode mode) {
    super(body, GARBAGE);
    this.content = content;
    this.lease = lease;
    this.exchange = exchange;
    boolean traced = mode == Mode.ALL
        || (mode == Mode.SAMPLED && ThreadLocalRandom.current().nextInt(SAMPLED_OF) == 0);
    this.acquired = traced ? new Throwable("the response was acquired here") : null;
  }

  private static Mode mode(@Nullable String property) {
    for (Mode mode : Mode.values()) {
      if (mode.name().equalsIgnoreCase(property)) {
        return mode;
      }
    }
    if (property != null) {
      String rule = "heddle.leaks can be all, sampled or untraced, but is ";
      SafeLog.log(LOG, Level.WARNING, rule, property, null);
    }
    return Mode.SAMPLED;
  }

  /** Logs the leak and releases the lease, if it was not; returns the thread that does so. */
  @Nullable
  Thread takeBack() {
    if (lease.isReleased()) {
      return null;
    }
    lease.countLeak();
    SafeLog.log(LOG, Level.WARNING, "", this, acquired);
    try {
      // Closing a body may write a frame, which may block.
      return Thread.ofVirtual().name("heddle-leak").start(this::giveUp);
    } catch (RuntimeException | Error e) {
      giveUp();
      SafeLog.log(
          LOG, Level.DEBUG, "no thread can be started to give up a body of ", lease.route(), e);
      return null;
    }
  }

  /** The report. */
  @Override
  public String toString() {
    return problem() + advice();
  }

  private String problem() {
    return "the body of a response of %s was neither read to its end nor closed before it became"
            .formatted(lease.route())
        + " garbage, and its connection is taken back";
  }

  private String advice() {
    String hint = acquired == null ? " (-Dheddle.leaks=all tells where each was acquired)" : "";
    return ": close each response, as with try-with-resources" + hint;
  }

  private void giveUp() {
    try {
      exchange.failed(HttpException.advise(
          new BodyNotClosedException(problem(), exchange.point(), acquired), advice()));
      content.close();
    } catch (IOException e) {
      SafeLog.log(LOG, Level.DEBUG, "a body could not be given up of ", lease.route(), e);
    } finally {
      lease.release(false);
    }
  }
}
