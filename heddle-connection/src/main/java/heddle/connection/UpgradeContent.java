package heddle.connection;

import heddle.http.Body;
import heddle.http.io.Interrupts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that offers the server another protocol (RFC 9110 §7.8), which has no
 * content. Once the server has switched, the connection {@linkplain #switched passes} it a stream,
 * and what the caller writes to the {@link #output} goes there. Thread-safe, for one thread at a
 * time that writes.
 */
public final class UpgradeContent extends Body {
  private final CompletableFuture<OutputStream> connection = new CompletableFuture<>();
  private final OutputStream output = new Output();

  /** Creates the body of one request. */
  public UpgradeContent() {}

  /**
   * Where the caller writes. Writing waits until the server has switched, and fails if it has
   * answered otherwise.
   */
  public OutputStream output() {
    return output;
  }

  /** The server has switched to the other protocol, whose bytes are to be written here. */
  public void switched(OutputStream out) {
    connection.complete(out);
  }

  /**
   * The server will not switch, or the call is over: writes that wait for it fail.
   *
   * @param because the cause of their failure; null for none
   */
  public void abandon(@Nullable Throwable because) {
    connection.completeExceptionally(
        because == null ? new IOException("the call is over") : because);
  }

  @Override
  public long length() {
    return 0;
  }

  @Override
  public boolean isReplayable() {
    return true;
  }

  @Override
  public InputStream stream() {
    return InputStream.nullInputStream();
  }

  private OutputStream connection() throws IOException {
    try {
      return connection.get();
    } catch (InterruptedException e) {
      throw Interrupts.restored("interrupted while waiting for the server to switch", e);
    } catch (ExecutionException e) {
      throw new IOException("the server has not switched to another protocol", e.getCause());
    }
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int octet) throws IOException {
      connection().write(octet);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      connection().write(source, offset, size);
    }

    @Override
    public void close() throws IOException {
      connection().close();
    }
  }
}
