package heddle.web.filter;

import heddle.http.ContentCoding;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicInteger;

/** A coding whose open encoders are counted together with those of others. */
final class CountedCoding implements ContentCoding {
  private final ContentCoding coding;
  private final AtomicInteger open;

  CountedCoding(ContentCoding coding, AtomicInteger open) {
    this.coding = coding;
    this.open = open;
  }

  @Override
  public String name() {
    return coding.name();
  }

  @Override
  public Decoder decoder() throws IOException {
    return coding.decoder();
  }

  @Override
  public OutputStream encoder(OutputStream target) throws IOException {
    OutputStream encoder = coding.encoder(target);
    open.incrementAndGet();
    return new Counted(encoder);
  }

  private final class Counted extends OutputStream {
    private final OutputStream encoder;
    private boolean closed;

    Counted(OutputStream encoder) {
      this.encoder = encoder;
    }

    @Override
    public void write(int octet) throws IOException {
      encoder.write(octet);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      encoder.write(octets, offset, length);
    }

    @Override
    public void flush() throws IOException {
      encoder.flush();
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        open.decrementAndGet();
        encoder.close();
      }
    }
  }
}
