package heddle.load;

import heddle.bench.driver.Answer;
import heddle.bench.driver.ClientDriver.Exchange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A caller that keeps reading large answers far more slowly than they could arrive, until it is
 * closed. The backpressure that it causes must not slow down other callers.
 */
final class SlowReader implements AutoCloseable {

  /** With pieces of 16 KiB, some 800 KiB/s. */
  private static final long PAUSE_NANOS = 20_000_000;

  private static final long END_MILLIS = 5_000;

  private final Exchange exchange;
  private final CountDownLatch reading = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean over;
  private volatile @Nullable Throwable failure;

  /** Starts reading. */
  SlowReader(Exchange exchange) {
    this.exchange = exchange;
    this.thread = Thread.ofVirtual().name("slow-reader").start(this::run);
  }

  private void run() {
    ScopedValue.where(Answer.SLOWLY, this::pause).run(() -> {
      try {
        while (!over) {
          Answer answer = exchange.exchange();
          if (!answer.isSuccess()) {
            throw new IOException("the slow reader was answered with status " + answer.status());
          }
        }
      } catch (Exception e) {
        if (!over) {
          failure = e;
        }
      } finally {
        reading.countDown();
      }
    });
  }

  private void pause() throws IOException {
    reading.countDown();
    long end = System.nanoTime() + PAUSE_NANOS;
    for (long left = PAUSE_NANOS; left > 0 && !over; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    if (over) {
      throw new InterruptedIOException("the load is over");
    }
  }

  /** Waits until it has read its first piece or has failed; returns false after the timeout. */
  boolean awaitReading(long millis) throws InterruptedException {
    return reading.await(millis, TimeUnit.MILLISECONDS);
  }

  /** The failure before it was closed; null if there was none. */
  @Nullable
  Throwable failure() {
    return failure;
  }

  /** Discards the rest of the answer. */
  @Override
  public void close() {
    over = true;
    thread.interrupt();
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
