package heddle.codec.http2;

import heddle.codec.http2.frame.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A frame of a script: the bytes that a peer sends, made here without any of the code that is
 * tested, and what it is called where a session is expected to send it.
 */
final class Wire {
  static final int END_STREAM = 0x1;
  static final int ACK = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int PRIORITY = 0x20;

  private final String text;
  private final byte[] bytes;

  Wire(String text, byte[] bytes) {
    this.text = text;
    this.bytes = bytes;
  }

  /** What the frame is called. */
  String text() {
    return text;
  }

  byte[] bytes() {
    return bytes;
  }

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  @Override
  public String toString() {
    return text;
  }

  // ---- any frame

  static Wire raw(int type, int flags, int streamId, byte[] payload) {
    var out = new ByteArrayOutputStream();
    out.write(payload.length >> 16);
    out.write(payload.length >> 8);
    out.write(payload.length);
    out.write(type);
    out.write(flags);
    out.writeBytes(int32(streamId));
    out.writeBytes(payload);
    return new Wire("type " + type + " on " + streamId, out.toByteArray());
  }

  static Wire bytes(String latin1) {
    return new Wire("bytes", latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  static Wire preface() {
    return bytes(PREFACE);
  }

  private Wire as(String newText) {
    return new Wire(newText, bytes);
  }

  static byte[] int32(int value) {
    return new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
    };
  }

  static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(out::writeBytes);
    return out.toByteArray();
  }

  // ---- field blocks: literals that are never indexed nor compressed

  /** Names and values in turn. */
  static byte[] block(String... fields) {
    var out = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i += 2) {
      out.write(0x10);
      string(out, fields[i]);
      string(out, fields[i + 1]);
    }
    return out.toByteArray();
  }

  /** A field that goes into the dynamic table of the receiver. */
  static byte[] indexed(String name, String value) {
    var out = new ByteArrayOutputStream();
    out.write(0x40);
    string(out, name);
    string(out, value);
    return out.toByteArray();
  }

  /** A reference to the newest entry of the dynamic table. */
  static byte[] newest() {
    return new byte[] {(byte) (0x80 | 62)};
  }

  private static void string(ByteArrayOutputStream out, String text) {
    byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
    int length = octets.length;
    if (length < 127) {
      out.write(length);
    } else {
      out.write(127);
      for (length -= 127; length >= 128; length >>= 7) {
        out.write(length & 127 | 128);
      }
      out.write(length);
    }
    out.writeBytes(octets);
  }

  // ---- messages

  /** The pseudo-header fields of a plain GET, and these behind them. */
  static String[] get(String... fields) {
    return concat(
        new String[] {":method", "GET", ":scheme", "http", ":authority", "a", ":path", "/"},
        fields);
  }

  /** Those of a POST. */
  static String[] post(String... fields) {
    return concat(
        new String[] {":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/"},
        fields);
  }

  /** Those of a 200, and these behind them. */
  static String[] ok(String... fields) {
    return concat(new String[] {":status", "200"}, fields);
  }

  private static String[] concat(String[] first, String... second) {
    String[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /** HEADERS that do not end the stream. */
  static Wire headers(int id, String... fields) {
    return headers(id, END_HEADERS, block(fields));
  }

  /** HEADERS that end the stream. */
  static Wire lastHeaders(int id, String... fields) {
    return headers(id, END_HEADERS | END_STREAM, block(fields));
  }

  static Wire headers(int id, int flags, byte[] block) {
    return raw(0x1, flags, id, block)
        .as("HEADERS " + id + ((flags & END_STREAM) != 0 ? " END_STREAM" : ""));
  }

  static Wire continuation(int id, int flags, byte[] block) {
    return raw(0x9, flags, id, block);
  }

  /** A whole request without content. */
  static Wire request(int id) {
    return lastHeaders(id, get());
  }

  /** The head of a request with content. */
  static Wire upload(int id) {
    return headers(id, post());
  }

  /** A whole response without content. */
  static Wire response(int id) {
    return lastHeaders(id, ok());
  }

  static Wire data(int id, String content) {
    return data(id, 0, content.getBytes(StandardCharsets.ISO_8859_1));
  }

  static Wire lastData(int id, String content) {
    return data(id, END_STREAM, content.getBytes(StandardCharsets.ISO_8859_1));
  }

  static Wire data(int id, int flags, byte[] payload) {
    return raw(0x0, flags, id, payload)
        .as("DATA " + id + " " + payload.length + ((flags & END_STREAM) != 0 ? " END_STREAM" : ""));
  }

  // ---- control

  static Wire rst(int id, ErrorCode code) {
    return raw(0x3, 0, id, int32(code.code())).as("RST_STREAM " + id + " " + code);
  }

  static Wire priority(int id, int dependency) {
    return raw(0x2, 0, id, join(int32(dependency), new byte[] {15}));
  }

  /** Settings as ids and values in turn. */
  static Wire settings(long... idsAndValues) {
    var out = new ByteArrayOutputStream();
    for (int i = 0; i < idsAndValues.length; i += 2) {
      out.write((int) idsAndValues[i] >> 8);
      out.write((int) idsAndValues[i]);
      out.writeBytes(int32((int) idsAndValues[i + 1]));
    }
    return raw(0x4, 0, 0, out.toByteArray()).as("SETTINGS");
  }

  static Wire settingsAck() {
    return raw(0x4, ACK, 0, new byte[0]).as("SETTINGS ACK");
  }

  static Wire ping(long data) {
    return raw(0x6, 0, 0, int64(data)).as("PING " + data);
  }

  static Wire pingAck(long data) {
    return raw(0x6, ACK, 0, int64(data)).as("PING ACK " + data);
  }

  private static byte[] int64(long value) {
    return join(int32((int) (value >>> 32)), int32((int) value));
  }

  static Wire goAway(int last, ErrorCode code) {
    return raw(0x7, 0, 0, join(int32(last), int32(code.code()))).as("GOAWAY " + last + " " + code);
  }

  static Wire windowUpdate(int id, int increment) {
    return raw(0x8, 0, id, int32(increment)).as("WINDOW_UPDATE " + id + " " + increment);
  }

  static Wire pushPromise(int id, int promised) {
    return raw(0x5, END_HEADERS, id, join(int32(promised), block(get())));
  }

  static Wire priorityUpdate(int id) {
    return raw(0x10, 0, 0, join(int32(id), "u=1".getBytes(StandardCharsets.US_ASCII)));
  }

  /** Several frames as one. */
  static Wire all(List<Wire> frames) {
    return new Wire("frames", join(frames.stream().map(Wire::bytes).toArray(byte[][]::new)));
  }
}
