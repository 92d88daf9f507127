package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.codec.hpack.HpackDecoder;
import heddle.codec.hpack.HpackException;
import heddle.codec.hpack.HpackField;
import heddle.codec.hpack.HpackSink;
import heddle.http.HeaderName;
import heddle.http.failure.MalformedMessageException.Kind;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * HPACK for scripts: what it writes is literal, never indexed and never compressed (RFC 7541
 * §6.2.2), so that a script can send anything, valid or not, and shares nothing with the encoder
 * under test.
 */
final class PlainHpack {
  private static final int MOST_BYTES = 1 << 24;

  private final HpackDecoder decoder = new HpackDecoder(4_096, MOST_BYTES, MOST_BYTES);

  /**
   * Encodes a field block.
   *
   * @param fields each as {@code name: value}
   */
  static byte[] encode(String... fields) {
    var out = new ByteArrayOutputStream();
    for (String field : fields) {
      // The colon that ends the name is not the one that a pseudo-header field begins with.
      int colon = field.indexOf(": ", 1);
      if (colon < 0) {
        throw new IllegalArgumentException("\"" + field + "\" is not like \"name: value\"");
      }
      out.write(0);
      string(out, field.substring(0, colon));
      string(out, field.substring(colon + 2));
    }
    return out.toByteArray();
  }

  private static void string(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    int rest = bytes.length;
    // RFC 7541 §5.1: an integer with a prefix of seven bits.
    if (rest < 0x7F) {
      out.write(rest);
    } else {
      out.write(0x7F);
      for (rest -= 0x7F; rest >= 0x80; rest >>= 7) {
        out.write(rest & 0x7F | 0x80);
      }
      out.write(rest);
    }
    out.writeBytes(bytes);
  }

  /** Decodes a whole field block. Blocks must be given in the order in which they came. */
  List<String> decode(byte[] block) {
    var fields = new ArrayList<String>();
    var faults = new ArrayList<String>();
    try {
      decoder.decode(block, 0, block.length, new HpackSink() {
        @Override
        public void field(HpackField field) {
          fields.add(nameOf(field) + ": " + new String(field.value(), ISO_8859_1));
        }

        @Override
        public void malformed(Kind kind, String why) {
          faults.add(why);
        }
      });
    } catch (HpackException e) {
      throw new AssertionError("a field block that cannot be decoded: " + e.getMessage(), e);
    }
    if (!faults.isEmpty()) {
      throw new AssertionError("malformed fields came: " + faults);
    }
    return fields;
  }

  private static String nameOf(HpackField field) {
    HeaderName name = field.name();
    return name == null ? String.valueOf(field.pseudo()) : name.lowerCase();
  }
}
