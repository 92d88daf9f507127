package heddle.client.dial;

import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.names.Resolver;
import heddle.transport.names.Resolver.ResolvedHost;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question to a resolver, asked on a new virtual thread, and the threads that wait for the
 * answer. "The lock" is that of the {@link CachingResolver}.
 */
final class Lookup {
  private final Resolver source;
  private final String name;
  private final Deadline deadline;
  private final EventLoop loop;
  private final Consumer<Lookup> onEnd;
  private final Thread thread;

  /** Guarded by the lock. */
  private final Set<Thread> waiters = new LinkedHashSet<>();

  // Written by the look-up's thread before over is.
  private @Nullable ResolvedHost found;
  private @Nullable IOException failure;
  private boolean outOfTime;

  private volatile boolean over;

  /**
   * A look-up that is still to be started.
   *
   * @param deadline of the first caller
   * @param onEnd called on the look-up's thread when it is over
   */
  Lookup(Resolver source, String name, Deadline deadline, EventLoop loop, Consumer<Lookup> onEnd) {
    this.source = source;
    this.name = name;
    this.deadline = deadline;
    this.loop = loop;
    this.onEnd = onEnd;
    this.thread = Thread.ofVirtual().name("heddle-lookup").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  String name() {
    return name;
  }

  /** Interrupts an abandoned look-up. To be called without the lock, as it may run other code. */
  void interrupt() {
    thread.interrupt();
  }

  // ---- under the lock

  /** The calling thread is going to wait. */
  void join() {
    waiters.add(Thread.currentThread());
  }

  /**
   * The calling thread waits no more. Returns whether it was the last one and must abandon the
   * look-up.
   */
  boolean leave() {
    waiters.remove(Thread.currentThread());
    return waiters.isEmpty() && !over;
  }

  void wakeAll() {
    over = true;
    waiters.forEach(loop::unpark);
  }

  // ---- once it is over

  boolean isOver() {
    return over;
  }

  /** Whether it failed because the first caller's deadline has passed. */
  boolean ranOutOfTime() {
    return outOfTime;
  }

  @Nullable
  ResolvedHost found() {
    return found;
  }

  @Nullable
  IOException failure() {
    return failure;
  }

  /** The answer, or else a new exception for each caller, which may add to it. */
  ResolvedHost result() throws IOException {
    ResolvedHost answer = found;
    if (answer != null) {
      return answer;
    }
    IOException told = failure;
    String said = told == null ? null : told.getMessage();
    String reason = said == null ? "no address is known for the host " + name : said;
    if (told instanceof UnknownHostException) {
      UnknownHostException unknown = new UnknownHostException(reason);
      unknown.initCause(told);
      throw unknown;
    }
    throw outOfTime ? new DeadlinePassedException(reason) : new IOException(reason, told);
  }

  // ---- the look-up's own thread

  private void run() {
    try {
      found = ask();
    } catch (DeadlinePassedException e) {
      outOfTime = deadline.isPast(loop.clock());
      failure = new IOException("the resolver gave up: " + e.getMessage(), e);
    } catch (SocketTimeoutException | UnknownHostException e) {
      failure = e;
    } catch (InterruptedIOException e) {
      // No caller waits any more, or the resolver interrupted itself.
      failure = new IOException("the look-up was interrupted", e);
    } catch (IOException e) {
      failure = e;
    } finally {
      onEnd.accept(this);
    }
  }

  /** Whatever a user's resolver throws against its contract fails this look-up only. */
  private ResolvedHost ask() throws IOException {
    try {
      ResolvedHost answer = source.lookUp(name, deadline);
      if (answer == null) {
        throw new NullPointerException("null was returned instead of an answer");
      }
      return answer;
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(
          "the resolver %s failed for the host %s with %s; it is to return addresses or throw an"
                  .formatted(source.getClass().getName(), name, e)
              + " IOException",
          e);
    }
  }
}
