package heddle.http.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * At most four daemon threads for all file I/O of virtual threads: a read of a file blocks the
 * thread that makes it, so on a virtual thread it would hold the carrier. The threads end when idle
 * for five seconds. The queue has one entry per waiting virtual thread.
 */
final class FileThreads {
  static final int MAX = 4;
  static final String NAME = "heddle-file-";
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final ThreadPoolExecutor THREADS = start();

  private FileThreads() {}

  private static ThreadPoolExecutor start() {
    ThreadPoolExecutor threads = new ThreadPoolExecutor(
        MAX, MAX, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> Thread.ofPlatform()
            .daemon()
            .name(NAME + NUMBER.incrementAndGet())
            .unstarted(task));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /**
   * Runs {@code work}, which may block: on this thread if it is a platform thread, else on one of
   * the four while this thread waits.
   *
   * @throws InterruptedIOException if this thread is interrupted meanwhile; it stays interrupted,
   *     and {@code work} may still be running
   */
  static <T> T call(Callable<T> work) throws IOException {
    try {
      if (!Thread.currentThread().isVirtual()) {
        return work.call();
      }
      return await(THREADS.submit(work));
    } catch (IOException | RuntimeException failure) {
      throw failure;
    } catch (Exception impossible) {
      throw new IOException(impossible);
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    try {
      return future.get();
    } catch (InterruptedException interrupt) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a file");
    } catch (ExecutionException wrapped) {
      if (wrapped.getCause() instanceof Exception failure) {
        throw failure;
      }
      throw wrapped;
    }
  }
}
