package heddle.http.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads several contents one after the other; each is opened when the one before is at its end, and
 * closed at its own. For one reading thread; closed from any.
 */
public final class PartsInput extends InputStream {
  private final Iterator<Source> rest;

  // The reader's alone.
  private Source source = new Source("", 0, InputStream::nullInputStream);
  private long count;

  private volatile @Nullable InputStream current;
  private volatile boolean closed;

  @FunctionalInterface
  public interface Opener {
    InputStream open() throws IOException;
  }

  /** One of the contents: its name is for exceptions, its length is negative if not known. */
  public record Source(String name, long length, Opener opener) {}

  public PartsInput(List<Source> sources) {
    this.rest = List.copyOf(sources).iterator();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws IOException also if a content is not of its declared length: what follows would be at
   *     the wrong position
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    while (true) {
      if (closed) {
        throw new IOException("the body is closed");
      }
      InputStream in = current;
      if (in == null) {
        if (!rest.hasNext()) {
          return -1;
        }
        open(rest.next());
      } else {
        int n = in.read(target, offset, length);
        if (n >= 0) {
          count(n);
          return n;
        }
        atEnd(in);
      }
    }
  }

  private void open(Source next) throws IOException {
    InputStream opened = next.opener.open();
    source = next;
    count = 0;
    current = opened;
    if (closed) {
      // The thread that closed this did not see it.
      opened.close();
    }
  }

  private void count(int n) throws IOException {
    count += n;
    if (source.length >= 0 && count > source.length) {
      throw new IOException(source.name + " has more than its " + source.length + " bytes");
    }
  }

  private void atEnd(InputStream in) throws IOException {
    if (count < source.length) {
      throw new IOException(source.name + " ended after " + count + " of " + source.length
          + " bytes: give its true length");
    }
    current = null;
    in.close();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    InputStream in = current;
    if (in != null) {
      in.close();
    }
  }
}
