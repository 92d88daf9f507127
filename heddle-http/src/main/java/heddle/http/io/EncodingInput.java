package heddle.http.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads a content encoded, as by gzip, while it is read. For one reading thread; closed from any,
 * which frees the memory of the encoder at once even if the reader is blocked.
 */
public final class EncodingInput extends InputStream {
  /** How content is encoded. */
  @FunctionalInterface
  public interface Encoding {
    /**
     * A stream that encodes what is written to it. Flushing it makes decodable what was written
     * before; closing it writes the rest and frees the memory of the encoder.
     */
    OutputStream encoder(OutputStream target) throws IOException;
  }

  private static final int CHUNK = 8 << 10;

  private final InputStream content;
  private final Encoding encoding;
  private final boolean prompt;
  private final byte[] chunk = new byte[CHUNK];
  private final Output output = new Output();
  private boolean ended;

  private final ReentrantLock lock = new ReentrantLock();

  /** May have native memory, which must not be freed during use. Guarded by {@link #lock}. */
  private @Nullable OutputStream encoder;

  /** Guarded by {@link #lock}. */
  private boolean released;

  /**
   * Reads a content encoded.
   *
   * @param prompt whether everything that was read can be decoded from what is read here, which
   *     costs some bytes for each read of the content; otherwise the output may wait for more
   */
  public EncodingInput(InputStream content, Encoding encoding, boolean prompt) {
    this.content = content;
    this.encoding = encoding;
    this.prompt = prompt;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    int n = output.takeRest(target, offset, length);
    while (n == 0 && !ended) {
      n = encode(target, offset, length);
    }
    return n == 0 ? -1 : n;
  }

  /** Encodes the next piece of the content into the target; what does not fit is kept. */
  private int encode(byte[] target, int offset, int length) throws IOException {
    // Without the lock: reading the content may block, and close() must not.
    int count = content.read(chunk);
    lock.lock();
    try {
      if (released) {
        throw new IOException("the body is closed");
      }
      output.begin(target, offset, length);
      OutputStream open = encoder;
      if (open == null) {
        open = encoding.encoder(output);
        encoder = open;
      }
      if (count < 0) {
        release();
        ended = true;
      } else {
        open.write(chunk, 0, count);
        if (prompt) {
          open.flush();
        }
      }
      return output.end();
    } finally {
      lock.unlock();
    }
  }

  private void release() throws IOException {
    released = true;
    OutputStream open = encoder;
    if (open != null) {
      encoder = null;
      open.close();
    }
  }

  private void discard() throws IOException {
    lock.lock();
    try {
      output.discard();
      release();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    try (content) {
      discard();
    }
  }

  /**
   * Where the encoder writes to: the array of the reader, and what that has no room for to an array
   * that grows, by no more than the encoder writes for one chunk. Used under the lock, except that
   * the reader takes the rest without it: there is none to be added then.
   */
  private static final class Output extends OutputStream {
    private static final byte[] NONE = {};

    private byte[] target = NONE;
    private int begin;
    private int at;
    private int limit;

    private byte[] rest = NONE;
    private int restAt;
    private int restLimit;
    private boolean discarding;

    void begin(byte[] array, int offset, int length) {
      target = array;
      begin = offset;
      at = offset;
      limit = offset + length;
    }

    /** The number of bytes in the target. */
    int end() {
      target = NONE;
      limit = 0;
      int count = at - begin;
      at = 0;
      return count;
    }

    void discard() {
      discarding = true;
    }

    int takeRest(byte[] array, int offset, int length) {
      int n = Math.min(length, restLimit - restAt);
      System.arraycopy(rest, restAt, array, offset, n);
      restAt += n;
      if (restAt == restLimit) {
        restAt = 0;
        restLimit = 0;
      }
      return n;
    }

    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) {
      if (discarding) {
        return;
      }
      int n = Math.min(length, limit - at);
      System.arraycopy(octets, offset, target, at, n);
      at += n;
      int more = length - n;
      if (rest.length - restLimit < more) {
        rest = Arrays.copyOf(rest, Math.max(2 * rest.length, restLimit + more));
      }
      System.arraycopy(octets, offset + n, rest, restLimit, more);
      restLimit += more;
    }
  }
}
