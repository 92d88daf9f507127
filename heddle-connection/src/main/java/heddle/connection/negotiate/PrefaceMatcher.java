package heddle.connection.negotiate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Tells HTTP/2 from HTTP/1.x by the first bytes of a connection, however they are cut: the preface
 * of an HTTP/2 client begins like a request with a method that no request uses (RFC 9113 §3.4).
 */
final class PrefaceMatcher {
  /** The session checks the rest of the preface and reports errors in it. */
  private static final byte[] BEGINNING =
      "PRI * HTTP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  enum Answer {
    UNDECIDED,
    HTTP_1,
    HTTP_2
  }

  private int matched;

  /** Takes bytes while they match the preface; the remaining bytes belong to the protocol. */
  Answer match(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (bytes.get(bytes.position()) != BEGINNING[matched]) {
        return Answer.HTTP_1;
      }
      bytes.get();
      matched++;
      if (matched == BEGINNING.length) {
        return Answer.HTTP_2;
      }
    }
    return Answer.UNDECIDED;
  }

  /** The bytes taken, which the protocol must also get. */
  ByteBuffer matched() {
    return ByteBuffer.wrap(BEGINNING.clone(), 0, matched);
  }
}
