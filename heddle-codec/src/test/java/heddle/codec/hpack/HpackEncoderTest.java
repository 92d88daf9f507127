package heddle.codec.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HpackEncoderTest {
  private final HpackEncoder encoder = new HpackEncoder(4_096);
  private final HpackDecoder decoder = new HpackDecoder(4_096, 1 << 20, 10_000);
  private final HpackOutput out = new HpackOutput(0);

  /** Encodes fields, reads them back, and gives the block. */
  private String send(String... namesAndValues) throws HpackException {
    Headers headers = Headers.of(namesAndValues);
    encode(headers);
    Recorder recorder = new Recorder();
    decoder.decode(out.array(), 0, out.length(), recorder);
    for (int i = 0; i < headers.size(); i++) {
      assertEquals(headers.name(i).lowerCase() + ": " + headers.value(i), recorder.lines.get(i));
    }
    assertEquals(headers.size(), recorder.lines.size());
    return Recorder.hex(out);
  }

  private void encode(Headers headers) {
    out.reset();
    encoder.begin(out);
    for (int i = 0; i < headers.size(); i++) {
      encoder.field(headers.name(i), headers, i);
    }
  }

  private List<String> receive() throws HpackException {
    return Recorder.decode(decoder, Arrays.copyOf(out.array(), out.length()));
  }

  @Test
  void repeatedFieldTakesOneByte() throws HpackException {
    send("User-Agent", "heddle", "X-Loom", "1");
    assertEquals("bfbe", send("User-Agent", "heddle", "X-Loom", "1"));
    send("X-Loom", "2");
    assertEquals("c0bfbe", send("User-Agent", "heddle", "X-Loom", "1", "X-Loom", "2"));
  }

  /** Only an encoder that takes the code even if it is longer comes to a string of 127 bytes. */
  @Test
  void codeOf127BytesIsNotWrittenBehindALengthOfOneByte() throws HpackException {
    HpackEncoder eager = new HpackEncoder(4_096, IndexingRules.DEFAULTS, -1);
    String value = "&".repeat(125) + "^"; // 8 bits each, and 14
    eager.begin(out);
    eager.field(HeaderName.of("x-loom"), Headers.of("x-loom", value), 0);
    assertEquals(List.of("x-loom: " + value), receive());
  }

  @Test
  void stringsAndOctetsFindTheSameEntry() throws HpackException {
    send("X-Loom", "caf\u00e9", "X-Loom", "tea");
    encode(Headers.of("x-loom", "caf\u00e9", "x-loom", "tea"));
    encoder.field(Pseudo.STATUS, "201");
    encoder.field(Pseudo.STATUS, "201".getBytes(StandardCharsets.US_ASCII));
    encoder.field(Pseudo.STATUS, "202".getBytes(StandardCharsets.US_ASCII));
    encoder.field(Pseudo.STATUS, "202");
    encoder.field(Pseudo.STATUS, "201".getBytes(StandardCharsets.US_ASCII));
    assertEquals("bfbe48821003be48821005bebf", Recorder.hex(out));
    assertEquals(
        List.of(
            "x-loom: caf\u00e9",
            "x-loom: tea",
            ":status: 201",
            ":status: 201",
            ":status: 202",
            ":status: 202",
            ":status: 201"),
        receive());
  }

  @Test
  void staticEntriesAreUsedForWholeFieldsAndForNames() throws HpackException {
    out.reset();
    encoder.begin(out);
    encoder.field(Pseudo.METHOD, "POST");
    encoder.field(Pseudo.SCHEME, "https");
    encoder.field(Pseudo.PATH, "/index.html");
    encoder.field(Pseudo.AUTHORITY, "");
    encoder.field(Pseudo.STATUS, "404".getBytes(StandardCharsets.US_ASCII));
    assertEquals("838785818d", Recorder.hex(out));
    assertEquals("9093", send("Accept-Encoding", "gzip, deflate", "Accept", ""));
    assertTrue(send("Content-Type", "a").startsWith("5f"));
  }

  @Test
  void credentialsAndShortCookiesAreNeverIndexed() throws HpackException {
    int generation = encoder.generation();
    String cookie = "0123456789012345678";
    for (String[] secret : new String[][] {
      {"Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "1f08"},
      {"Proxy-Authorization", "x", "1f22"},
      {"Cookie", cookie, "1f11"},
      {"Set-Cookie", cookie, "1f28"}
    }) {
      String block = send(secret[0], secret[1]);
      assertTrue(block.startsWith(secret[2]), secret[0] + " gives " + block);
      assertEquals(block, send(secret[0], secret[1]));
    }
    assertEquals(generation, encoder.generation());
    String longCookie = send("Cookie", cookie + "9");
    assertTrue(longCookie.startsWith("60"), longCookie);
    String setCookie = send("Set-Cookie", cookie + "9");
    assertTrue(setCookie.startsWith("0f28"), setCookie);
    out.reset();
    encoder.begin(out);
    encoder.secret(HeaderName.of("X-Api-Key"), Headers.of("X-Api-Key", "k"), 0);
    assertTrue(Recorder.hex(out).startsWith("10"), Recorder.hex(out));
  }

  @Test
  void whatBelongsToOneMessageIsNotIndexed() throws HpackException {
    int generation = encoder.generation();
    for (String name : List.of("Content-Length", "ETag", "If-None-Match", "Location", "Range")) {
      assertTrue(send(name, "17").startsWith("0"), name);
    }
    out.reset();
    encoder.begin(out);
    encoder.field(Pseudo.PATH, "/orders?page=2");
    assertTrue(Recorder.hex(out).startsWith("04"), Recorder.hex(out));
    assertEquals(generation, encoder.generation());
    out.reset();
    encoder.begin(out);
    encoder.field(Pseudo.PATH, "/orders");
    assertTrue(Recorder.hex(out).startsWith("44"), Recorder.hex(out));
  }

  @Test
  void nameWithoutAPlaceInTheStaticTableIsIndexedOnceForTheValuesToCome() throws HpackException {
    assertTrue(send("Traceparent", "00-0af7651916cd43dd-b7-01").startsWith("40"));
    int generation = encoder.generation();
    for (int i = 0; i < 10; i++) {
      String block = send("Traceparent", "00-0af7651916cd43dd-c" + i + "-01");
      assertTrue(block.startsWith("0f2f"), block);
    }
    assertEquals(generation, encoder.generation());
  }

  @Test
  void fieldLargerThanThreeQuartersOfTheTableDoesNotPushOutTheOthers() throws HpackException {
    send("X-Loom", "1");
    send("X-Large", "x".repeat(3_100));
    assertEquals("be", send("X-Loom", "1"));
    send("X-Large", "x".repeat(3_000));
    assertEquals("bebf", send("X-Large", "x".repeat(3_000), "X-Loom", "1"));
  }

  @Test
  void nameWhoseValuesNeverRepeatIsNoLongerIndexedUntilTheyDo() throws HpackException {
    int indexed = 0;
    for (int i = 0; i < 2_000; i++) {
      int before = encoder.generation();
      send("X-Trace", "value-" + i);
      indexed += encoder.generation() == before ? 0 : 1;
    }
    assertTrue(indexed < 200, indexed + " of 2,000 were indexed");
    int tries = 0;
    while (send("X-Trace", "the same").length() != 2) {
      tries++;
      assertTrue(tries < 100, "values that repeat are not indexed again");
    }
    send("X-Trace", "another");
    assertEquals(2, send("X-Trace", "another").length());
  }

  @Test
  void uselessNameDoesNotPushOutWhatRepeats() throws HpackException {
    int bytes = 0;
    for (int i = 0; i < 2_000; i++) {
      String block = send("User-Agent", "heddle/1.0 (a rather long name)", "X-Nonce", "id" + i);
      bytes += block.length() / 2;
    }
    assertTrue(bytes < 2_000 * 16, "a block takes " + bytes / 2_000 + " bytes");
  }

  @Test
  void smallerTableIsAnnouncedWithTheNextBlockAndEvicts() throws HpackException {
    send("A", "1", "B", "2", "C", "3");
    encoder.setMaxTableBytes(70);
    assertEquals("3f27" + "bebf", send("C", "3", "B", "2"));
    assertEquals(68, decoder.tableBytes());
    encoder.setMaxTableBytes(0);
    assertTrue(send("C", "3").startsWith("2000"));
    assertEquals(0, decoder.tableBytes());
    assertTrue(send("C", "3").startsWith("00"));
  }

  @Test
  void leastSizeBetweenTwoBlocksIsAnnouncedToo() throws HpackException {
    send("A", "1", "B", "2");
    encoder.setMaxTableBytes(40);
    encoder.setMaxTableBytes(0);
    encoder.setMaxTableBytes(100);
    encoder.setMaxTableBytes(1 << 30);
    assertTrue(send("A", "1").startsWith("203fe11f40"));
    assertEquals(34, decoder.tableBytes());
    assertEquals("be", send("A", "1"));
  }

  @Test
  void largerTableThanOursIsNotUsed() throws HpackException {
    encoder.setMaxTableBytes(1 << 20);
    encoder.setMaxTableBytes(-1);
    assertTrue(send("A", "1").startsWith("40"), "no size update");
    for (int i = 0; i < 300; i++) {
      send("B", "some value " + i, "B", "some value " + i);
    }
    assertTrue(decoder.tableBytes() <= 4_096);
  }

  @Test
  void ownBoundBelowTheDefaultIsAnnouncedAtOnce() {
    HpackEncoder small = new HpackEncoder(0);
    small.begin(out);
    small.field(Pseudo.METHOD, "GET");
    assertEquals("2082", Recorder.hex(out));
  }

  @Test
  void generationTellsWhetherABlockMayBeSentAgain() throws HpackException {
    send("A", "1");
    int known = encoder.generation();
    String block = send("A", "1", "Content-Length", "17");
    assertEquals(known, encoder.generation());
    assertEquals(block, send("A", "1", "Content-Length", "17"));
    send("B", "1");
    assertNotEquals(known, encoder.generation());

    int before = encoder.generation();
    encoder.setMaxTableBytes(100);
    int changed = encoder.generation();
    assertNotEquals(before, changed);
    send("A", "1");
    assertNotEquals(changed, encoder.generation(), "a block with a size update must not be cached");
  }

  @Test
  void abandonedBlockIsMadeUpForWithTheNext() throws HpackException {
    send("A", "1");
    encode(Headers.of("B", "2", "A", "1"));
    encoder.abandon();
    int before = encoder.generation();
    assertTrue(send("A", "1", "B", "2").startsWith("203fe11f40"));
    assertNotEquals(before, encoder.generation());
    assertEquals("bebf", send("B", "2", "A", "1"));
  }

  @Test
  void valueThatCouldSplitAMessageIsRefusedAndDoesNoHarm() throws HpackException {
    send("A", "1");
    for (String bad : List.of("a\r\nb", "\0", "a\n", " a", "a ", "\u0100", "\u20ac", "a\u007f")) {
      encoder.begin(out);
      encoder.field(HeaderName.of("B"), Headers.of("B", "2" + bad.length()), 0);
      assertThrows(IllegalArgumentException.class, () -> encoder.field(Pseudo.PATH, bad), bad);
      if (bad.chars().allMatch(c -> c < 256)) {
        byte[] octets = bad.getBytes(StandardCharsets.ISO_8859_1);
        assertThrows(
            IllegalArgumentException.class, () -> encoder.field(Pseudo.AUTHORITY, octets), bad);
      }
      send("A", "1", "C", "3");
      send("C", "3", "A", "1");
    }
  }

  @Test
  void repeatedBlockIsEncodedWithoutAllocation() throws HpackException {
    Headers headers = Headers.of(
        "User-Agent",
        "heddle",
        "Accept",
        "*/*",
        "Content-Length",
        "1234",
        "Authorization",
        "Bearer 0123456789");
    for (int round = 0; round < 2_000; round++) {
      encode(headers);
      encoder.field(Pseudo.PATH, "/a/b?c=d");
      encoder.field(Pseudo.AUTHORITY, "example.com");
    }
    long before = allocated();
    for (int round = 0; round < 1_000; round++) {
      encode(headers);
      encoder.field(Pseudo.PATH, "/a/b?c=d");
      encoder.field(Pseudo.AUTHORITY, "example.com");
    }
    long bytes = allocated() - before;
    assertTrue(bytes < 8_000, "allocated " + bytes); // one object a block would be 16,000
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }
}
