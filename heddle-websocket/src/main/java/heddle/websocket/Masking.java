package heddle.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Masking of payloads (RFC 6455 section 5.3). */
final class Masking {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Masking() {}

  /**
   * Masks or unmasks bytes in place.
   *
   * @param key whose first octet is the most significant one
   * @param index of the first byte in its frame's payload
   */
  static void apply(byte[] bytes, int from, int count, int key, long index) {
    int rotated = Integer.rotateLeft(key, (int) (index & 3) * 8);
    long twice = (rotated & 0xFFFF_FFFFL) << 32 | (rotated & 0xFFFF_FFFFL);
    int at = from;
    int end = from + count;
    for (; at + 8 <= end; at += 8) {
      LONGS.set(bytes, at, (long) LONGS.get(bytes, at) ^ twice);
    }
    for (int shift = 56; at < end; at++, shift -= 8) {
      bytes[at] ^= (byte) (twice >>> shift);
    }
  }
}
