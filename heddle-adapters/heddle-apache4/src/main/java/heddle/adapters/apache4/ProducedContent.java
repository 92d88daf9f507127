package heddle.adapters.apache4;

import heddle.http.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.http.HttpEntity;
import org.apache.http.nio.ContentEncoder;
import org.apache.http.nio.protocol.HttpAsyncClientExchangeHandler;
import org.jspecify.annotations.Nullable;

/**
 * The content of an asynchronous request. Reading it asks the handler, on the reading thread. Short
 * content of known length is sent together with the head. It is sent once: Apache repeats requests.
 */
final class ProducedContent extends Body {
  private static final int MOST_IN_MEMORY_BYTES = 64 * 1024;

  private final HttpAsyncClientExchangeHandler handler;
  private final Gate gate;
  private final long length;

  // Used by the reading thread.
  private final Encoder encoder = new Encoder();
  private @Nullable ByteBuffer whole;

  private volatile boolean completed;
  private volatile @Nullable Exception failure;

  ProducedContent(
      HttpAsyncClientExchangeHandler handler, AsyncConnection connection, HttpEntity entity) {
    this.handler = handler;
    this.gate = new Gate(connection);
    this.length = entity.isChunked() ? UNKNOWN : Math.max(UNKNOWN, entity.getContentLength());
  }

  /** What the handler has thrown; null if nothing. */
  @Nullable
  Exception failure() {
    return failure;
  }

  boolean isCompleted() {
    return completed;
  }

  /** Ends the waiting for a suspended producer. From any thread. */
  void stop() {
    gate.stop();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return false;
  }

  @Override
  public @Nullable ByteBuffer inMemory() {
    if (length < 0 || length > MOST_IN_MEMORY_BYTES || failure != null) {
      return null;
    }
    ByteBuffer all = whole;
    if (all == null) {
      try {
        all = ByteBuffer.wrap(readWhole());
        whole = all;
      } catch (IOException e) {
        return null; // The exchange reports it.
      }
    }
    return all.asReadOnlyBuffer();
  }

  private byte[] readWhole() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream((int) length);
    byte[] piece = new byte[(int) Math.max(1, length)];
    for (int count = produce(piece, 0, piece.length);
        count >= 0;
        count = produce(piece, 0, piece.length)) {
      all.write(piece, 0, count);
    }
    return all.toByteArray();
  }

  @Override
  public InputStream stream() throws IOException {
    if (failure != null) {
      throw new IOException("the request's entity could not be produced", failure);
    }
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] target, int offset, int size) throws IOException {
        return size == 0 ? 0 : produce(target, offset, size);
      }
    };
  }

  /** Returns how many bytes the handler has produced; -1 at the end. */
  private int produce(byte[] target, int offset, int size) throws IOException {
    encoder.target = ByteBuffer.wrap(target, offset, size);
    while (encoder.target.position() == offset && !completed) {
      gate.await();
      try {
        handler.produceContent(encoder, gate);
      } catch (IOException | RuntimeException e) {
        failure = e;
        throw new IOException("the request's entity could not be produced", e);
      }
    }
    int count = encoder.target.position() - offset;
    return count == 0 ? -1 : count;
  }

  /** Takes as much as the reader has room for; the handler keeps the rest. */
  private final class Encoder implements ContentEncoder {
    private ByteBuffer target = ByteBuffer.allocate(0);

    @Override
    public int write(ByteBuffer source) {
      int count = Math.min(source.remaining(), target.remaining());
      target.put(source.slice(source.position(), count));
      source.position(source.position() + count);
      return count;
    }

    @Override
    public void complete() {
      completed = true;
    }

    @Override
    public boolean isCompleted() {
      return completed;
    }
  }
}
