package heddle.client.coding;

import heddle.http.ContentCoding;
import heddle.http.failure.MalformedMessageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one coding while it is read. The coded bytes are read to their end, so that their
 * connection can be used again. For one reading thread; any thread may close it, which frees the
 * decoder's memory at once even if the reader is blocked.
 */
final class DecodingInput extends InputStream {
  private static final int BUFFER = 16 << 10;

  private final ContentCoding coding;
  private final InputStream coded;
  private final Expansion expansion;

  private final ByteBuffer source = ByteBuffer.allocate(BUFFER).limit(0);

  /** Bytes taken from the coded content before those in the source, for messages. */
  private long before;

  private long decoded;

  /** What the decoder said last: whether the content may end where the source ends. */
  private boolean complete;

  /** Whether the decoder may have output that the reader's array had no room for. */
  private boolean hasMore;

  private boolean ended;

  /** Reported once what was decoded before it has been read. */
  private @Nullable IOException failure;

  private final ReentrantLock lock = new ReentrantLock();

  /** May have native memory, which must not be freed during use. Guarded by {@link #lock}. */
  private ContentCoding.@Nullable Decoder decoder;

  /** Guarded by {@link #lock}. */
  private boolean released;

  DecodingInput(ContentCoding coding, InputStream coded, Expansion expansion) {
    this.coding = coding;
    this.coded = coded;
    this.expansion = expansion;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws MalformedMessageException if the content is not what its coding allows, or is cut short
   * @throws heddle.http.failure.MessageTooLargeException if it grows too much
   */
  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, target.length);
    if (count == 0) {
      return 0;
    }
    try {
      return decode(ByteBuffer.wrap(target, offset, count));
    } catch (IOException e) {
      failure = e;
      giveUp(e);
      throw e;
    }
  }

  private int decode(ByteBuffer target) throws IOException {
    int from = target.position();
    while (!ended) {
      if (failure != null) {
        throw failure;
      }
      if (source.hasRemaining() || hasMore) {
        advance(target);
        int n = target.position() - from;
        if (n > 0) {
          decoded += n;
          expansion.check(decoded);
          return n;
        }
      } else if (!fill()) {
        if (!complete) {
          throw malformed("it is truncated", null);
        }
        ended = true;
        release();
      }
    }
    return -1;
  }

  /** Decodes what is in the source. */
  private void advance(ByteBuffer target) throws IOException {
    lock.lock();
    try {
      if (released) {
        throw new IOException("the body is closed");
      }
      ContentCoding.Decoder open = decoder;
      if (open == null) {
        open = coding.decoder();
        decoder = open;
      }
      complete = open.decode(source, target);
      hasMore = !target.hasRemaining();
    } catch (DataFormatException e) {
      String reason = e.getMessage();
      failure = malformed(reason == null ? "the data is corrupt" : reason, e);
    } finally {
      lock.unlock();
    }
  }

  /** Reads coded bytes into the source, which is empty; false at their end. */
  private boolean fill() throws IOException {
    before += source.limit();
    source.clear();
    int n = 0;
    try {
      n = coded.read(source.array());
    } finally {
      source.limit(Math.max(0, n));
    }
    return n >= 0;
  }

  private MalformedMessageException malformed(String what, @Nullable Throwable cause) {
    return new MalformedMessageException(
        MalformedMessageException.Kind.CODING,
        "the response's content cannot be decoded as %s: %s (byte %d of it)"
            .formatted(coding.name(), what, before + source.position()),
        null,
        cause);
  }

  private void giveUp(IOException reason) {
    try {
      close();
    } catch (IOException e) {
      if (e != reason) {
        reason.addSuppressed(e);
      }
    }
  }

  private void release() {
    lock.lock();
    try {
      released = true;
      if (decoder != null) {
        decoder.close();
        decoder = null;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    release();
    coded.close();
  }
}
