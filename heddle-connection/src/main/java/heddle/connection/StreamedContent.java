package heddle.connection;

import heddle.http.Body;
import heddle.http.io.FileInput;
import heddle.transport.SafeLog;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A response's body, read from its stream and checked against its declared length: the last piece
 * is returned only when the stream is known to end there.
 */
public final class StreamedContent implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(StreamedContent.class.getName());

  /** The size of a piece in {@link MemoryBudget#REQUEST_BYTES}. */
  private static final int PIECE_BYTES = 16 * 1024;

  /**
   * A piece of long content while memory is plentiful. What each write to a socket costs is then
   * small beside its bytes.
   */
  private static final int LARGE_PIECE_BYTES = 64 * 1024;

  /** The first piece of longer content: until the peer has taken it, no more memory is held. */
  private static final int FIRST_PIECE_BYTES = 4 * 1024;

  private final Body body;
  private final long length;
  private final ConnectionMemory memory;

  /** Where the next piece goes; null if the last one was handed out with its array. */
  private byte @Nullable [] piece;

  /** The size of the array of the last piece. */
  private int lastSize;

  private @Nullable InputStream stream;
  private long given;

  /** Whether the stream had a whole piece ready the last time. */
  private boolean wasFilled;

  /** Whether the memory of large pieces is held. */
  private boolean isLarge;

  /** Where several pieces are gathered; null until that is possible. */
  private @Nullable ByteBuffer gathered;

  /** Whether the caller keeps pieces, so that two may be in memory at the same time. */
  private boolean keepsPieces;

  /**
   * Content whose pieces become larger if the connection's server has memory to spare, until {@link
   * #close}.
   */
  public StreamedContent(Body body, ConnectionMemory memory) {
    this.body = body;
    this.length = body.length();
    this.memory = memory;
  }

  /** Whether the next piece is available without waiting. */
  public boolean isReady() throws ResponseFailedException {
    try {
      return open().available() > 0;
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  /** The file that this content is; null if it is not one, or has not the declared length. */
  public @Nullable FileInput file() throws ResponseFailedException {
    try {
      return open() instanceof FileInput file && file.remaining() == length ? file : null;
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  /** Whether the piece returned last is known to be the final one. */
  public boolean isLastKnown() {
    return given == length;
  }

  /**
   * The next piece, valid until the next call; null at the end.
   *
   * @throws ResponseFailedException if the stream fails or does not have the declared length
   */
  public @Nullable ByteBuffer next() throws ResponseFailedException {
    if (given == length) {
      return null;
    }
    byte[] target = piece();
    int count = read(target);
    if (count < 0 && length < 0) {
      return null;
    }
    if (count < 0) {
      throw new ResponseFailedException(
          "the response's body ended after " + given + " of " + length + " bytes", null);
    }
    given += count;
    wasFilled = count == target.length;
    if (given == length ? read(new byte[1]) >= 0 : length >= 0 && given > length) {
      throw new ResponseFailedException(
          "the response's body goes on after its " + length + " bytes", null);
    }
    return ByteBuffer.wrap(target, 0, count);
  }

  /**
   * As {@link #next}, but while memory is plentiful, gathers the content that the stream has
   * available into one direct buffer. For channels without TLS, which can write it without a copy.
   */
  public @Nullable ByteBuffer nextGathered() throws ResponseFailedException {
    ByteBuffer first = next();
    if (first == null || !hasMoreReady()) {
      return first;
    }
    ByteBuffer target = gathered == null ? memory.takeLargeBuffer() : gathered;
    gathered = target;
    if (target == null) {
      return first;
    }
    target.clear().put(first);
    while (target.remaining() >= LARGE_PIECE_BYTES && hasMoreReady()) {
      ByteBuffer more = next();
      if (more == null) {
        break;
      }
      target.put(more);
    }
    return target.flip();
  }

  /** Whether the next piece is large, and available without waiting. */
  private boolean hasMoreReady() throws ResponseFailedException {
    return isLarge && wasFilled && given != length && isReady();
  }

  /**
   * As {@link #next}, but the piece stays valid until it is given to {@link #reuse}, so that the
   * caller may write it later.
   */
  public @Nullable ByteBuffer nextToKeep() throws ResponseFailedException {
    keepsPieces = true;
    ByteBuffer bytes = next();
    if (bytes == null || bytes.remaining() > bytes.capacity() / 4) {
      piece = null;
      return bytes;
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return ByteBuffer.wrap(copy);
  }

  /** Whether there is memory for a large piece, and for another one if the caller keeps pieces. */
  public boolean isLarge() {
    return isLarge;
  }

  /** Lets the next piece reuse the memory of this one, which has been written. */
  public void reuse(ByteBuffer written) {
    if (piece == null && written.arrayOffset() == 0) {
      piece = written.array();
    }
  }

  private byte[] piece() {
    byte[] target = piece;
    int size = size();
    if (target == null || target.length < size) {
      target = new byte[size];
      piece = target;
    }
    lastSize = target.length;
    return target;
  }

  private int size() {
    long left = length < 0 ? Long.MAX_VALUE : length - given;
    boolean isLong = wasFilled && lastSize == PIECE_BYTES && left >= LARGE_PIECE_BYTES;
    int most = isLarge || (isLong && enlarge()) ? LARGE_PIECE_BYTES : PIECE_BYTES;
    boolean isFirst = given == 0 && left > PIECE_BYTES;
    return (int) Math.min(left, isFirst ? FIRST_PIECE_BYTES : most);
  }

  private boolean enlarge() {
    isLarge = memory.tryHoldSpare(largeBytes());
    return isLarge;
  }

  /** What large pieces take beyond a small one. */
  private int largeBytes() {
    return (keepsPieces ? 2 : 1) * LARGE_PIECE_BYTES - PIECE_BYTES;
  }

  /**
   * Closes the stream, if it was opened, and returns the memory of larger pieces, which are not
   * used again. Logs a failure, as no caller can handle it.
   */
  @Override
  public void close() {
    if (isLarge) {
      isLarge = false;
      memory.release(largeBytes());
    }
    if (gathered != null) {
      memory.giveBack(gathered);
      gathered = null;
    }
    InputStream opened = stream;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException | RuntimeException | Error e) {
        SafeLog.log(LOG, Level.WARNING, "Closing failed of the stream of ", body, e);
      }
    }
  }

  /** Reads at least one byte; -1 at the end. */
  private int read(byte[] target) throws ResponseFailedException {
    try {
      InputStream open = open();
      int count;
      do {
        count = open.read(target);
      } while (count == 0);
      return count;
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  private InputStream open() throws IOException {
    if (stream == null) {
      stream = body.stream();
    }
    return stream;
  }

  private ResponseFailedException failed(Exception cause) {
    return new ResponseFailedException(
        "the response's body failed after " + given + " bytes: " + cause.getMessage(), cause);
  }
}
