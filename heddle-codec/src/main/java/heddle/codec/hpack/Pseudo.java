package heddle.codec.hpack;

import heddle.http.syntax.Octets;
import org.jspecify.annotations.Nullable;

/** The pseudo-header fields of RFC 9113 §8.3 and, for {@code :protocol}, RFC 8441 §4. */
public enum Pseudo {
  METHOD(":method", 2, 2),
  SCHEME(":scheme", 6, 2),
  AUTHORITY(":authority", 1, 1),
  PATH(":path", 4, 2),
  STATUS(":status", 8, 7),
  PROTOCOL(":protocol", 0, 0);

  private static final Pseudo[] ALL = values();

  private final String text;
  private final int firstIndex;
  private final int entries;

  Pseudo(String text, int firstIndex, int entries) {
    this.text = text;
    this.firstIndex = firstIndex;
    this.entries = entries;
  }

  /** The index of its first entry in the static table (RFC 7541 appendix A), 0 for none. */
  int firstIndex() {
    return firstIndex;
  }

  /** How many entries of the static table have this name; they stand one after the other. */
  int entries() {
    return entries;
  }

  /** The pseudo-header field whose name, with its colon, stands in {@code buf}, or null. */
  static @Nullable Pseudo find(byte[] buf, int off, int len) {
    if (len == 0 || buf[off] != ':') {
      return null;
    }
    for (Pseudo each : ALL) {
      if (Octets.equals(buf, off, len, each.text)) {
        return each;
      }
    }
    return null;
  }

  int nameHash() {
    return text.hashCode();
  }

  /** Length of the name in bytes, colon included. */
  public int length() {
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
