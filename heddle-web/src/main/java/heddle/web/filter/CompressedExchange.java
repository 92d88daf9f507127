package heddle.web.filter;

import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.Response;
import heddle.http.io.EncodedOutput;
import heddle.server.spi.Exchange;
import heddle.server.spi.ForwardingExchange;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** An exchange whose handler may begin a response that is compressed. */
final class CompressedExchange extends ForwardingExchange {
  private final Compression compression;
  private @Nullable Output output;

  CompressedExchange(Exchange exchange, Compression compression) {
    super(exchange);
    this.compression = compression;
  }

  @Override
  public OutputStream begin(Response head) {
    String length = head.headers().first(HeaderName.CONTENT_LENGTH);
    long declared = length == null ? Body.UNKNOWN : Compression.parseLength(length);
    Compression.Plan plan = compression.plan(request(), head, declared);
    OutputStream out = super.begin(plan.head());
    ContentCoding coding = plan.coding();
    if (coding == null || Compression.isWithoutContent(request(), head)) {
      return out;
    }
    Output begun = new Output(out, coding, declared);
    output = begun;
    return begun;
  }

  /** Ends the response that was begun, if any. */
  void finish() throws IOException {
    if (output != null) {
      output.finish();
    }
  }

  /** Frees the memory of the encoder. */
  void release() throws IOException {
    if (output != null) {
      output.release();
    }
  }

  /** Compresses what is written, and holds it to the announced length. */
  private static final class Output extends OutputStream {
    private final OutputStream out;
    private final ContentCoding coding;
    private final long length;
    private long written;
    private @Nullable EncodedOutput encoded;
    private @Nullable IOException failure;
    private boolean ended;

    Output(OutputStream out, ContentCoding coding, long length) {
      this.out = out;
      this.coding = coding;
      this.length = length;
    }

    private EncodedOutput encoded() throws IOException {
      if (encoded == null) {
        encoded = new EncodedOutput(out, coding::encoder);
      }
      return encoded;
    }

    private void checkOpen() throws IOException {
      if (ended) {
        throw new IOException("the response has ended", failure);
      }
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      checkOpen();
      if (length >= 0 && size > length - written) {
        throw failed(written + size + " bytes or more");
      }
      encoded().write(source, offset, size);
      written += size;
    }

    private IOException failed(String seen) {
      ended = true;
      failure = new IOException(
          "the response's content has " + seen + ", but its Content-Length is " + length);
      return failure;
    }

    @Override
    public void flush() throws IOException {
      checkOpen();
      if (written == 0) {
        out.flush();
      } else {
        encoded().flush();
      }
    }

    @Override
    public void close() throws IOException {
      if (ended) {
        return;
      }
      if (written < length) {
        throw failed(written + " bytes");
      }
      encoded().finish();
      ended = true;
      out.close();
    }

    void finish() throws IOException {
      close();
      if (failure != null) {
        throw failure; // so that the server cuts the response
      }
    }

    void release() throws IOException {
      ended = true;
      if (encoded != null) {
        encoded.discard();
      }
    }
  }
}
