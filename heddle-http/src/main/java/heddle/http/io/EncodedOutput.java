package heddle.http.io;

import heddle.http.io.EncodingInput.Encoding;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes content encoded, as by gzip, to a stream. Flushing it sends what was written before so
 * that it can be decoded. Used by one thread at a time; {@link #finish} or {@link #discard} frees
 * the memory of the encoder.
 */
public final class EncodedOutput extends OutputStream {
  private final Target target;
  private final OutputStream encoder;
  private boolean released;

  /**
   * Begins to encode.
   *
   * @param target is not closed
   * @throws IOException if there is no memory for the encoder, or the target throws one
   */
  public EncodedOutput(OutputStream target, Encoding encoding) throws IOException {
    this.target = new Target(target);
    this.encoder = encoding.encoder(this.target);
  }

  @Override
  public void write(int octet) throws IOException {
    checkOpen();
    encoder.write(octet);
  }

  @Override
  public void write(byte[] octets, int offset, int length) throws IOException {
    checkOpen();
    encoder.write(octets, offset, length);
  }

  @Override
  public void flush() throws IOException {
    checkOpen();
    encoder.flush();
    target.flush(); // not every encoder does
  }

  private void checkOpen() throws IOException {
    if (released) {
      throw new IOException("the content has ended");
    }
  }

  /** Writes the rest to the target, which stays open. Does nothing after an end. */
  public void finish() throws IOException {
    if (!released) {
      released = true;
      target.ending = true;
      encoder.close();
    }
  }

  /** Gives the content up: nothing more is written to the target. */
  public void discard() throws IOException {
    target.discarding = true;
    finish();
  }

  /** As {@link #finish}. */
  @Override
  public void close() throws IOException {
    finish();
  }

  /** Stays open, and is not flushed by the end of the content. */
  private static final class Target extends OutputStream {
    private final OutputStream out;
    private boolean ending;
    private boolean discarding;

    Target(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int octet) throws IOException {
      if (!discarding) {
        out.write(octet);
      }
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      if (!discarding) {
        out.write(octets, offset, length);
      }
    }

    @Override
    public void flush() throws IOException {
      if (!ending) {
        out.flush();
      }
    }
  }
}
