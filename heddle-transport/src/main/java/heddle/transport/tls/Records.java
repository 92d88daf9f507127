package heddle.transport.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What can be seen of a record from outside (RFC 8446 §5.1, RFC 5246 §6.2.1). */
final class Records {
  static final int HEADER_BYTES = 5;

  static final int HANDSHAKE = 22;

  private static final int FIRST_TYPE = 20;
  private static final int LAST_TYPE = 24;
  private static final int MAJOR_VERSION = 3;

  /** RFC 5246 §6.2.3; RFC 8446 §5.2 allows less. */
  private static final int MAX_CONTENT = 16 * 1024 + 2048;

  private Records() {}

  /** There is no record at the place where one should begin. */
  static final class NotTlsException extends IOException {
    private static final long serialVersionUID = 1L;

    NotTlsException(String message) {
      super(message);
    }
  }

  /**
   * How long the record is that begins at the buffer's position, header included; of its header
   * five bytes must be there.
   *
   * @throws NotTlsException if what begins there is no record
   */
  static int length(ByteBuffer bytes) throws NotTlsException {
    int at = bytes.position();
    int type = bytes.get(at) & 0xFF;
    int content = bytes.getShort(at + 3) & 0xFFFF;
    if (type < FIRST_TYPE
        || type > LAST_TYPE
        || bytes.get(at + 1) != MAJOR_VERSION
        || content > MAX_CONTENT) {
      throw new NotTlsException(describe(bytes));
    }
    return HEADER_BYTES + content;
  }

  static int type(ByteBuffer record) {
    return record.get(record.position()) & 0xFF;
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
