package heddle.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdBufferDecompressingStreamNoFinalizer;
import com.github.luben.zstd.ZstdIOException;
import heddle.http.ContentCoding;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;

/** Decodes Zstandard: one or more frames (RFC 8878 section 3.1). */
final class ZstdDecoder implements ContentCoding.Decoder {
  private static final int MAGIC = 0xFD2FB528;

  /** Of a skippable frame, without the lowest four bits (RFC 8878 section 3.1.2). */
  private static final int SKIPPABLE = 0x184D2A50;

  /** RFC 9659 section 3: 8 MB, as a power of two. */
  private static final int MAX_WINDOW_LOG = 23;

  /** Frees the memory of decoders that were forgotten. */
  private static final Cleaner CLEANER = Cleaner.create();

  private final Frames frames = new Frames();
  private final Cleaner.Cleanable memory = CLEANER.register(this, frames::close);

  /** The beginning of the next frame. */
  private final ByteBuffer magic = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);

  private boolean first = true;
  private boolean inFrame;

  ZstdDecoder() throws IOException {
    frames.setLongMax(MAX_WINDOW_LOG);
  }

  @Override
  public boolean decode(ByteBuffer source, ByteBuffer target) throws DataFormatException {
    try {
      do {
        if (inFrame || begin(source, target)) {
          inFrame = !frames.decode(source, target);
        }
      } while (source.hasRemaining() && target.hasRemaining());
    } catch (ZstdIOException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new AssertionError("nothing but memory is read and written", e);
    }
    return !inFrame && !first && magic.position() == 0;
  }

  /** Whether a frame begins here; false if more of its beginning is needed. */
  private boolean begin(ByteBuffer source, ByteBuffer target)
      throws IOException, DataFormatException {
    while (magic.hasRemaining() && source.hasRemaining()) {
      magic.put(source.get());
    }
    if (magic.hasRemaining()) {
      return false;
    }
    int number = magic.getInt(0);
    // The library decodes formats from before the RFC too, without a limit of their windows.
    if (number != MAGIC && (number & 0xFFFF_FFF0) != SKIPPABLE) {
      throw new DataFormatException(
          first ? "it does not begin with the zstd header" : "other data follows its end");
    }
    first = false;
    frames.decode(magic.flip(), target);
    magic.clear();
    return true;
  }

  private static DataFormatException malformed(ZstdIOException e) {
    String reason = String.valueOf(e.getMessage());
    DataFormatException malformed = new DataFormatException(
        e.getErrorCode() == Zstd.errFrameParameterWindowTooLarge()
            ? "its window is larger than 8 MiB, the most that HTTP allows (RFC 9659)"
            : reason);
    malformed.initCause(e);
    return malformed;
  }

  @Override
  public void close() {
    memory.clean();
  }

  /** The library's decoder, changed to report the end of each frame. */
  private static final class Frames extends ZstdBufferDecompressingStreamNoFinalizer {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final ByteBuffer SOME = ByteBuffer.allocate(1).asReadOnlyBuffer();

    Frames() {
      super(NONE);
    }

    /** Decodes at most to the end of the frame, and returns whether it is there. */
    boolean decode(ByteBuffer in, ByteBuffer out) throws IOException {
      source = in;
      read(out);
      // Without input, only a frame that is not at its end has more.
      source = NONE;
      return !hasRemaining();
    }

    /** Otherwise the end of the input within reach would be taken for the end of all. */
    @Override
    protected ByteBuffer refill(ByteBuffer drained) {
      return SOME;
    }
  }
}
