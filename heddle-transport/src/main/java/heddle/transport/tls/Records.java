package heddle.transport.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into records (RFC 8446 §5.1, RFC 5246 §6.2.1). A record that lies whole in
 * the input is handed on in place; only one that is cut is copied, and only until its rest has
 * come. Not safe for use by many threads.
 */
final class Records {
  static final int HANDSHAKE = 22;

  private static final int HEADER_BYTES = 5;
  private static final int FIRST_TYPE = 20;
  private static final int LAST_TYPE = 24;
  private static final int MAJOR_VERSION = 3;

  /** RFC 5246 §6.2.3; RFC 8446 §5.2 allows less. */
  private static final int MAX_CONTENT = 16 * 1024 + 2048;

  private static final byte[] NOTHING = {};

  // What waits: from the beginning of a record, often the only one.
  private byte[] held = NOTHING;
  private int from;
  private int to;

  /** There is no record at the place where one should begin. */
  static final class NotTlsException extends IOException {
    private static final long serialVersionUID = 1L;

    NotTlsException(String message) {
      super(message);
    }
  }

  /** How many bytes wait for more. */
  int size() {
    return to - from;
  }

  /** Takes all that remains in the input. */
  void hold(ByteBuffer in) {
    copy(in, in.remaining());
  }

  /**
   * The next whole record. It may be decrypted in place, and is valid until the input changes.
   *
   * @return null when there is none: what remained of the input is held
   * @throws NotTlsException when what begins here is no record
   */
  @Nullable
  ByteBuffer next(ByteBuffer in) throws NotTlsException {
    if (from == to && in.remaining() >= HEADER_BYTES) {
      int length = length(in);
      if (in.remaining() >= length) {
        ByteBuffer record = in.slice(in.position(), length);
        in.position(in.position() + length);
        return record;
      }
      reserve(length);
    }
    if (!fill(HEADER_BYTES, in)) {
      return null;
    }
    int length = length(ByteBuffer.wrap(held, from, to - from));
    if (!fill(length, in)) {
      return null;
    }
    ByteBuffer record = ByteBuffer.wrap(held, from, length).slice();
    from += length;
    if (from == to) {
      // An idle connection keeps nothing.
      clear();
    }
    return record;
  }

  /** Gives all that waits to another, which holds nothing yet. */
  void moveTo(Records other) {
    other.held = held;
    other.from = from;
    other.to = to;
    clear();
  }

  private void clear() {
    held = NOTHING;
    from = 0;
    to = 0;
  }

  /** Takes input until {@code count} bytes are held; returns false if there is too little of it. */
  private boolean fill(int count, ByteBuffer in) {
    int missing = count - size();
    if (missing > 0) {
      reserve(missing);
      copy(in, Math.min(missing, in.remaining()));
    }
    return size() >= count;
  }

  private void copy(ByteBuffer in, int count) {
    reserve(count);
    in.get(held, to, count);
    to += count;
  }

  /** Never moves within the array: a record that was handed out may still be in it. */
  private void reserve(int more) {
    if (held.length - to < more) {
      held = Arrays.copyOfRange(held, from, to + more);
      to -= from;
      from = 0;
    }
  }

  static int type(ByteBuffer record) {
    return record.get(record.position()) & 0xFF;
  }

  /** How long the record is, header included, whose header begins at the buffer's position. */
  private static int length(ByteBuffer bytes) throws NotTlsException {
    int at = bytes.position();
    int type = type(bytes);
    int content = bytes.getShort(at + 3) & 0xFFFF;
    if (type < FIRST_TYPE
        || type > LAST_TYPE
        || bytes.get(at + 1) != MAJOR_VERSION
        || content > MAX_CONTENT) {
      throw new NotTlsException(describe(bytes));
    }
    return HEADER_BYTES + content;
  }

  private static String describe(ByteBuffer bytes) {
    byte[] start = new byte[Math.min(24, bytes.remaining())];
    bytes.get(bytes.position(), start);
    String text = new String(start, StandardCharsets.ISO_8859_1).replaceAll("[^ -~].*", "");
    if (text.length() < 4) {
      return "what it sent is not TLS";
    }
    boolean http = text.startsWith("HTTP/") || text.contains(" /");
    return "what it sent is not TLS but begins with \"" + text + "\""
        + (http ? ": it speaks plain HTTP at this port" : "");
  }
}
