package heddle.client.pool;

import heddle.client.route.Route;
import heddle.connection.Exchange;
import heddle.http.Body;
import heddle.http.failure.BodyNotClosedException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Learns when the body of a response became garbage although it was neither read to its end nor
 * closed, tells where it was acquired, takes its connection back, and so ends its call.
 *
 * <p>The lease holds the watch, and the connection the lease, until the body has ended: a body that
 * is closed as it should be costs this object and nothing else, no list and no lock. Bodies that
 * were there at once are not watched. One of 128 remembers where it was acquired; each does under
 * {@code -Dheddle.leaks=all}, and none under {@code -Dheddle.leaks=untraced}.
 */
final class LeakWatch extends PhantomReference<WatchedBody> {
  /** Which watches take the stack along: the values of {@code heddle.leaks}. */
  enum Mode {
    ALL,
    SAMPLED,
    UNTRACED
  }

  /** One of this many watches records the stack, which costs more than all the rest. */
  private static final int SAMPLED_OF = 128;

  private static final System.Logger LOG = System.getLogger("heddle.client");
  private static final Mode MODE = mode(System.getProperty("heddle.leaks"));
  private static final ReferenceQueue<WatchedBody> GARBAGE = new ReferenceQueue<>();

  /** Starts the one thread of all pools, with the first body that is watched. */
  private static final class Reporter {
    static {
      // A virtual thread lives with the scheduler of the one that starts it, be it a simulated
      // world that ends. This one outlives them all, so a platform thread starts it, and is gone.
      Thread.ofPlatform().daemon().name("heddle-leaks-start").start(() -> Thread.ofVirtual()
          .name("heddle-leaks")
          .inheritInheritableThreadLocals(false)
          .start(LeakWatch::reportAll));
    }

    static void begin() {}
  }

  private static void reportAll() {
    while (true) {
      try {
        if (GARBAGE.remove() instanceof LeakWatch leaked) {
          leaked.takeBack();
        }
      } catch (InterruptedException e) {
        // There is no reason to interrupt it; it serves all clients of the process.
        LOG.log(Level.DEBUG, "the watch for bodies that were not closed was interrupted", e);
      }
    }
  }

  private final Lease lease;
  private final Exchange exchange;
  private final Route route;
  private final Body content;
  private final @Nullable Throwable acquired;

  LeakWatch(WatchedBody body, Body content, Lease lease, Exchange exchange, Route route) {
    this(body, content, lease, exchange, route, MODE);
  }

  LeakWatch(
      WatchedBody body, Body content, Lease lease, Exchange exchange, Route route, Mode mode) {
    super(body, GARBAGE);
    this.content = content;
    this.lease = lease;
    this.exchange = exchange;
    this.route = route;
    this.acquired = isTraced(mode) ? new Throwable("the response was acquired here") : null;
    Reporter.begin();
  }

  private static Mode mode(@Nullable String property) {
    for (Mode mode : Mode.values()) {
      if (mode.name().equalsIgnoreCase(property)) {
        return mode;
      }
    }
    if (property != null) {
      LOG.log(
          Level.WARNING, "heddle.leaks is \"{0}\": it can be all, sampled or untraced", property);
    }
    return Mode.SAMPLED;
  }

  private static boolean isTraced(Mode mode) {
    return switch (mode) {
      case ALL -> true;
      case SAMPLED -> ThreadLocalRandom.current().nextInt(SAMPLED_OF) == 0;
      case UNTRACED -> false;
    };
  }

  /** Reports and gives the lease up, if that was not done; returns the thread that does so. */
  @Nullable
  Thread takeBack() {
    if (lease.isReleased()) {
      return null;
    }
    lease.countLeak();
    LOG.log(Level.WARNING, report(), acquired);
    // Giving up a body may write a frame, which can wait.
    return Thread.ofVirtual().name("heddle-leak").start(this::giveUp);
  }

  String report() {
    String hint = acquired == null ? " (-Dheddle.leaks=all tells where each was acquired)" : "";
    return "the body of a response of %s was neither read to its end nor closed before it became"
            .formatted(route)
        + " garbage, and its connection is taken back: close each response, as with"
        + " try-with-resources" + hint;
  }

  /** Where the body was acquired; null if that was not noted. */
  @Nullable
  Throwable acquired() {
    return acquired;
  }

  private void giveUp() {
    try {
      exchange.failed(new BodyNotClosedException(report(), exchange.point(), acquired));
      content.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a body that was not closed could not be given up", e);
    } finally {
      lease.release(false);
    }
  }
}
