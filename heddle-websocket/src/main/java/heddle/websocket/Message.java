package heddle.websocket;

import java.util.Arrays;

/** A message that was received: text or binary data. Immutable, except for the bytes. */
public sealed interface Message {
  /**
   * A text message.
   *
   * @param text is valid Unicode
   */
  record Text(String text) implements Message {}

  /** A binary message. */
  final class Binary implements Message {
    private final byte[] bytes;

    /** Does not copy the bytes. */
    public Binary(byte[] bytes) {
      this.bytes = bytes;
    }

    /** The content, which is not copied: it belongs to the receiver of the message. */
    public byte[] bytes() {
      return bytes;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Binary other && Arrays.equals(bytes, other.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return "Binary[" + bytes.length + " bytes]";
    }
  }
}
