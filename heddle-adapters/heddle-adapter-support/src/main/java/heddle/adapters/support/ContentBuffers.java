package heddle.adapters.support;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Arrays in which the content of requests is collected before it is sent, used again afterwards.
 * Fresh memory is in no processor's cache: to clear it, to fill it and to send it costs several
 * times what the same costs in memory that was used a moment before. At most 3 MiB are kept.
 * Safe for use by many threads.
 */
public final class ContentBuffers {
  /** The most bytes of an array that is used again: 256 KiB. */
  public static final int MOST_BYTES = 256 * 1024;

  private static final int USUAL_BYTES = 64 * 1024;

  /** Up to so many, an array of just that length is cheaper. */
  private static final int FEW_BYTES = 8 * 1024;

  /** As a rule a thread gives back what it has taken before its processor runs another. */
  private static final int KEPT = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 16);

  private final AtomicReferenceArray<byte @Nullable []> usual = new AtomicReferenceArray<>(KEPT);
  private final AtomicReferenceArray<byte @Nullable []> large =
      new AtomicReferenceArray<>(Math.max(1, KEPT / 2));

  /** None are kept yet. */
  public ContentBuffers() {}

  /** Whether an array for so many bytes is one that is used again. */
  public static boolean areKeptFor(long length) {
    return length > FEW_BYTES && length <= MOST_BYTES;
  }

  /**
   * An array for so many bytes, or more, with anything in it.
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
   * Nobody but the caller uses the array, and from now on the caller does not either. One too many
   * is left to the collector, as every array is that nobody gives back.
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

  /** The one that was given back last, as a rule: its bytes are still near. */
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
