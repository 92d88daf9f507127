package heddle.har;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A file to which entries are appended. What ends the file is written with each entry and replaced
 * by the next one, so that the file is complete after each. Thread-safe.
 */
final class HarOutput implements AutoCloseable {
  private final Har.Creator creator;
  private final long maxBytes;

  /** Held while an entry is written: entries stand one after the other. */
  private final ReentrantLock lock = new ReentrantLock();

  // ---- guarded by the lock

  /** Not a channel, which an interrupt of a thread that writes would close for all. */
  private final RandomAccessFile file;

  /** Where the next entry goes. */
  private long end;

  private long entries;
  private long omitted;
  private @Nullable IOException failure;
  private boolean closed;

  /**
   * Makes the file, or replaces its content.
   *
   * @throws IOException if it cannot be written to; the message names it
   */
  HarOutput(Path path, Har.Creator creator, long maxBytes) throws IOException {
    this.creator = creator;
    this.maxBytes = maxBytes;
    try {
      file = new RandomAccessFile(path.toFile(), "rw");
    } catch (IOException e) {
      throw new IOException("cannot write to " + path + ": " + e.getMessage(), e);
    }
    try {
      file.setLength(0);
      file.write(around(null, true));
      end = file.getFilePointer();
      file.write(around(null, false));
    } catch (IOException e) {
      file.close();
      throw new IOException("cannot write to " + path + ": " + e.getMessage(), e);
    }
  }

  /** What stands before the entries, or after them. */
  private byte[] around(@Nullable String comment, boolean before) {
    String text =
        Har.JSON.writeValueAsString(new Har(new Har.Log("1.2", creator, List.of(), comment)));
    int entriesAt = text.indexOf("[]") + 1;
    String part = before ? text.substring(0, entriesAt) : "\n" + text.substring(entriesAt);
    return part.getBytes(UTF_8);
  }

  /** Appends an entry, unless the file is closed, full, or could not be written to before. */
  void add(Har.Entry entry) {
    byte[] json;
    try {
      json = Har.JSON.writeValueAsBytes(entry);
    } catch (JacksonException e) {
      failed(new IOException("an exchange cannot be written: " + e.getOriginalMessage(), e));
      return;
    }
    lock.lock();
    try {
      if (closed) {
        return;
      }
      byte[] separator = (entries == 0 ? "\n" : ",\n").getBytes(UTF_8);
      byte[] tail = around(null, false);
      int length = separator.length + json.length;
      if (failure != null || end + length + tail.length > maxBytes) {
        omitted++;
        return;
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream(length + tail.length);
      all.writeBytes(separator);
      all.writeBytes(json);
      all.writeBytes(tail);
      append(all.toByteArray(), length, tail);
    } finally {
      lock.unlock();
    }
  }

  private void append(byte[] all, int length, byte[] tail) {
    try {
      file.seek(end);
      file.write(all);
      end += length;
      entries++;
    } catch (IOException e) {
      failed(e);
      restore(tail, e);
    }
  }

  /** The caller of the client must not learn of it: {@link #close} throws it. */
  private void failed(IOException e) {
    lock.lock();
    try {
      failure = e;
      omitted++;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the file behind the last whole entry, if that is possible, as when the disk is full. */
  private void restore(byte[] tail, IOException cause) {
    try {
      file.setLength(end);
      file.seek(end);
      file.write(tail);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  long entries() {
    lock.lock();
    try {
      return entries;
    } finally {
      lock.unlock();
    }
  }

  long omitted() {
    lock.lock();
    try {
      return omitted;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the file, whose comment tells of entries that were left out. Idempotent.
   *
   * @throws IOException if an entry could not be written
   */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      try (file) {
        if (failure != null) {
          throw new IOException("the recording is not complete: " + failure.getMessage(), failure);
        }
        if (omitted > 0) {
          String comment = "%d exchanges were left out: the file has reached its limit of %d bytes"
              .formatted(omitted, maxBytes);
          file.seek(end);
          file.write(around(comment, false));
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
