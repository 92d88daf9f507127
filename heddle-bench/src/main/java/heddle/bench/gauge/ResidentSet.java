package heddle.bench.gauge;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The resident set of this process as the kernel counts it; see proc(5). The file stays open and is
 * read into the same array each time, so that frequent reads cost little. Safe for use by many
 * threads.
 */
final class ResidentSet {

  private static final String STATUS = "/proc/self/status";
  static final byte[] PRESENT = "\nVmRSS:".getBytes(StandardCharsets.US_ASCII);
  static final byte[] PEAK = "\nVmHWM:".getBytes(StandardCharsets.US_ASCII);

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
    return read(PRESENT);
  }

  /** The largest size since the kernel last reset it; null if the kernel does not say. */
  @Nullable
  Long peakBytes() {
    return read(PEAK);
  }

  private @Nullable Long read(byte[] field) {
    RandomAccessFile opened = file;
    if (opened == null) {
      return null;
    }
    lock.lock();
    try {
      opened.seek(0);
      return bytes(text, Math.max(0, opened.read(text)), field);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + STATUS, e);
    } finally {
      lock.unlock();
    }
  }

  /** The field is in KiB. */
  static @Nullable Long bytes(byte[] text, int length, byte[] field) {
    for (int i = 0; i + field.length < length; i++) {
      if (Arrays.equals(text, i, i + field.length, field, 0, field.length)) {
        long kib = 0;
        for (int j = i + field.length; j < length && text[j] != '\n'; j++) {
          boolean isDigit = text[j] >= '0' && text[j] <= '9';
          kib = isDigit ? 10 * kib + text[j] - '0' : kib;
        }
        return kib * 1024;
      }
    }
    return null;
  }
}
