package heddle.codec.hpack;

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

  Pseudo(String text) {
    this.text = text;
  }

  /** The pseudo-header field whose name, with its colon, stands in {@code buf}, or null. */
  static @Nullable Pseudo find(byte[] buf, int off, int len) {
    for (Pseudo each : ALL) {
      if (each.text.length() == len && each.stands(buf, off)) {
        return each;
      }
    }
    return null;
  }

  private boolean stands(byte[] buf, int off) {
    for (int i = 0; i < text.length(); i++) {
      if (buf[off + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Length of the name in bytes, colon included. */
  int length() {
    return text.length();
  }

  /** Writes the name to {@code dst} and returns the index after it. */
  int copyTo(byte[] dst, int at) {
    for (int i = 0; i < text.length(); i++) {
      dst[at + i] = (byte) text.charAt(i);
    }
    return at + text.length();
  }

  /** The name as it stands on the wire, such as {@code :method}. */
  @Override
  public String toString() {
    return text;
  }
}
