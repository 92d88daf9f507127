package heddle.server.accept;

import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.SafeLog;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a server's connections: idle ones are closed, running requests are answered with {@code
 * Connection: close}, and after a bounded wait the remaining connections are cut and their threads
 * interrupted.
 */
public final class Drain {
  private static final Logger LOG = System.getLogger(Drain.class.getName());

  /** How long handlers may take to notice that they were interrupted. */
  private static final Duration ABORT_BOUND = Duration.ofSeconds(2);

  private final Acceptor acceptor;
  private volatile boolean begun;

  /**
   * The thread that waits: set before it checks, so that no progress is missed.
   */
  private volatile @Nullable Thread waiter;

  Drain(Acceptor acceptor) {
    this.acceptor = acceptor;
  }

  boolean hasBegun() {
    return begun;
  }

  /** A connection is closed, or a request is answered. From any thread. */
  public void onProgress() {
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * Ends all connections. The caller must have stopped accepting. Called once. An interrupt of the
   * calling thread ends the wait: the remaining connections are cut at once, and the flag is set
   * again.
   *
   * @param patience how long running requests may take
   * @param loop keeps the time
   */
  public void run(Duration patience, EventLoop loop) {
    begun = true;
    waiter = Thread.currentThread();
    boolean ended = false;
    try {
      acceptor.drainAll();
      ended = await(acceptor::isEmpty, patience, loop);
    } finally {
      try {
        if (!ended) {
          cut(patience, loop);
        }
      } finally {
        waiter = null;
      }
    }
  }

  private void cut(Duration patience, EventLoop loop) {
    int connections = acceptor.openConnections();
    acceptor.abortAll();
    SafeLog.log(
        LOG,
        Level.WARNING,
        "Connections are cut that were not done within " + patience + ": ",
        connections,
        null);
    boolean interrupted = Thread.interrupted();
    boolean ended =
        await(() -> acceptor.isEmpty() && acceptor.requestsInside() == 0, ABORT_BOUND, loop);
    if (!ended) {
      SafeLog.log(
          LOG,
          Level.WARNING,
          "Handlers that go on though they were interrupted: ",
          acceptor.requestsInside(),
          null);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean await(BooleanSupplier done, Duration bound, EventLoop loop) {
    try {
      Waiting.until(
          done, loop, Deadline.after(bound, loop.clock()), "waiting for requests to be answered");
      return true;
    } catch (DeadlinePassedException | InterruptedIOException e) {
      return false;
    }
  }
}
