package heddle.codec.hpack;

import java.util.Arrays;

/** Bytes in an array that grows as they are added. Not safe for use by several threads. */
public final class HpackOutput {
  private static final int LEAST_CAPACITY = 128;

  private byte[] array;
  private int length;

  /** An empty buffer with room for {@code capacity} bytes. */
  public HpackOutput(int capacity) {
    array = new byte[capacity];
  }

  /** The bytes; those below {@link #length} count. Another array after the buffer has grown. */
  public byte[] array() {
    return array;
  }

  /** Number of bytes added since the last reset. */
  public int length() {
    return length;
  }

  /** Forgets the bytes and keeps the array. */
  public void reset() {
    length = 0;
  }

  /** Sets the number of bytes, after they were written to {@link #array} directly. */
  public void setLength(int newLength) {
    if (newLength < 0 || newLength > array.length) {
      throw new IllegalArgumentException(
          "length " + newLength + " is outside of the buffer's " + array.length + " bytes");
    }
    length = newLength;
  }

  /** Makes room for {@code more} bytes beyond {@link #length}. */
  public void ensure(int more) {
    if (more > array.length - length) {
      int needed = Math.addExact(length, more);
      array = Arrays.copyOf(array, Math.max(needed, Math.max(LEAST_CAPACITY, 2 * length)));
    }
  }

  /** Adds the low eight bits. */
  public void putByte(int octet) {
    ensure(1);
    array[length++] = (byte) octet;
  }

  public void put(byte[] src, int off, int len) {
    ensure(len);
    System.arraycopy(src, off, array, length, len);
    length += len;
  }

  /** Adds an integer whose first bits share a byte with {@code flags}, RFC 7541 §5.1. */
  void putInteger(int flags, int prefixBits, int value) {
    ensure(6);
    int most = (1 << prefixBits) - 1;
    if (value < most) {
      array[length++] = (byte) (flags | value);
      return;
    }
    array[length++] = (byte) (flags | most);
    int rest = value - most;
    for (; rest > 0x7F; rest >>>= 7) {
      array[length++] = (byte) (rest | 0x80);
    }
    array[length++] = (byte) rest;
  }
}
