package heddle.connection;

import heddle.http.Body;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stream for a response's content that is written piece by piece: collects small pieces, and
 * holds the content to its announced length. Used by one thread at a time.
 */
public final class ResponseOutput extends OutputStream {
  /** How much is collected at most; part of {@link MemoryBudget#REQUEST_BYTES}. */
  private static final int MOST_COLLECTED = 16 * 1024;

  private static final int FIRST_BUFFER = 512;
  private static final byte[] NOTHING = {};

  /** The response that the content belongs to. */
  public interface Sink {
    /** Sends a response whose whole content is known; the last call. */
    void sendWhole(Body content) throws ResponseFailedException, IOException;

    /** Queues the head of a response of unknown length, or of the length that its fields say. */
    void begin() throws ResponseFailedException, IOException;

    /**
     * Sends content, and the head if it has not been sent.
     *
     * @param content whose array may be used again after the call; empty to send the head alone
     * @param last whether the announced length is reached
     */
    void send(ByteBuffer content, boolean last) throws IOException;

    /** Ends the response; the last call. */
    void end() throws ResponseFailedException, IOException;

    /** The response cannot be completed: nothing more will be sent. The last call. */
    void cut();
  }

  private final Sink sink;
  private final long length;

  private byte[] collected = NOTHING;
  private int count;
  private long written;
  private boolean begun;
  private boolean closed;
  private @Nullable Exception failure;

  /**
   * @param length that the response announces, or {@link Body#UNKNOWN}
   */
  public ResponseOutput(Sink sink, long length) {
    this.sink = sink;
    this.length = length;
  }

  /** Whether it was closed, or has failed. */
  public boolean isClosed() {
    return closed;
  }

  /** Why the response could not be sent; null if it was, or still can be. */
  public @Nullable Exception failure() {
    return failure;
  }

  @Override
  public void write(int octet) throws IOException {
    checkRoom(1);
    if (count == collected.length) {
      makeRoom(1);
    }
    collected[count++] = (byte) octet;
    written++;
    sendIfLast();
  }

  @Override
  public void write(byte[] source, int offset, int size) throws IOException {
    Objects.checkFromIndexSize(offset, size, source.length);
    checkRoom(size);
    int from = offset;
    int left = size;
    while (left > 0) {
      makeRoom(left);
      int now = Math.min(left, collected.length - count);
      System.arraycopy(source, from, collected, count, now);
      count += now;
      written += now;
      from += now;
      left -= now;
    }
    sendIfLast();
  }

  private void checkRoom(int size) throws IOException {
    checkOpen();
    if (length >= 0 && size > length - written) {
      long all = written + size;
      throw cut(new ResponseFailedException(
          "the response's content has " + all + " bytes or more, but its Content-Length is "
              + length,
          null));
    }
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("the response has ended", failure);
    }
  }

  private void makeRoom(int wanted) throws IOException {
    if (count == MOST_COLLECTED) {
      sendCollected();
    } else if (count + wanted > collected.length) {
      long size = Math.max(Math.max(FIRST_BUFFER, 2L * collected.length), (long) count + wanted);
      collected = Arrays.copyOf(collected, (int) Math.min(MOST_COLLECTED, size));
    }
  }

  /** The peer may have all of the response before it is closed. */
  private void sendIfLast() throws IOException {
    if (written == length && count > 0 && begun) {
      sendCollected();
    }
  }

  private void sendCollected() throws IOException {
    try {
      if (!begun) {
        begun = true;
        sink.begin();
      }
      ByteBuffer content = ByteBuffer.wrap(collected, 0, count);
      count = 0;
      sink.send(content, written == length);
    } catch (ResponseFailedException | IOException | RuntimeException | Error e) {
      throw cut(e);
    }
  }

  /** Sends what was written so far. */
  @Override
  public void flush() throws IOException {
    checkOpen();
    if (count > 0 || !begun) {
      sendCollected();
    }
  }

  /** Ends the response. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    if (length > written) {
      throw cut(new ResponseFailedException(
          "the response's content has " + written + " bytes, but its Content-Length is " + length,
          null));
    }
    try {
      if (!begun) {
        sink.sendWhole(Body.of(Arrays.copyOf(collected, count)));
      } else {
        if (count > 0) {
          sendCollected();
        }
        sink.end();
      }
      closed = true;
    } catch (ResponseFailedException | IOException | RuntimeException | Error e) {
      throw cut(e);
    } finally {
      collected = NOTHING;
    }
  }

  /** Gives the response up, unless it has ended. */
  public void abandon(Exception because) {
    if (!closed) {
      var ignored = cut(because);
    }
  }

  private IOException cut(Throwable because) {
    if (!closed) {
      closed = true;
      failure = because instanceof Exception e ? e : new IOException(because);
      sink.cut();
    }
    if (because instanceof Error e) {
      throw e;
    }
    return because instanceof IOException e ? e : new IOException(because.getMessage(), because);
  }
}
