package heddle.adapters.aws;

import heddle.adapters.support.TimeLimit;
import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Streamed content, cut to its announced length as by the SDK's own clients, and with an optional
 * write timeout. The client reads the next piece once the previous one was written, so the time
 * between two reads is the time that the server took to accept it.
 */
final class StreamedBody extends Body {
  private final Body content;
  private final @Nullable Duration writeTimeout;
  private final Consumer<IOException> onStall;

  /**
   * @param content must have at least its announced length
   * @param writeTimeout how long the server may accept no bytes of it; null for no limit
   * @param onStall called when that time has passed, on a virtual thread
   */
  StreamedBody(Body content, @Nullable Duration writeTimeout, Consumer<IOException> onStall) {
    this.content = content;
    this.writeTimeout = writeTimeout;
    this.onStall = onStall;
  }

  @Override
  public long length() {
    return content.length();
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  @Override
  public InputStream stream() throws IOException {
    Duration timeout = writeTimeout;
    TimeLimit limit = timeout == null
        ? null
        : new TimeLimit(timeout.toNanos(), () -> Thread.startVirtualThread(() -> stalled(timeout)));
    return new Announced(content.stream(), length() == UNKNOWN ? Long.MAX_VALUE : length(), limit);
  }

  private void stalled(Duration timeout) {
    onStall.accept(new SocketTimeoutException("the server accepted no bytes of the request for "
        + timeout.toMillis() + " ms; raise writeTimeout of the HTTP client's builder"));
  }

  @Override
  public void close() throws IOException {
    content.close();
  }

  /** The content up to its length. The limit runs while a piece is being written. */
  private static final class Announced extends InputStream {
    private final InputStream in;
    private final @Nullable TimeLimit limit;
    private long left;

    Announced(InputStream in, long length, @Nullable TimeLimit limit) {
      this.in = in;
      this.left = length;
      this.limit = limit;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      Objects.checkFromIndexSize(offset, count, target.length);
      if (limit != null) {
        limit.end();
      }
      int taken = left == 0 ? -1 : in.read(target, offset, (int) Math.min(count, left));
      if (taken > 0) {
        left -= taken;
        if (limit != null) {
          limit.begin();
        }
      }
      return taken;
    }

    @Override
    public int available() throws IOException {
      return (int) Math.min(in.available(), left);
    }

    @Override
    public void close() throws IOException {
      if (limit != null) {
        limit.end();
      }
      in.close();
    }
  }
}
