package heddle.codec.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The examples of RFC 7541 appendix C, decoded and encoded. */
class Rfc7541ExamplesTest {
  private static final int ALWAYS = 0;
  private static final int NEVER = Integer.MAX_VALUE;

  /** One block, what it means, and what the dynamic table takes afterwards. */
  private record Example(String hex, int tableBytes, List<String> fields) {
    Example(String hex, int tableBytes, String... fields) {
      this(hex, tableBytes, List.of(fields));
    }
  }

  private static final List<Example> REQUESTS = List.of(
      new Example(
          "828684410f7777772e6578616d706c652e636f6d",
          57,
          ":method: GET",
          ":scheme: http",
          ":path: /",
          ":authority: www.example.com"),
      new Example(
          "828684be58086e6f2d6361636865",
          110,
          ":method: GET",
          ":scheme: http",
          ":path: /",
          ":authority: www.example.com",
          "cache-control: no-cache"),
      new Example(
          "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
          164,
          ":method: GET",
          ":scheme: https",
          ":path: /index.html",
          ":authority: www.example.com",
          "custom-key: custom-value"));

  private static final List<Example> REQUESTS_IN_HUFFMAN = List.of(
      withHex(REQUESTS.get(0), "828684418cf1e3c2e5f23a6ba0ab90f4ff"),
      withHex(REQUESTS.get(1), "828684be5886a8eb10649cbf"),
      withHex(REQUESTS.get(2), "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"));

  private static final List<Example> RESPONSES = List.of(
      new Example(
          "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a3231"
              + "20474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d",
          222,
          ":status: 302",
          "cache-control: private",
          "date: Mon, 21 Oct 2013 20:13:21 GMT",
          "location: https://www.example.com"),
      new Example(
          "4803333037c1c0bf",
          222,
          ":status: 307",
          "cache-control: private",
          "date: Mon, 21 Oct 2013 20:13:21 GMT",
          "location: https://www.example.com"),
      new Example(
          "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738"
              + "666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d616765"
              + "3d333630303b2076657273696f6e3d31",
          215,
          ":status: 200",
          "cache-control: private",
          "date: Mon, 21 Oct 2013 20:13:22 GMT",
          "location: https://www.example.com",
          "content-encoding: gzip",
          "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"));

  private static final List<Example> RESPONSES_IN_HUFFMAN = List.of(
      withHex(
          RESPONSES.get(0),
          "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c7"
              + "8f0b97c8e9ae82ae43d3"),
      withHex(RESPONSES.get(1), "4883640effc1c0bf"),
      withHex(
          RESPONSES.get(2),
          "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335"
              + "dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"));

  private static Example withHex(Example example, String hex) {
    return new Example(hex, example.tableBytes, example.fields);
  }

  @Test
  void integersOfAppendixC1() throws HpackException {
    // C.1.1 and C.1.2: 10 and 1337 with a prefix of five bits, here as sizes of the table.
    HpackOutput out = new HpackOutput(8);
    out.putInteger(0x20, 5, 10);
    assertEquals("2a", Recorder.hex(out));
    out.reset();
    out.putInteger(0x20, 5, 1_337);
    assertEquals("3f9a0a", Recorder.hex(out));
    out.reset();
    out.putInteger(0, 8, 42); // C.1.3
    assertEquals("2a", Recorder.hex(out));

    // An entry of 1,337 bytes fits into a table of 1,337, and one of 1,338 does not.
    for (int excess = 0; excess <= 1; excess++) {
      HpackOutput entry = new HpackOutput(8);
      entry.put(Recorder.hex("3f9a0a"), 0, 3);
      entry.putByte(0x44);
      int length = 1_337 - 32 - ":path".length() + excess;
      entry.putInteger(0, 7, length);
      entry.put(new byte[length], 0, length);
      HpackDecoder decoder = new HpackDecoder(4_096, 10_000, 10);
      decoder.decode(entry.array(), 0, entry.length(), new Recorder());
      assertEquals(excess == 0 ? 1_337 : 0, decoder.tableBytes());
    }
  }

