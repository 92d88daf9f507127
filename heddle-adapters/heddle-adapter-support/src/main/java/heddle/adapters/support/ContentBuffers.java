package heddle.adapters.support;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Reuses the arrays in which request content is collected before it is sent. Fresh memory is in no
 * processor's cache, so clearing, filling and sending it costs several times as much as with
 * recently used memory. At most 3 MiB are kept. Thread-safe.
 */
public final class ContentBuffers {
  /** The maximum length of an array that is reused: 256 KiB. */
  public static final int MOST_BYTES = 256 * 1024;

  private static final int USUAL_BYTES = 64 * 1024;

  /** Up to this length, a new array of the exact length is cheaper. */
  private static final int FEW_BYTES = 8 * 1024;

  /** A thread usually gives its array back before its processor runs another thread. */
  private static final int KEPT = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 16);

  private final AtomicReferenceArray<byte @Nullable []> usual = new AtomicReferenceArray<>(KEPT);
  private final AtomicReferenceArray<byte @Nullable []> large =
      new AtomicReferenceArray<>(Math.max(1, KEPT / 2));

  /** Creates an empty set of buffers. */
  public ContentBuffers() {}

  /** Whether arrays for this number of bytes are reused. */
  public static boolean areKeptFor(long length) {
    return length > FEW_BYTES && length <= MOST_BYTES;
  }

  /**
   * Returns an array of at least this length, with arbitrary content.
   *
   * @param length at least 0
   */
  public byte[] take(int length) {
    if (!areKeptFor(length)) {
      return new byte[length];
    }
    byte[] kept = poll(kept(length));
    return kept == null ? new byte[length <= USUAL_BYTES ? USUAL_BYTES : MOST_BYTES] : kept;
  }

  /**
   * Gives an array back for reuse. Neither the caller nor anyone else may use it afterwards. If
   * enough are kept, it is left to the garbage collector, as is an array that is never given back.
   */
  public void giveBack(byte[] array) {
    if (array.length != USUAL_BYTES && array.length != MOST_BYTES) {
      return;
    }
    AtomicReferenceArray<byte @Nullable []> places = kept(array.length);
    for (int i = 0; i < places.length(); i++) {
      if (places.getPlain(i) == null && places.compareAndSet(i, null, array)) {
        return;
      }
    }
  }

  private AtomicReferenceArray<byte @Nullable []> kept(int length) {
    return length <= USUAL_BYTES ? usual : large;
  }

  /** Usually the one that was given back last, whose bytes are still in the cache. */
  private static byte @Nullable [] poll(AtomicReferenceArray<byte @Nullable []> places) {
    for (int i = places.length() - 1; i >= 0; i--) {
      if (places.getPlain(i) != null) {
        byte[] kept = places.getAndSet(i, null);
        if (kept != null) {
          return kept;
        }
      }
    }
    return null;
  }
}
