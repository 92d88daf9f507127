package heddle.adapters.aws;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Request content with a write timeout. The client reads the next piece once the previous one was
 * written, so the time between two reads is the time that the server took to accept it. Read by one
 * thread at a time, and watched by a virtual thread until closed.
 */
final class WriteWatch extends FilterInputStream {
  private final Duration timeout;
  private final Consumer<IOException> onStall;
  private final Thread watcher;

  /** When the last piece must have been written; {@link #IDLE} if none is being written. */
  private volatile long dueAt = IDLE;

  private volatile boolean over;

  /** Stands for no time. {@code System.nanoTime} has this value once in 292 years. */
  private static final long IDLE = Long.MIN_VALUE;

  private WriteWatch(InputStream content, Duration timeout, Consumer<IOException> onStall) {
    super(content);
    this.timeout = timeout;
    this.onStall = onStall;
    this.watcher = Thread.ofVirtual().name("heddle-aws-write-timeout").unstarted(this::watch);
  }

  /**
   * Returns watched content.
   *
   * @param onStall called once if a piece was not written in time, on the watching thread
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

  /** Checks once per timeout, as a piece read meanwhile is not due before the next check. */
  private void watch() {
    while (!over) {
      long due = dueAt;
      long left = due == IDLE ? timeout.toNanos() : due - System.nanoTime();
      if (left <= 0) {
        onStall.accept(new SocketTimeoutException("the server accepted no bytes of the request for "
            + timeout.toMillis() + " ms, which is the limit of the option WriteTimeout"));
        return;
      }
      LockSupport.parkNanos(this, left);
    }
  }
}
