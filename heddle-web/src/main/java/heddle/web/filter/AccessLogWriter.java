package heddle.web.filter;

import java.io.BufferedWriter;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lines of an {@link AccessLog} to a file or an {@link Appendable}, on a separate
 * thread, so that requests never wait for a disk. At most 1 MiB of lines wait for it (or what
 * {@link #of(Appendable, int)} is given); further ones are dropped and counted, because a log that
 * cannot keep up must neither fill the memory nor stop the server. Thread-safe.
 *
 * <p>Lines are flushed as soon as none waits. If writing fails, the lines concerned count as
 * dropped, the first failure is logged, and the next lines are tried again. Files are never
 * rotated; where that is needed, log to a {@link System.Logger}.
 */
public final class AccessLogWriter implements Consumer<String>, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AccessLogWriter.class.getName());
  private static final int DEFAULT_CHARS = 1 << 20;

  private final Appendable out;
  private final @Nullable BufferedWriter owned;
  private final int mostChars;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final ArrayDeque<String> waiting = new ArrayDeque<>();
  private long waitingChars;
  private long dropped;
  private boolean closed;

  /** Used by the writing thread alone. */
  private boolean hasFailed;

  private AccessLogWriter(Appendable out, @Nullable BufferedWriter owned, int mostChars) {
    this.out = out;
    this.owned = owned;
    this.mostChars = mostChars;
    this.thread = Thread.ofPlatform().name("heddle-access-log").daemon().start(this::run);
  }

  /**
   * Appends lines to a file, in UTF-8, which is created if it does not exist; {@link #close} closes
   * it.
   *
   * @throws IOException if the file cannot be opened
   */
  public static AccessLogWriter of(Path file) throws IOException {
    BufferedWriter writer = new BufferedWriter(new OutputStreamWriter(
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
        StandardCharsets.UTF_8));
    return new AccessLogWriter(writer, writer, DEFAULT_CHARS);
  }

  /**
   * Appends lines to {@code out}, which is flushed if it can be, and never closed. It is used by
   * one thread.
   */
  public static AccessLogWriter of(Appendable out) {
    return of(out, DEFAULT_CHARS);
  }

  /**
   * As {@link #of(Appendable)}, with another bound.
   *
   * @param mostChars the sum of the lengths of lines that may wait, at least 1
   */
  public static AccessLogWriter of(Appendable out, int mostChars) {
    if (mostChars < 1) {
      throw new IllegalArgumentException("mostChars must be at least 1, but was " + mostChars);
    }
    return new AccessLogWriter(Objects.requireNonNull(out, "out"), null, mostChars);
  }

  /**
   * Queues a line, or drops it if too many wait or the writer is closed. Never waits for a disk.
   */
  @Override
  public void accept(String line) {
    lock.lock();
    try {
      if (closed || waitingChars + line.length() > mostChars) {
        dropped++;
        return;
      }
      waiting.add(line);
      waitingChars += line.length();
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** How many lines were not written so far. */
  public long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    for (List<String> lines = next(); !lines.isEmpty(); lines = next()) {
      try {
        for (String line : lines) {
          out.append(line).append('\n');
        }
        flush();
      } catch (IOException | RuntimeException e) {
        failed(lines.size(), e);
      } finally {
        release(lines);
      }
    }
  }

  /** The lines that wait; none when the writer is closed. */
  private List<String> next() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      List<String> lines = new ArrayList<>(waiting);
      waiting.clear();
      return lines;
    } finally {
      lock.unlock();
    }
  }

  /** Lines that are being written count as waiting. */
  private void release(List<String> lines) {
    lock.lock();
    try {
      for (String line : lines) {
        waitingChars -= line.length();
      }
    } finally {
      lock.unlock();
    }
  }

  private void flush() throws IOException {
    if (out instanceof Flushable flushable) {
      flushable.flush();
    }
  }

  private void failed(int lines, Exception failure) {
    lock.lock();
    try {
      dropped += lines;
    } finally {
      lock.unlock();
    }
    if (!hasFailed) {
      hasFailed = true;
      LOG.log(Level.WARNING, "lines of an access log cannot be written: " + lines, failure);
    }
  }

  /**
   * Writes the lines that wait, and closes the file. Waits for that, unless the thread is
   * interrupted. Does nothing the second time.
   *
   * @throws UncheckedIOException if the file cannot be closed
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join();
      if (owned != null) {
        owned.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
