package heddle.brotli;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import heddle.http.ContentCoding;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * Decodes Brotli (RFC 7932). Windows have at most 16 MiB: the larger ones of "large window Brotli"
 * are no part of the RFC, and an error.
 */
final class BrotliDecoder implements ContentCoding.Decoder {
  private static final int BUFFER = 16 << 10;
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  /** Frees the memory of decoders that were forgotten. */
  private static final Cleaner CLEANER = Cleaner.create();

  private final DecoderJNI.Wrapper brotli = new DecoderJNI.Wrapper(BUFFER);
  private final Cleaner.Cleanable memory = CLEANER.register(this, brotli::destroy);

  /** Decoded and not taken yet: memory of the native decoder, valid until that is used again. */
  private ByteBuffer output = NONE;

  /**
   * Whether output was pulled last. The status may then ask for input, although what was taken has
   * not been decoded to its end: the library's window was full.
   */
  private boolean hasPulled;

  BrotliDecoder() throws IOException {}

  @Override
  public boolean decode(ByteBuffer source, ByteBuffer target) throws DataFormatException {
    while (true) {
      take(target);
      if (output.hasRemaining()) {
        return false;
      }
      DecoderJNI.Status status = brotli.getStatus();
      if (brotli.hasOutput() || status == DecoderJNI.Status.NEEDS_MORE_OUTPUT) {
        output = brotli.pull();
        hasPulled = true;
      } else if (status == DecoderJNI.Status.OK
          || (status == DecoderJNI.Status.NEEDS_MORE_INPUT && hasPulled)) {
        goOn(0);
      } else if (status == DecoderJNI.Status.ERROR) {
        // The library does not tell these from each other.
        throw new DataFormatException("it is corrupt, or other data follows its end");
      } else if (!source.hasRemaining()) {
        return status == DecoderJNI.Status.DONE;
      } else if (status == DecoderJNI.Status.DONE) {
        throw new DataFormatException("other data follows its end");
      } else {
        push(source);
      }
    }
  }

  private void take(ByteBuffer target) {
    int count = Math.min(output.remaining(), target.remaining());
    target.put(target.position(), output, output.position(), count);
    target.position(target.position() + count);
    output.position(output.position() + count);
  }

  private void push(ByteBuffer source) {
    ByteBuffer input = brotli.getInputBuffer();
    int count = Math.min(input.capacity(), source.remaining());
    input.put(0, source, source.position(), count);
    source.position(source.position() + count);
    goOn(count);
  }

  private void goOn(int count) {
    hasPulled = false;
    brotli.push(count);
  }

  @Override
  public void close() {
    output = NONE;
    memory.clean();
  }
}
