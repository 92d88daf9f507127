package heddle.codec.hpack;

import heddle.http.HeaderName;
import heddle.http.failure.MalformedMessageException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes down what a decoder tells: each field as "name: value". */
final class Recorder implements HpackSink {
  final List<HpackField> fields = new ArrayList<>();
  final List<String> lines = new ArrayList<>();

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /** What a decoder tells of the block in hexadecimal digits. */
  static List<String> decode(HpackDecoder decoder, String hex) throws HpackException {
    return decode(decoder, hex(hex));
  }

  static List<String> decode(HpackDecoder decoder, byte[] block) throws HpackException {
    Recorder recorder = new Recorder();
    decoder.decode(block, 0, block.length, recorder);
    return recorder.lines;
  }

  static String hex(HpackOutput out) {
    return HexFormat.of().formatHex(out.array(), 0, out.length());
  }

  @Override
  public void field(HpackField field) {
    fields.add(field);
    HeaderName name = field.name();
    lines.add((name == null ? field.pseudo() : name.lowerCase()) + ": "
        + new String(field.value(), StandardCharsets.ISO_8859_1));
  }

  @Override
  public void malformed(Kind kind, String why) {
    lines.add("malformed: " + why);
  }
}
