package heddle.verify.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.testkit.Http2Peer;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** HTTP/2 as bytes, valid or not; nothing of it is encoded by the engine. */
final class Http2Bytes {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int PRIORITY_UPDATE = 16;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;

  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_HEADER_LIST_SIZE = 6;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private Http2Bytes() {}

  /** RFC 9113 section 4.1. */
  static byte[] frame(int type, int flags, int stream, byte... payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[0] = (byte) (payload.length >> 16);
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    System.arraycopy(number(stream), 0, frame, 5, 4);
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  static byte[] number(int value) {
    return new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
    };
  }

  /** A client's preface and SETTINGS, with an acknowledgement of the server's. */
  static byte[] preface(int... settings) {
    return join(withoutAcknowledgement(settings), frame(SETTINGS, ACK, 0));
  }

  static byte[] withoutAcknowledgement(int... settings) {
    return join(PREFACE.getBytes(ISO_8859_1), settings(settings));
  }

  /** @param idsAndValues such as {@code INITIAL_WINDOW_SIZE, 0} */
  static byte[] settings(int... idsAndValues) {
    var payload = new ByteArrayOutputStream();
    for (int i = 0; i < idsAndValues.length; i += 2) {
      payload.write(0);
      payload.write(idsAndValues[i]);
      payload.writeBytes(number(idsAndValues[i + 1]));
    }
    return frame(SETTINGS, 0, 0, payload.toByteArray());
  }

  static byte[] windowUpdate(int stream, int increment) {
    return frame(WINDOW_UPDATE, 0, stream, number(increment));
  }

  static byte[] reset(int stream) {
    return frame(RST_STREAM, 0, stream, number(8));
  }

  static byte[] ping() {
    return frame(PING, 0, 0, new byte[8]);
  }

  static byte[] data(int stream, int length) {
    return frame(DATA, 0, stream, new byte[length]);
  }

  static byte[] headers(int stream, boolean endStream, byte[]... block) {
    return frame(HEADERS, END_HEADERS | (endStream ? END_STREAM : 0), stream, join(block));
  }

  static byte[] get(int stream, String path) {
    return headers(stream, true, request("GET", path));
  }

  static byte[] post(int stream, String path) {
    return headers(stream, false, request("POST", path));
  }

  /** The pseudo-header fields of a request, as a field block. */
  static byte[] request(String method, String path) {
    return join(
        literal(":method", method),
        literal(":scheme", "http"),
        literal(":authority", "a"),
        literal(":path", path));
  }

  /** A literal without indexing (RFC 7541 section 6.2.2). */
  static byte[] literal(String name, String value) {
    return Http2Peer.block(name + ": " + value).array();
  }

  /** A literal that the decoder adds to its table (RFC 7541 section 6.2.1). */
  static byte[] indexed(String name, String value) {
    byte[] literal = literal(name, value);
    literal[0] = 0x40;
    return literal;
  }

  /** References to the newest entry of the decoder's table, a byte each (RFC 7541 section 6.1). */
  static byte[] references(int count) {
    byte[] references = new byte[count];
    Arrays.fill(references, (byte) (0x80 | 62));
    return references;
  }

  static byte[] join(byte[]... pieces) {
    int length = 0;
    for (byte[] piece : pieces) {
      length += piece.length;
    }
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }
}
