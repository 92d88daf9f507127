package heddle.codec.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.hpack.HpackException.Reason;
import heddle.http.HeaderName;
import heddle.http.failure.MalformedMessageException.Kind;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class HpackDecoderTest {
  private final HpackDecoder decoder = new HpackDecoder(4_096, 65_536, 200);

  private List<String> decode(String hex) throws HpackException {
    return Recorder.decode(decoder, hex);
  }

  private Recorder record(String hex) throws HpackException {
    Recorder recorder = new Recorder();
    decoder.decode(Recorder.hex(hex), 0, Recorder.hex(hex).length, recorder);
    return recorder;
  }

  /** A literal with the representation that {@code first} begins with, and a name of its own. */
  private static String literal(String first, String name, String value) {
    return first + string(name) + string(value);
  }

  private static String string(String text) {
    HpackOutput out = new HpackOutput(0);
    byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
    out.putInteger(0, 7, octets.length);
    out.put(octets, 0, octets.length);
    return Recorder.hex(out);
  }

  private void assertRefused(String hex, String part) {
    HpackDecoder fresh = new HpackDecoder(4_096, 65_536, 200);
    HpackException refusal =
        assertThrows(HpackException.class, () -> Recorder.decode(fresh, hex), hex);
    assertEquals(Reason.COMPRESSION_ERROR, refusal.reason());
    assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
  }

  @Test
  void staticEntriesAreThoseOfAppendixA() throws HpackException {
    assertEquals(List.of(":authority: "), decode("81"));
    assertEquals(List.of(":scheme: https", ":status: 500"), decode("878e"));
    assertEquals(List.of("accept-charset: ", "accept-encoding: gzip, deflate"), decode("8f90"));
    assertEquals(List.of("content-length: ", "refresh: "), decode("9cb4"));
    assertEquals(List.of("www-authenticate: "), decode("bd"));
  }

  @Test
  void repeatedFieldsAreTheSameInstances() throws HpackException {
    Recorder first = record("82" + literal("40", "a", "1") + "88");
    Recorder again = record("82be88");
    assertEquals(first.lines, again.lines);
    for (int i = 0; i < 3; i++) {
      assertSame(first.fields.get(i), again.fields.get(i));
    }
  }

  @Test
  void shortLiteralThatKeepsComingBecomesOneInstance() throws HpackException {
    Recorder recorder = record("0f0d0136".repeat(3) + "0f0d0137" + "0f0d023636" + "0f0e0136"
        + literal("00", "a", "1").repeat(3) + "0f0d0136");
    assertEquals("content-length: 6", recorder.lines.get(2));
    assertSame(recorder.fields.get(1), recorder.fields.get(2));
    assertEquals("content-length: 7", recorder.lines.get(3));
    assertEquals("content-length: 66", recorder.lines.get(4));
    assertEquals("content-location: 6", recorder.lines.get(5));
    assertEquals("a: 1", recorder.lines.get(8));
    assertSame(recorder.fields.get(7), recorder.fields.get(8));
    assertEquals("content-length: 6", recorder.lines.get(9));
  }

  @Test
  void secretThatComesAgainIsNotKept() throws HpackException {
    Recorder recorder = record("1f080136".repeat(3) + "0f080136");
    assertNotSame(recorder.fields.get(1), recorder.fields.get(2));
    assertTrue(recorder.fields.get(2).neverIndexed());
    assertFalse(recorder.fields.get(3).neverIndexed());
  }

  @Test
  void differentShortLiteralsAreToldApart() throws HpackException {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 2_000; i++) {
        String name = "n" + i % 7;
        assertEquals(List.of(name + ": " + i), decode(literal("00", name, "" + i)));
        assertEquals(
            List.of("age: " + i, "age: " + i), decode(("0f06" + string("" + i)).repeat(2)));
      }
    }
  }

  @Test
  void namesAreTheInternedOnes() throws HpackException {
    Recorder recorder = record(literal("40", "x-request-id", "7") + "0f05" + string("*"));
    assertSame(HeaderName.X_REQUEST_ID, recorder.fields.get(0).name());
    assertNull(recorder.fields.get(0).pseudo());
    assertSame(HeaderName.ACCESS_CONTROL_ALLOW_ORIGIN, recorder.fields.get(1).name());
  }

  @Test
  void evictedNameMayStillNameTheEntryThatEvictsIt() throws HpackException {
    decode("3f03" + literal("40", "abc", "0")); // 34 bytes
    assertEquals(0, decoder.tableBytes());
    decode("3f21" + literal("40", "abc", "0"));
    assertEquals(36, decoder.tableBytes());
    assertEquals(List.of("abc: 12345"), decode("7e" + string("12345")));
    assertEquals(40, decoder.tableBytes());
    assertEquals(List.of("abc: 12345"), decode("be"));
  }

  @Test
  void entryLargerThanTheTableEmptiesItAndIsStillReported() throws HpackException {
    decode(literal("40", "a", "1"));
    String large = "x".repeat(5_000);
    assertEquals(List.of("b: " + large), decode(literal("40", "b", large)));
    assertEquals(0, decoder.tableBytes());
    assertRefused("be", "index 62");
  }

  @Test
  void indexOutsideOfBothTablesIsRefused() throws HpackException {
    assertRefused("80", "index 0");
    assertRefused("be", "index 62 is in no table: the highest one is 61");
    assertRefused(literal("40", "a", "1") + "bf", "index 63");
    assertRefused("7f00" + string("value"), "index 63");
    assertRefused("ffffffff7f", "is in no table");
    assertRefused("0f2f" + string("value"), "index 62");
  }

  @Test
  void integerThatOverflowsOrNeverEndsIsRefused() {
    assertRefused("ffffffffff0f", "beyond 2^31-1");
    assertRefused("ff81ffffff07", "beyond 2^31-1");
    assertRefused("ff808080808000", "beyond 2^31-1");
    assertRefused("ff" + "80".repeat(100), "beyond 2^31-1");
    assertRefused("ffff", "ends within an integer");
    assertRefused("ff", "ends within an integer");
    assertRefused("40", "ends where an integer is due");
    assertRefused("00ffffffff7f", "has only 0 left");
  }

  @Test
  void integerMayHaveIdleZerosUpToItsBound() throws HpackException {
    assertEquals(List.of(":method: GET"), decode("82"));
    assertEquals(List.of("date: x"), decode("0f92808000" + string("x")));
  }

  @Test
  void stringThatIsCutIsRefused() {
    assertRefused("000561", "a string of 5 bytes has only 1 left");
    assertRefused("000161", "ends where an integer is due");
    assertRefused("00016105" + "6162", "a string of 5 bytes has only 2 left");
  }

  @Test
  void huffmanStringWithWrongPaddingIsRefused() {
    assertRefused("000161" + "821fff", "Huffman");
    assertRefused("000161" + "8118", "Huffman");
    assertRefused("000161" + "84ffffffff", "Huffman");
    assertRefused("0082ffff" + "0161", "Huffman");
  }

  @Test
  void sizeUpdateBehindAFieldIsRefused() {
    assertRefused("8220", "behind a field");
    assertRefused("20823fe11f", "behind a field");
  }

  @Test
  void sizeUpdatesMayStandAtTheStartAndEvict() throws HpackException {
    decode(literal("40", "a", "1") + literal("40", "b", "2"));
    assertEquals(68, decoder.tableBytes());
    decode("3f03"); // 34 bytes: the newest stays
    assertEquals(34, decoder.tableBytes());
    assertEquals(List.of("b: 2"), decode("be"));
    decode("203fe11f" + literal("40", "c", "3"));
    assertEquals(34, decoder.tableBytes());
    assertEquals(List.of("c: 3"), decode("be"));
  }

  @Test
  void sizeUpdateAboveWhatWeAdvertiseIsRefused() throws HpackException {
    assertRefused("3fe21f", "4097");
    HpackDecoder larger = new HpackDecoder(8_192, 65_536, 200);
    Recorder.decode(larger, "3fe13f");
    larger.settingsAcknowledged();
    Recorder.decode(larger, "3fe13f");
    assertThrows(HpackException.class, () -> Recorder.decode(larger, "3fe23f"));
  }

  @Test
  void smallerTableIsDueOnlyOnceOurSettingsAreAcknowledged() throws HpackException {
    HpackDecoder small = new HpackDecoder(100, 65_536, 200);
    Recorder.decode(small, literal("40", "a", "x".repeat(200)));
    assertEquals(233, small.tableBytes());
    small.settingsAcknowledged();
    HpackException refusal = assertThrows(HpackException.class, () -> Recorder.decode(small, "be"));
    assertTrue(refusal.getMessage().contains("no table size update"), refusal.getMessage());

    HpackDecoder updated = new HpackDecoder(100, 65_536, 200);
    Recorder.decode(updated, literal("40", "a", "x".repeat(200)));
    updated.settingsAcknowledged();
    Recorder.decode(updated, "");
    Recorder.decode(updated, "3f45" + "82"); // 100
    assertEquals(0, updated.tableBytes());
    assertThrows(HpackException.class, () -> Recorder.decode(updated, "3f46"));
  }

  @Test
  void invalidNamesAreReportedAndKeptInTheTable() throws HpackException {
    for (String name : List.of("A", "aB", "", ":", ":foo", "a b", "a:", "a\r", "a\0", "\u00e4")) {
      List<String> told = decode("82" + literal("40", name, "secret") + "84");
      assertEquals(3, told.size(), name);
      assertTrue(told.get(1).startsWith("malformed: "), name + " gives " + told);
      assertTrue(!told.get(1).contains("secret"), told.get(1));
      assertEquals(told.get(1), decode("be").getFirst());
      assertEquals(told.get(1), decode("7e" + string("other")).getFirst());
      assertEquals(told.get(1), decode(literal("00", name, "x")).getFirst());
    }
    assertEquals(List.of("a^`|~!#$%&'*+-.0: x"), decode(literal("00", "a^`|~!#$%&'*+-.0", "x")));
  }

  @Test
  void invalidValuesAreReportedAndTheirNamesStayUsable() throws HpackException {
    for (String value :
        List.of("a\rb", "a\nb", "a\0b", "\0", " a", "a ", "\ta", "a\t", " ", "\u007f")) {
      for (String first : List.of("00", "10", "40")) {
        List<String> told = decode(literal(first, "x", value));
        assertEquals(1, told.size());
        assertTrue(told.getFirst().startsWith("malformed: "), told.getFirst());
      }
      assertEquals(List.of("x: fine"), decode("7e" + string("fine")));
      assertTrue(decode("04" + string(value)).getFirst().contains(":path"));
    }
    assertEquals(List.of("x: a\tb \u00ff"), decode(literal("00", "x", "a\tb \u00ff")));
  }

  @Test
  void listBoundCountsDecodedSizeAndTheTableStaysRight() throws HpackException {
    HpackDecoder bounded = new HpackDecoder(4_096, 100, 200);
    Recorder recorder = new Recorder();
    byte[] block = Recorder.hex(literal("40", "a", "1") // 34, 68, 102
        + literal("00", "b", "2") + literal("40", "c", "3") + "82" + literal("40", "d", "4"));
    HpackException refusal =
        assertThrows(HpackException.class, () -> bounded.decode(block, 0, block.length, recorder));
    assertEquals(Reason.LIST_TOO_LARGE, refusal.reason());
    assertEquals(List.of("a: 1", "b: 2"), recorder.lines);
    assertEquals(List.of("d: 4", "c: 3"), Recorder.decode(bounded, "bebf"));
    assertEquals(List.of("a: 1"), Recorder.decode(bounded, "c0"));
  }

  @Test
  void fieldBoundCountsMalformedFieldsToo() throws HpackException {
    HpackDecoder bounded = new HpackDecoder(4_096, 65_536, 3);
    assertEquals(3, Recorder.decode(bounded, "828486").size());
    HpackException refusal = assertThrows(
        HpackException.class,
        () -> Recorder.decode(bounded, "82" + literal("00", "A", "").repeat(3)));
    assertEquals(Reason.LIST_TOO_LARGE, refusal.reason());
    assertEquals(3, Recorder.decode(bounded, "828486").size());
  }

  @Test
  void faultBehindTheBoundIsStillACompressionError() {
    HpackDecoder bounded = new HpackDecoder(4_096, 100, 1);
    HpackException refusal =
        assertThrows(HpackException.class, () -> Recorder.decode(bounded, "828282ff"));
    assertEquals(Reason.COMPRESSION_ERROR, refusal.reason());
    HpackDecoder other = new HpackDecoder(4_096, 100, 1);
    HpackException huffman =
        assertThrows(HpackException.class, () -> Recorder.decode(other, "8282000161821fff"));
    assertEquals(Reason.COMPRESSION_ERROR, huffman.reason());
  }

  @Test
  void generationTellsWhetherABlockMeansTheSameAgain() throws HpackException {
    int fresh = decoder.generation();
    decode("8284" + literal("00", "a", "1") + literal("10", "a", "1"));
    assertEquals(fresh, decoder.generation());
    decode(literal("40", "a", "1"));
    int added = decoder.generation();
    assertNotEquals(fresh, added);
    decode("be82");
    assertEquals(added, decoder.generation());
    decode("20");
    assertNotEquals(added, decoder.generation());
  }

  @Test
  void bombOfReferencesIsStoppedWithoutMemory() {
    // One entry of 4,000 bytes, then 60,000 references of a byte each: 240 MB if it were a list.
    byte[] entry = Recorder.hex(literal("40", "a", "x".repeat(4_000)));
    byte[] bomb = Arrays.copyOf(entry, entry.length + 60_000);
    Arrays.fill(bomb, entry.length, bomb.length, (byte) 0xBE);
    int[] told = new int[1];
    HpackSink sink = new HpackSink() {
      @Override
      public void field(HpackField field) {
        told[0]++;
      }

      @Override
      public void malformed(Kind kind, String why) {}
    };
    assertThrows(HpackException.class, () -> decoder.decode(bomb, 0, bomb.length, sink));
    long before = allocated();
    HpackException refusal =
        assertThrows(HpackException.class, () -> decoder.decode(bomb, 0, bomb.length, sink));
    long bytes = allocated() - before;
    assertEquals(Reason.LIST_TOO_LARGE, refusal.reason());
    assertEquals(2 * 16, told[0]);
    assertTrue(bytes < 64 * 1_024, "allocated " + bytes);
  }

  @Test
  void literalsPastTheBoundAreNotKept() {
    HpackDecoder bounded = new HpackDecoder(4_096, 1_000, 200);
    byte[] block = Recorder.hex(literal("00", "a", "x".repeat(2_000)).repeat(500));
    assertThrows(
        HpackException.class, () -> bounded.decode(block, 0, block.length, new Recorder()));
    long before = allocated();
    assertThrows(
        HpackException.class, () -> bounded.decode(block, 0, block.length, new Recorder()));
    long bytes = allocated() - before;
    assertTrue(bytes < block.length / 4, "allocated " + bytes + " for " + block.length);
  }

  @Test
  void blockOfKnownFieldsIsDecodedWithoutAllocation() throws HpackException {
    decode(literal("40", "server", "heddle") + literal("40", "vary", "accept"));
    byte[] block = HexFormat.of().parseHex("88bebf8f90");
    int[] told = new int[1];
    HpackSink sink = new HpackSink() {
      @Override
      public void field(HpackField field) {
        told[0]++;
      }

      @Override
      public void malformed(Kind kind, String why) {}
    };
    for (int round = 0; round < 1_000; round++) {
      decoder.decode(block, 0, block.length, sink);
    }
    long before = allocated();
    for (int round = 0; round < 1_000; round++) {
      decoder.decode(block, 0, block.length, sink);
    }
    long bytes = allocated() - before;
    assertEquals(10_000, told[0]);
    assertTrue(bytes < 8_000, "allocated " + bytes); // one object a block would be 16,000
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void onlyTheGivenRangeIsRead() throws HpackException {
    Recorder recorder = new Recorder();
    decoder.decode(Recorder.hex("ff8284ff"), 1, 2, recorder);
    assertEquals(List.of(":method: GET", ":path: /"), recorder.lines);
    assertThrows(
        IndexOutOfBoundsException.class, () -> decoder.decode(new byte[4], 2, 3, recorder));
  }
}
