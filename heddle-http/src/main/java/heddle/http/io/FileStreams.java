package heddle.http.io;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Streams over files, and at most four daemon threads for the file I/O of all virtual threads: a
 * read of a file blocks the thread that makes it, so on a virtual thread it would hold the carrier.
 * The threads end when idle for five seconds. The queue has one entry per waiting virtual thread.
 * Each stream is for one thread at a time.
 */
public final class FileStreams {
  private static final int MAX_THREADS = 4;
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final ThreadPoolExecutor THREADS = start();

  private FileStreams() {}

  private static ThreadPoolExecutor start() {
    ThreadPoolExecutor threads = new ThreadPoolExecutor(
        MAX_THREADS,
        MAX_THREADS,
        5,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> Thread.ofPlatform()
            .daemon()
            .name("heddle-file-" + NUMBER.incrementAndGet())
            .unstarted(task));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** The size of a file in bytes; it has to be there and a regular one. */
  public static long sizeOf(Path file) throws IOException {
    return call(() -> {
      if (!Files.exists(file)) {
        throw new NoSuchFileException(file.toString(), null, "no such file");
      }
      if (!Files.isRegularFile(file)) {
        throw new IOException(
            file + " is not a regular file: give a stream for a directory, device or pipe");
      }
      return Files.size(file);
    });
  }

  /** Opens a file from its start. */
  public static FileInput open(Path file) throws IOException {
    return open(file, 0);
  }

  /** As {@link #open(Path)}, from an offset, which may be at the file's end or beyond it. */
  public static FileInput open(Path file, long offset) throws IOException {
    return callUninterruptibly(() -> {
      FileChannel channel = FileChannel.open(file, READ);
      try {
        return new FileInput(channel, offset, Math.max(0, channel.size() - offset));
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    });
  }

  /** Makes or empties a file; what is written is not buffered. */
  public static OutputStream create(Path file) throws IOException {
    return new Output(
        callUninterruptibly(() -> FileChannel.open(file, WRITE, CREATE, TRUNCATE_EXISTING)));
  }

  /**
   * Makes a file, or goes on with one: what follows the position is cut off. What is written is not
   * buffered. Until it is closed, no other of these streams can be opened over the same file.
   *
   * @throws IOException if another is open, of this process or another
   */
  public static OutputStream append(Path file, long position) throws IOException {
    return new Output(callUninterruptibly(() -> {
      FileChannel channel = FileChannel.open(file, WRITE, CREATE);
      try {
        if (channel.tryLock() == null) {
          throw new IOException(file + " is being written by another process");
        }
        return channel.truncate(position).position(position);
      } catch (OverlappingFileLockException e) {
        channel.close();
        throw new IOException(file + " is being written by another thread", e);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }));
  }

  private static final class Output extends OutputStream {
    private final FileChannel channel;

    private Output(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] src, int off, int len) throws IOException {
      // An interrupted wait leaves the task reading: it must not see what the caller writes next.
      ByteBuffer bytes = Thread.currentThread().isVirtual()
          ? ByteBuffer.wrap(Arrays.copyOfRange(src, off, off + len))
          : ByteBuffer.wrap(src, off, len);
      call(() -> {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        return bytes;
      });
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /**
   * Runs {@code work}, which may block: on this thread if it is a platform thread, else on one of
   * the four while this thread waits.
   *
   * @throws InterruptedIOException if this thread is interrupted meanwhile; it stays interrupted,
   *     and {@code work} may still be running
   */
  public static <T> T call(Callable<T> work) throws IOException {
    try {
      return Thread.currentThread().isVirtual() ? await(THREADS.submit(work)) : work.call();
    } catch (IOException | RuntimeException failure) {
      throw failure;
    } catch (Exception impossible) {
      throw new IOException(impossible);
    }
  }

  /**
   * As {@link #call}, for short work that must be done even if this thread is interrupted, such as
   * deleting a file, or whose result must not be lost, such as an open one: then it is waited for
   * all the same, and the thread stays interrupted.
   */
  public static <T> T callUninterruptibly(Callable<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      Future<T> future = THREADS.submit(work);
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException wrapped) {
      switch (wrapped.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case null, default -> throw new IOException(wrapped.getCause());
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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
