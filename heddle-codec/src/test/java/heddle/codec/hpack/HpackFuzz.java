package heddle.codec.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.failure.MalformedMessageException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Any bytes through a decoder, and any fields through an encoder and a decoder. */
public final class HpackFuzz {
  private static final int MOST_BYTES = 2_000;
  private static final int MOST_FIELDS = 20;

  private HpackFuzz() {}

  /** What a decoder hands over stays within its bounds. */
  private static final class Counting implements HpackSink {
    private int count;
    private int size;

    @Override
    public void field(HpackField field) {
      count++;
      size += field.size();
    }

    @Override
    public void malformed(Kind kind, String why) {
      count++;
    }
  }

  /** Blocks for one decoder; the first byte of each says how long it is. */
  public static void decode(byte[] input) {
    HpackDecoder decoder = new HpackDecoder(256, MOST_BYTES, MOST_FIELDS);
    for (int at = 0; at < input.length; ) {
      int length = Math.min(input.length - at - 1, input[at] & 0xFF);
      Counting sink = new Counting();
      try {
        decoder.decode(input, at + 1, length, sink);
      } catch (HpackException e) {
        if (e.reason() == HpackException.Reason.COMPRESSION_ERROR) {
          return;
        }
      }
      assertTrue(sink.size <= MOST_BYTES && sink.count <= MOST_FIELDS, "the list's bounds");
      assertTrue(decoder.tableBytes() <= 4_096, "the table's bound");
      at += 1 + length;
    }
  }

  /**
   * Blocks of fields that an encoder writes and a decoder must read as they were. Each field is a
   * byte that says how (its length, its kind), then its value; 0xFF changes the table's size.
   */
  public static void roundTrip(byte[] input) throws HpackException {
    HpackEncoder encoder = new HpackEncoder(4_096);
    HpackDecoder decoder = new HpackDecoder(4_096, 1 << 20, 10_000);
    HpackOutput out = new HpackOutput(16);
    List<String> expected = new ArrayList<>();
    encoder.begin(out);
    for (int at = 0; at < input.length; ) {
      int control = input[at++] & 0xFF;
      if (control == 0xFF) {
        check(decoder, out, expected);
        encoder.setMaxTableBytes(at < input.length ? (input[at++] & 0xFF) * 16 : 0);
        encoder.begin(out);
      } else {
        int length = Math.min(input.length - at, control & 0x1F);
        field(encoder, control >> 5, text(input, at, length), expected);
        at += length;
      }
    }
    check(decoder, out, expected);
  }

  private static void field(HpackEncoder encoder, int kind, String value, List<String> expected) {
    String named = kind < 2 ? "x-" + value.length() % 7 : kind < 4 ? "Cookie" : "Accept";
    HeaderName name = HeaderName.of(named);
    expected.add(named.toLowerCase(Locale.ROOT) + ": " + value);
    Headers headers = Headers.of(named, value);
    if (kind % 2 == 0) {
      encoder.field(name, headers, 0);
    } else {
      encoder.secret(name, headers, 0);
    }
  }

  /** Visible octets, so that nothing is trimmed or refused. */
  private static String text(byte[] input, int from, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < from + length; i++) {
      int octet = input[i] & 0xFF;
      text.append((char) (octet > ' ' && octet != 0x7F ? octet : 'a' + octet % 26));
    }
    return text.toString();
  }

  private static void check(HpackDecoder decoder, HpackOutput out, List<String> expected)
      throws HpackException {
    byte[] block = Arrays.copyOf(out.array(), out.length());
    assertEquals(expected, Recorder.decode(decoder, block), () -> HexFormat.of().formatHex(block));
    expected.clear();
    out.reset();
  }

  /** Blocks with all forms of representations. */
  public static List<byte[]> decodeSeeds() {
    HexFormat hex = HexFormat.of();
    return List.of(
        hex.parseHex("01" + "82"),
        hex.parseHex("1a" + "400a637573746f6d2d6b65790d637573746f6d2d686561646572"),
        hex.parseHex("12" + "828684418cf1e3c2e5f23a6ba0ab90f4ff00"),
        hex.parseHex("14" + "828684410f7777772e6578616d706c652e636f6d" + "01be"),
        hex.parseHex("05" + "3fe1018220" + "03" + "0f0d00" + "04" + "10017801"));
  }

  /** Fields of all kinds. */
  public static List<byte[]> fieldSeeds() {
    return List.of(
        "#abc#abc#abc".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
        HexFormat.of().parseHex("436162634361626343616263ff00436162634361626343ff1041"));
  }
}
