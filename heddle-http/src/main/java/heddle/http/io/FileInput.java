package heddle.http.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/**
 * The content of a file from an offset on, read ahead so that small reads change no thread. The
 * operating system can send it to a socket without a copy in this process: {@link #sendTo}. For one
 * thread at a time.
 */
public final class FileInput extends BufferInput {
  private static final int BUFFER = 64 << 10;
  private static final int LEAST_BUFFER = 8 << 10;

  private final FileChannel channel;
  private final long offset;
  private final long size;

  private long limit = Long.MAX_VALUE;
  private long position; // what was read or sent, from the offset on

  FileInput(FileChannel channel, long offset, long size) {
    this.channel = channel;
    this.offset = offset;
    this.size = size;
  }

  /** Ends the content after this many bytes from its start, even if the file has more. */
  public FileInput limit(long bytes) {
    limit = bytes;
    return this;
  }

  /** How many bytes are left until the limit, or the end that the file had when it was opened. */
  public long remaining() {
    return Math.max(0, Math.min(limit, size) - taken());
  }

  /** How many bytes were read or sent. */
  public long taken() {
    return position - buffer.remaining();
  }

  /**
   * Has the operating system send up to {@code most} of the remaining bytes.
   *
   * @return how many the target has taken, 0 if it takes none at present; -1 if the file has become
   *     shorter and ends here
   * @throws java.io.InterruptedIOException as {@link FileStreams#call} does: bytes may still be
   *     sent, so the target must not be used any more
   * @throws IllegalStateException if bytes were read ahead that would be lost
   */
  public long sendTo(WritableByteChannel target, long most) throws IOException {
    if (buffer.hasRemaining()) {
      throw new IllegalStateException(buffer.remaining() + " bytes were read ahead");
    }
    long from = offset + position;
    long count = Math.min(most, remaining());
    long sent = FileStreams.call(() -> {
      long moved = channel.transferTo(from, count, target);
      return moved == 0 && from >= channel.size() ? -1 : moved;
    });
    position += Math.max(0, sent);
    return sent;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, remaining());
  }

  @Override
  boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    long left = limit - position;
    if (left <= 0) {
      return false;
    }
    // An interrupted wait leaves the task writing to its buffer, which must not be reused then.
    ByteBuffer free = buffer.capacity() == 0
        ? ByteBuffer.allocate(Math.clamp(size - position, LEAST_BUFFER, BUFFER))
        : buffer;
    buffer = ByteBuffer.allocate(0);
    free.clear().limit((int) Math.min(free.capacity(), left));
    int n = FileStreams.call(() -> channel.read(free, offset + position));
    if (n < 0) {
      return false;
    }
    position += n;
    buffer = free.flip();
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