  @Test
  void literalWithIndexingOfAppendixC21() throws HpackException {
    String hex = "400a637573746f6d2d6b65790d637573746f6d2d686561646572";
    HpackDecoder decoder = new HpackDecoder(4_096, 10_000, 10);
    assertEquals(List.of("custom-key: custom-header"), Recorder.decode(decoder, hex));
    assertEquals(55, decoder.tableBytes());
    HpackEncoder encoder = new HpackEncoder(4_096, IndexingRules.INDEX_ALL, NEVER);
    assertEquals(hex, encode(encoder, "custom-key: custom-header"));
  }

  @Test
  void literalWithoutIndexingOfAppendixC22() throws HpackException {
    HpackDecoder decoder = new HpackDecoder(4_096, 10_000, 10);
    assertEquals(
        List.of(":path: /sample/path"), Recorder.decode(decoder, "040c2f73616d706c652f70617468"));
    assertEquals(0, decoder.tableBytes());
    HpackEncoder encoder = new HpackEncoder(4_096, IndexingRules.DEFAULTS, NEVER);
    assertEquals("040c2f73616d706c653f70617468", encode(encoder, ":path: /sample?path"));
    assertEquals(0, encoder.generation());
  }

  @Test
  void literalThatIsNeverIndexedOfAppendixC23() throws HpackException {
    String hex = "100870617373776f726406736563726574";
    Recorder recorder = new Recorder();
    HpackDecoder decoder = new HpackDecoder(4_096, 10_000, 10);
    decoder.decode(Recorder.hex(hex), 0, hex.length() / 2, recorder);
    assertEquals(List.of("password: secret"), recorder.lines);
    assertTrue(recorder.fields.getFirst().neverIndexed());
    assertEquals(0, decoder.tableBytes());
    HpackEncoder encoder = new HpackEncoder(4_096, IndexingRules.INDEX_ALL, NEVER);
    HpackOutput out = new HpackOutput(0);
    encoder.begin(out);
    encoder.secret(HeaderName.of("password"), Headers.of("password", "secret"), 0);
    assertEquals(hex, Recorder.hex(out));
  }

  @Test
  void indexedFieldOfAppendixC24() throws HpackException {
    HpackDecoder decoder = new HpackDecoder(4_096, 10_000, 10);
    assertEquals(List.of(":method: GET"), Recorder.decode(decoder, "82"));
    assertEquals("82", encode(new HpackEncoder(4_096), ":method: GET"));
  }

  @Test
  void requestsOfAppendixC3() throws HpackException {
    bothWays(REQUESTS, 4_096, NEVER);
  }

  @Test
  void requestsOfAppendixC4() throws HpackException {
    bothWays(REQUESTS_IN_HUFFMAN, 4_096, ALWAYS);
  }

  @Test
  void responsesOfAppendixC5() throws HpackException {
    bothWays(RESPONSES, 256, NEVER);
  }

  @Test
  void responsesOfAppendixC6() throws HpackException {
    bothWays(RESPONSES_IN_HUFFMAN, 256, ALWAYS);
  }

  private static void bothWays(List<Example> examples, int tableBytes, int leastSaving)
      throws HpackException {
    HpackDecoder decoder = new HpackDecoder(4_096, 10_000, 10);
    HpackEncoder encoder = new HpackEncoder(tableBytes, IndexingRules.INDEX_ALL, leastSaving);
    // The examples take a table of 256 bytes for granted; on a connection it is announced first.
    String update = tableBytes == 256 ? "3fe101" : "";
    for (Example example : examples) {
      assertEquals(example.fields, Recorder.decode(decoder, update + example.hex));
      assertEquals(example.tableBytes, decoder.tableBytes());
      assertEquals(update + example.hex, encode(encoder, example.fields.toArray(String[]::new)));
      update = "";
    }
  }

  private static String encode(HpackEncoder encoder, String... fields) {
    HpackOutput out = new HpackOutput(0);
    encoder.begin(out);
    for (String field : fields) {
      int colon = field.indexOf(": ");
      String value = field.substring(colon + 2);
      if (field.startsWith(":")) {
        Pseudo pseudo = Pseudo.valueOf(field.substring(1, colon).toUpperCase(Locale.ROOT));
        encoder.field(pseudo, value);
      } else {
        String name = field.substring(0, colon);
        encoder.field(HeaderName.of(name), Headers.of(name, value), 0);
      }
    }
    return Recorder.hex(out);
  }
}
