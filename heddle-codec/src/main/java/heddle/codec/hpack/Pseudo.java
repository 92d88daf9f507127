package heddle.codec.hpack;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The pseudo-header fields of RFC 9113 §8.3 and, for {@code :protocol}, RFC 8441 §4. */
public enum Pseudo {
  METHOD(":method"),
  SCHEME(":scheme"),
  AUTHORITY(":authority"),
  PATH(":path"),
  STATUS(":status"),
  PROTOCOL(":protocol");

  private static final Pseudo[] ALL = values();

  private final String text;
  private final byte[] bytes;

  Pseudo(String text) {
    this.text = text;
    this.bytes = text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The pseudo-header field whose name, with its colon, stands in {@code buf}, or null. */
  static @Nullable Pseudo find(byte[] buf, int off, int len) {
    for (Pseudo each : ALL) {
      if (Arrays.equals(each.bytes, 0, each.bytes.length, buf, off, off + len)) {
        return each;
      }
    }
    return null;
  }

  /** Length of the name in bytes, colon included. */
  int length() {
    return bytes.length;
  }

  /** Writes the name to {@code dst} and returns the index after it. */
  int copyTo(byte[] dst, int at) {
    System.arraycopy(bytes, 0, dst, at, bytes.length);
    return at + bytes.length;
  }

  /** The name as it stands on the wire, such as {@code :method}. */
  @Override
  public String toString() {
    return text;
  }
}
