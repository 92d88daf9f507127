package heddle.connection.negotiate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Tells HTTP/2 from HTTP/1.x by the first bytes of a connection, however they are cut: the preface
 * of a client that speaks HTTP/2 begins like a request of a method that no request has (RFC 9113
 * §3.4).
 */
final class PrefaceMatcher {
  /** What comes behind it is left to the session, whose error it is when that is wrong. */
  private static final byte[] BEGINNING =
      "PRI * HTTP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  enum Answer {
    UNDECIDED,
    HTTP_1,
    HTTP_2
  }

  private int matched;

  /** Takes bytes as long as they may be the preface's; what is left belongs to the protocol. */
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

  /** The bytes taken, which are the protocol's too. */
  ByteBuffer matched() {
    return ByteBuffer.wrap(BEGINNING.clone(), 0, matched);
  }
}
