package heddle.http.duplex;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Content of a request over HTTP/2 that is written to the stream itself, on the threads that write,
 * while the response is read and after it has ended (RFC 9113 §8.1). The exchange is over when both
 * directions are: the {@linkplain Output output} was closed or aborted, and the response read to
 * its end or closed. It can be sent once.
 */
public abstract class DuplexContent extends Body {
  private final AtomicBoolean aborted = new AtomicBoolean();
  private volatile @Nullable Output output;

  /** Creates content that was not opened. */
  protected DuplexContent() {}

  /** Where the content is written, by one thread at a time. Closing it ends the content. */
  public abstract static class Output extends OutputStream {
    /** Creates one for a stream. */
    protected Output() {}

    /**
     * Gives both directions up: the stream is reset, unless both are over. Threads that write or
     * read get an exception. From any thread; does not wait.
     */
    public abstract void abort();
  }

  /**
   * The head of the request was sent. Called once, on the thread of the call, which then waits for
   * the response. The output may be used until the content is complete, by any thread.
   *
   * @throws IOException if the content cannot be written; fails the call
   */
  protected abstract void opened(Output stream) throws IOException;

  /** Called by the connection once the head was sent. */
  public final void open(Output stream) throws IOException {
    output = stream;
    // Aborting sets its flag first and then reads the output.
    if (aborted.get()) {
      stream.abort();
      throw new IOException("the content was given up before it was opened");
    }
    opened(stream);
  }

  /** {@linkplain Output#abort Aborts} the output, now or when it is opened. */
  public final void abort() {
    aborted.set(true);
    Output open = output;
    if (open != null) {
      open.abort();
    }
  }

  /** Whether the content was not opened. */
  @Override
  public final boolean isReplayable() {
    return output == null;
  }

  @Override
  public final boolean isDuplex() {
    return true;
  }

  /** Not possible: there is nothing to read. */
  @Override
  public final InputStream stream() throws IOException {
    throw new IOException(
        "the content is written to a stream of HTTP/2 and cannot be read: send it without steps"
            + " that change it");
  }
}
