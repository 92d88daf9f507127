package heddle.codec.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The Huffman code for string literals, RFC 7541 §5.2 and appendix B.
 *
 * <p>The code is canonical: codes of one length are consecutive numbers in the order of their
 * symbols, and shorter codes come first. So the lengths alone define the code, and one comparison
 * per length finds how long the next code is.
 */
final class Huffman {
  /** The length in bits of the code of each octet, and last that of EOS (RFC 7541 appendix B). */
  private static final byte[] LENGTHS = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, // 0x00
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, // 0x10
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, // 0x20
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, // 0x30
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, // 0x40
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, // 0x50
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, // 0x60
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, // 0x70
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, // 0x80
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, // 0x90
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, // 0xA0
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, // 0xB0
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, // 0xC0
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, // 0xD0
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, // 0xE0
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, // 0xF0
    30
  };

  private static final int EOS = 256;
  private static final int SHORTEST = 5;
  private static final int LONGEST = 30;

  private static final short[] SYMBOLS = new short[EOS + 1]; // in the order of their codes

  /** For each length the least number, of 32 bits, that begins with a longer code. */
  private static final long[] ABOVE = new long[LONGEST + 1];

  private static final int[] TO_INDEX = new int[LONGEST + 1]; // code + this: index of the symbol
  private static final long[] CODES = new long[EOS]; // of each octet, << 5 | its length
  private static final int LOOK = 12; // bits that one look into PAIRS takes in

  /**
   * What the next twelve bits begin with: bits 0 to 7 the first symbol, 8 to 15 the second, 16 to
   * 19 the length of the first, 20 to 23 of both, 24 and 25 how many there are; 0 when the first
   * code is longer than twelve bits. Two at a time, because most octets of fields have codes of
   * five to seven bits.
   */
  private static final int[] PAIRS = new int[1 << LOOK];

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  static {
    assignCodes();
    fillPairs();
  }

  private Huffman() {}

  private static void assignCodes() {
    int code = 0;
    int index = 0;
    for (int length = SHORTEST; length <= LONGEST; length++) {
      TO_INDEX[length] = index - code;
      for (int symbol = 0; symbol <= EOS; symbol++) {
        if (LENGTHS[symbol] == length) {
          if (symbol < EOS) {
            CODES[symbol] = ((long) code << 5) | length;
          }
          SYMBOLS[index++] = (short) symbol;
          code++;
        }
      }
      ABOVE[length] = (long) code << (32 - length);
      code <<= 1;
    }
  }

  private static void fillPairs() {
    for (int look = 0; look < PAIRS.length; look++) {
      long bits = (long) look << (32 - LOOK);
      int first = lengthOfCode(bits);
      if (first > LOOK) {
        continue;
      }
      int entry = symbol(bits, first) | (first << 16);
      long rest = (bits << first) & 0xFFFF_FFFFL;
      int second = lengthOfCode(rest);
      if (first + second <= LOOK) {
        PAIRS[look] = entry | (symbol(rest, second) << 8) | ((first + second) << 20) | (2 << 24);
      } else {
        PAIRS[look] = entry | (first << 20) | (1 << 24);
      }
    }
  }

  /** The length of the code that the 32 bits begin with. */
  private static int lengthOfCode(long bits) {
    int length = SHORTEST;
    while (bits >= ABOVE[length]) {
      length++;
    }
    return length;
  }

  private static int symbol(long bits, int length) {
    return SYMBOLS[(int) (bits >>> (32 - length)) + TO_INDEX[length]];
  }

  /** The room that decoding this many bytes may need, with one byte to spare for a pair. */
  static int maxDecodedLength(int encodedLength) {
    return Math.toIntExact((long) encodedLength * 8 / SHORTEST) + 2;
  }

  /**
   * Decodes a string to {@code dst}, which has room for {@link #maxDecodedLength}. Returns the
   * decoded length, or -1 if EOS stands in the string, or if it is padded with more than seven bits
   * or with others than the first ones of EOS (RFC 7541 §5.2).
   */
  static int decode(byte[] src, int off, int len, byte[] dst) {
    int end = off + len;
    int from = off;
    int at = 0;
    long window = 0; // the next bits, from the top
    int bits = 0;
    while (true) {
      if (end - from >= Long.BYTES) {
        window |= (long) LONGS.get(src, from) >>> bits;
        int taken = (63 - bits) >> 3;
        from += taken;
        bits += taken << 3;
        // The low bits are of a byte that is not counted yet: the same bits are read again.
      } else {
        while (bits <= 56 && from < end) {
          window |= (src[from++] & 0xFFL) << (56 - bits);
          bits += 8;
        }
      }
      if (bits < LONGEST) {
        return decodeLast(window, bits, dst, at);
      }
      do {
        int pair = PAIRS[(int) (window >>> (64 - LOOK))];
        int length;
        if (pair != 0) {
          dst[at] = (byte) pair;
          dst[at + 1] = (byte) (pair >>> 8);
          at += pair >>> 24;
          length = (pair >>> 20) & 0xF;
        } else {
          length = lengthOfCode(window >>> 32);
          int symbol = symbol(window >>> 32, length);
          if (symbol == EOS) {
            return -1;
          }
          dst[at++] = (byte) symbol;
        }
        window <<= length;
        bits -= length;
      } while (bits >= LONGEST);
    }
  }

  /** The end of a string, where bits that are no more would look like zeros. */
  private static int decodeLast(long window, int bits, byte[] dst, int from) {
    long rest = window >>> 32;
    int left = bits;
    int at = from;
    while (left > 0) {
      long padded = rest | (0xFFFF_FFFFL >>> left);
      int length = lengthOfCode(padded);
      if (length > left) {
        return left <= 7 && padded == 0xFFFF_FFFFL ? at : -1;
      }
      dst[at++] = (byte) symbol(padded, length);
      rest = (rest << length) & 0xFFFF_FFFFL;
      left -= length;
    }
    return at;
  }

  /** The bytes that the octets take when encoded. */
  static int encodedLength(byte[] src, int off, int len) {
    long bits = 0;
    for (int i = off; i < off + len; i++) {
      bits += LENGTHS[src[i] & 0xFF];
    }
    return Math.toIntExact((bits + 7) >>> 3);
  }

  /** Encodes to {@code dst} and returns the index after it, or -1 if that is above the limit. */
  static int encode(byte[] src, int off, int len, byte[] dst, int to, int limit) {
    int at = to;
    long window = 0;
    int bits = 0;
    for (int i = off; i < off + len; i++) {
      long code = CODES[src[i] & 0xFF];
      int length = (int) code & 0x1F;
      window = (window << length) | (code >>> 5);
      bits += length;
      if (bits >= 32) {
        bits -= 32;
        if (at + Integer.BYTES > limit) {
          return -1;
        }
        INTS.set(dst, at, (int) (window >>> bits));
        at += 4;
      }
    }
    if (at + ((bits + 7) >>> 3) > limit) {
      return -1;
    }
    for (; bits >= 8; bits -= 8) {
      dst[at++] = (byte) (window >>> (bits - 8));
    }
    if (bits > 0) {
      // RFC 7541 §5.2: padded with the most significant bits of EOS, which are ones.
      dst[at++] = (byte) ((window << (8 - bits)) | (0xFF >>> bits));
    }
    return at;
  }
}
