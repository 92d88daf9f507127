package heddle.client.coding;

import heddle.http.failure.MalformedMessageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one coding while it is read. The coded bytes are read to their end, so that their
 * connection can be used again. For one reading thread; any thread may close it, which frees the
 * inflater's memory at once even if the reader is blocked.
 */
abstract class DecodingInput extends InputStream {
  /** Creates inflaters, which the caller ends; tests replace it to count them. */
  @FunctionalInterface
  interface Inflaters {
    /** Creates one, for deflated data (RFC 1951) without a wrapper if it is raw. */
    Inflater make(boolean raw);
  }

  private static final int BUFFER = 16 << 10;

  private final String coding;
  private final InputStream coded;
  private final Expansion expansion;
  private final Inflaters inflaters;

  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int limit;

  /** Bytes taken from the coded content before those in the buffer, for messages. */
  private long before;

  private long decoded;
  private boolean inDeflated;
  private boolean ended;
  private @Nullable IOException failure;

  private final ReentrantLock lock = new ReentrantLock();

  /** Has native memory, which must not be freed during use. Guarded by {@link #lock}. */
  private @Nullable Inflater inflater;

  /** Guarded by {@link #lock}. */
  private boolean released;

  DecodingInput(String coding, InputStream coded, Expansion expansion, Inflaters inflaters) {
    this.coding = coding;
    this.coded = coded;
    this.expansion = expansion;
    this.inflaters = inflaters;
  }

  /**
   * Reads what precedes deflated data, and calls {@link #startDeflated}.
   *
   * @return false at the end of the content
   */
  abstract boolean begin() throws IOException;

  /** Called with decoded content before the reader gets it. */
  abstract void seen(byte[] target, int offset, int count);

  /** Reads what follows deflated data. */
  abstract void finish() throws IOException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws MalformedMessageException if the content is not what its coding allows, or is cut short
   * @throws heddle.http.failure.MessageTooLargeException if it grows too much
   */
  @Override
  public final int read(byte[] target, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, target.length);
    if (count == 0) {
      return 0;
    }
    if (failure != null) {
      throw failure;
    }
    try {
      return decode(target, offset, count);
    } catch (IOException e) {
      failure = e;
      giveUp(e);
      throw e;
    }
  }

  private int decode(byte[] target, int offset, int count) throws IOException {
    while (!ended) {
      if (!inDeflated && !begin()) {
        ended = true;
        release();
        return -1;
      }
      inDeflated = true;
      int n = inflate(target, offset, count);
      if (n > 0) {
        decoded += n;
        expansion.check(decoded);
        seen(target, offset, n);
        return n;
      }
      if (n < 0) {
        inDeflated = false;
        finish();
      } else if (!has(1)) {
        throw truncated();
      }
    }
    return -1;
  }

  /** Inflates the buffered bytes; returns 0 if more are needed, -1 at the end of deflated data. */
  private int inflate(byte[] target, int offset, int count) throws IOException {
    lock.lock();
    try {
      Inflater open = inflater;
      if (released || open == null) {
        throw new IOException("the body is closed");
      }
      if (open.needsInput()) {
        open.setInput(buffer, at, limit - at);
        at = limit;
      }
      int n = open.inflate(target, offset, count);
      if (n > 0) {
        return n;
      }
      if (open.finished()) {
        at = limit - open.getRemaining();
        return -1;
      }
      if (open.needsDictionary()) {
        throw malformed("it needs a preset dictionary, which HTTP does not support");
      }
      return 0;
    } catch (DataFormatException e) {
      String reason = e.getMessage();
      throw malformed(reason == null ? "the deflated data is corrupt" : reason, before + at, e);
    } finally {
      lock.unlock();
    }
  }

  /** Deflated data follows. */
  final void startDeflated(boolean raw) throws IOException {
    lock.lock();
    try {
      if (released) {
        throw new IOException("the body is closed");
      }
      if (inflater == null) {
        inflater = inflaters.make(raw);
      } else {
        inflater.reset();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether this many coded octets follow, which are in the buffer then.
   *
   * @param count at most 2
   */
  final boolean has(int count) throws IOException {
    while (limit - at < count) {
      System.arraycopy(buffer, at, buffer, 0, limit - at);
      before += at;
      limit -= at;
      at = 0;
      int n = coded.read(buffer, limit, BUFFER - limit);
      if (n < 0) {
        return false;
      }
      limit += n;
    }
    return true;
  }

  /** Consumes the next coded octet; fails at the end of the content. */
  final int octet() throws IOException {
    if (!has(1)) {
      throw truncated();
    }
    return buffer[at++] & 0xFF;
  }

  /** The next two coded octets, which are not consumed; fails at the end of the content. */
  final int peekTwo() throws IOException {
    if (!has(2)) {
      throw truncated();
    }
    return (buffer[at] & 0xFF) << 8 | (buffer[at + 1] & 0xFF);
  }

  private MalformedMessageException truncated() {
    return malformed("it is truncated", before + limit, null);
  }

  final MalformedMessageException malformed(String what) {
    return malformed(what, before + at, null);
  }

  private MalformedMessageException malformed(
      String what, long position, @Nullable Throwable cause) {
    return new MalformedMessageException(
        MalformedMessageException.Kind.CODING,
        "the response's content cannot be decoded as %s: %s (byte %d of it)"
            .formatted(coding, what, position),
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
      if (inflater != null) {
        inflater.end();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void close() throws IOException {
    release();
    coded.close();
  }
}
