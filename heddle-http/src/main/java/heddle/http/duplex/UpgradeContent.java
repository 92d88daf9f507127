package heddle.http.duplex;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.io.Interrupts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that offers the server another protocol (RFC 9110 §7.8). Once the server
 * has switched, the connection {@linkplain #switched passes} it a stream, and what the caller
 * writes to the {@link #output} goes there. Thread-safe, for one thread at a time that writes.
 */
public final class UpgradeContent extends Body {
  private final CompletableFuture<OutputStream> connection = new CompletableFuture<>();
  private final OutputStream output = new Output();
  private final Body content;

  /** Creates the body of a request without content. */
  public UpgradeContent() {
    this(Body.empty());
  }

  /**
   * Creates the body of a request of HTTP/1.1 with content, which is sent before the other protocol
   * begins.
   */
  public UpgradeContent(Body content) {
    this.content = content;
  }

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
    return content.length();
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  @Override
  public InputStream stream() throws IOException {
    return content.stream();
  }

  @Override
  public @Nullable ByteBuffer inMemory() {
    return content.inMemory();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public void close() throws IOException {
    content.close();
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
