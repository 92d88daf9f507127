package heddle.websocket;

import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** Compresses messages (RFC 7692 section 7.2.1). For one thread at a time. */
final class MessageDeflater implements AutoCloseable {
  /** A shorter message is sent as it is: compressing it costs more than it saves. */
  static final int WORTHWHILE_BYTES = 1024;

  /** The end of each flush, which is left out: an empty block that is not compressed. */
  private static final int TAIL_BYTES = 4;

  private final boolean keepsContext;
  private @Nullable Deflater open;

  /** {@code keepsContext}: whether messages may refer to earlier ones. */
  MessageDeflater(boolean keepsContext) {
    this.keepsContext = keepsContext;
  }

  byte[] compress(byte[] content) {
    Deflater deflater = open == null ? new Deflater(Deflater.DEFAULT_COMPRESSION, true) : open;
    open = keepsContext ? deflater : null;
    try {
      deflater.setInput(content);
      byte[] bytes = new byte[content.length / 2 + 64];
      int count = 0;
      while (true) {
        count += deflater.deflate(bytes, count, bytes.length - count, Deflater.SYNC_FLUSH);
        if (count < bytes.length) {
          return Arrays.copyOf(bytes, count - TAIL_BYTES);
        }
        bytes = Arrays.copyOf(bytes, Growth.of(bytes.length, 64, Integer.MAX_VALUE));
      }
    } finally {
      if (!keepsContext) {
        deflater.end();
      }
    }
  }

  /** Frees native memory. */
  @Override
  public void close() {
    if (open != null) {
      open.end();
      open = null;
    }
  }
}
