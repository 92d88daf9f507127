package heddle.adapters.aws;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A request's content that notices when nobody wants more of it. The client asks for the next piece
 * once the one before has been written, so the time between is the time that the server took for
 * that. Read by one thread at a time, and watched by a virtual thread until it is closed.
 */
final class WriteWatch extends FilterInputStream {
  private final Duration timeout;
  private final Consumer<IOException> onStall;
  private final Thread watcher;

  /** When the piece that was given last must have been written; {@link #IDLE} while none is. */
  private volatile long dueAt = IDLE;

  private volatile boolean over;

  /** No time: {@code System.nanoTime} has any value but comes here once in 292 years. */
  private static final long IDLE = Long.MIN_VALUE;

  private WriteWatch(InputStream content, Duration timeout, Consumer<IOException> onStall) {
    super(content);
    this.timeout = timeout;
    this.onStall = onStall;
    this.watcher = Thread.ofVirtual().name("heddle-aws-write-timeout").unstarted(this::watch);
  }

  /**
   * Watches content from now on.
   *
   * @param onStall told once when a piece has not been written in time, on a thread of this watch
   */
  static InputStream over(InputStream content, Duration timeout, Consumer<IOException> onStall) {
    WriteWatch watch = new WriteWatch(content, timeout, onStall);
    watch.watcher.start();
    return watch;
  }

  @Override
  public int read() throws IOException {
    dueAt = IDLE;
    int value = in.read();
    written(value);
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    dueAt = IDLE;
    int taken = in.read(target, offset, count);
    written(taken);
    return taken;
  }

  private void written(int result) {
    if (result >= 0) {
      long due = System.nanoTime() + timeout.toNanos();
      dueAt = due == IDLE ? due + 1 : due;
    }
  }

  @Override
  public void close() throws IOException {
    over = true;
    LockSupport.unpark(watcher);
    in.close();
  }

  /** Looks once in each timeout: what is given in the meantime is due no sooner. */
  private void watch() {
    while (!over) {
      long due = dueAt;
      long left = due == IDLE ? timeout.toNanos() : due - System.nanoTime();
      if (left <= 0) {
        onStall.accept(new SocketTimeoutException("the server took nothing of the request for "
            + timeout.toMillis() + " ms; the option WriteTimeout allows no more"));
        return;
      }
      LockSupport.parkNanos(this, left);
    }
  }
}
