package heddle.bench.gauge;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The resident set of this process as the kernel counts it; see proc(5). The file stays open and is
 * read into the same array each time, so that frequent reads cost little. Safe for use by many
 * threads.
 */
final class ResidentSet {

  private static final String STATUS = "/proc/self/status";
  private static final byte[] FIELD = "\nVmRSS:".getBytes(StandardCharsets.US_ASCII);

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as is the position in the file. */
  private final byte[] text = new byte[8192];

  private final @Nullable RandomAccessFile file = open();

  private static @Nullable RandomAccessFile open() {
    try {
      return new RandomAccessFile(STATUS, "r");
    } catch (FileNotFoundException e) {
      // Not Linux.
      return null;
    }
  }

  /** The present size; null if the kernel does not say. */
  @Nullable
  Long bytes() {
    RandomAccessFile opened = file;
    if (opened == null) {
      return null;
    }
    lock.lock();
    try {
      opened.seek(0);
      return bytes(text, Math.max(0, opened.read(text)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + STATUS, e);
    } finally {
      lock.unlock();
    }
  }

  /** The field is in KiB. */
  static @Nullable Long bytes(byte[] text, int length) {
    for (int i = 0; i + FIELD.length < length; i++) {
      if (isField(text, i)) {
        long kib = 0;
        for (int j = i + FIELD.length; j < length && text[j] != '\n'; j++) {
          boolean isDigit = text[j] >= '0' && text[j] <= '9';
          kib = isDigit ? 10 * kib + text[j] - '0' : kib;
        }
        return kib * 1024;
      }
    }
    return null;
  }

  private static boolean isField(byte[] text, int at) {
    for (int i = 0; i < FIELD.length; i++) {
      if (text[at + i] != FIELD[i]) {
        return false;
      }
    }
    return true;
  }
}
