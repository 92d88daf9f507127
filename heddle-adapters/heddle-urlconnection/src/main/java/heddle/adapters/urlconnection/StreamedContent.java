package heddle.adapters.urlconnection;

import heddle.http.Body;
import heddle.http.Response;
import heddle.http.io.ContentPipe;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Content that is sent while it is written. Used by one thread. */
final class StreamedContent extends OutputStream {
  private final ContentPipe pipe;
  private final OutputStream out;
  private final long length;
  private final CompletableFuture<Response> sent;
  private long written;
  private boolean closed;

  /**
   * @param length in bytes, or {@link Body#UNKNOWN}
   * @param sent the response, which may arrive before the content was written
   */
  StreamedContent(ContentPipe pipe, long length, CompletableFuture<Response> sent) {
    this.pipe = pipe;
    this.out = pipe.output();
    this.length = length;
    this.sent = sent;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, source.length);
    if (closed) {
      throw new IOException("Stream is closed");
    }
    written += count;
    if (length != Body.UNKNOWN && written > length) {
      IOException tooMany = new IOException("too many bytes to write");
      pipe.fail(tooMany);
      throw tooMany;
    }
    try {
      out.write(source, offset, count);
    } catch (IOException e) {
      // A server may answer before it has read everything: then the rest is dropped.
      if (!pipe.hasRefused() || sent.isCompletedExceptionally()) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (length != Body.UNKNOWN && written < length) {
      IOException tooFew = new IOException("insufficient data written");
      pipe.fail(tooFew);
      throw tooFew;
    }
    pipe.end();
  }
}
