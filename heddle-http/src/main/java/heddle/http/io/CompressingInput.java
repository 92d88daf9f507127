package heddle.http.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Reads a content as one member of gzip (RFC 1952), compressed while it is read. For one reading
 * thread; closed from any.
 */
public final class CompressingInput extends InputStream {
  private static final int CHUNK = 8 << 10;

  /** Without name, time or system, so that equal content gives equal octets. */
  private static final byte[] HEADER = {
    0x1F, (byte) 0x8B, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xFF
  };

  private final InputStream content;
  private final boolean prompt;
  private final byte[] chunk = new byte[CHUNK];
  private final CRC32 crc = new CRC32();
  private long count;

  private ByteBuffer ready = ByteBuffer.wrap(HEADER); // to be read: the header, then the trailer
  private boolean trailerMade;
  private final ReentrantLock lock = new ReentrantLock();

  /** Native memory, which must not be freed while it is used. Guarded by {@link #lock}. */
  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);

  // Guarded by the lock; the second is whether there is input whose output was not all taken.
  private boolean released;
  private boolean pending;

  /** Compresses as well as it can: the output may wait for more content. */
  public CompressingInput(InputStream content) {
    this(content, false);
  }

  /**
   * As the other one.
   *
   * @param prompt whether everything that was read can be decompressed from what is read here,
   *     which costs some bytes for each read of the content
   */
  public CompressingInput(InputStream content, boolean prompt) {
    this.content = content;
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
    while (true) {
      if (ready.hasRemaining()) {
        int n = Math.min(length, ready.remaining());
        ready.get(target, offset, n);
        return n;
      }
      if (trailerMade) {
        return -1;
      }
      int n = deflate(target, offset, length);
      if (n > 0) {
        return n;
      }
    }
  }

  /** Compresses the input that is there; if there is no output, reads more to compress. */
  private int deflate(byte[] target, int offset, int length) throws IOException {
    lock.lock();
    try {
      checkOpen();
      int n = prompt ? deflatePromptly() : deflater.deflate(target, offset, length);
      if (n > 0 || ready.hasRemaining()) {
        return n;
      }
      if (deflater.finished()) {
        ready = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        ready.putInt((int) crc.getValue()).putInt((int) count).flip();
        trailerMade = true;
        release();
        return 0;
      }
    } finally {
      lock.unlock();
    }
    // Without the lock: reading the content may block, and close() must not.
    int n = content.read(chunk);
    lock.lock();
    try {
      checkOpen();
      pending = true;
      if (n < 0) {
        deflater.finish();
      } else {
        crc.update(chunk, 0, n);
        count += n;
        deflater.setInput(chunk, 0, n);
      }
    } finally {
      lock.unlock();
    }
    return 0;
  }

  /** Takes all output of the input that is there, in a buffer: small targets would not do. */
  private int deflatePromptly() {
    if (pending) {
      byte[] output = new byte[CHUNK];
      int count = deflater.deflate(output, 0, CHUNK, Deflater.SYNC_FLUSH);
      pending = count == CHUNK;
      ready = ByteBuffer.wrap(output, 0, count);
    }
    return 0;
  }

  private void checkOpen() throws IOException {
    if (released) {
      throw new IOException("the body is closed");
    }
  }

  private void release() {
    lock.lock();
    try {
      released = true;
      deflater.end();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    release();
    content.close();
  }
}
