package heddle.client.coding;

import static heddle.client.coding.Coding.DEFLATE;
import static heddle.client.coding.Coding.GZIP;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.coding.Coded.Arriving;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.failure.MalformedMessageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DecodedBodyTest {
  private static final byte[] TEXT = "The heddles lift the warp. ".repeat(20).getBytes(UTF_8);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private Body decoded(byte[] coded, ContentCoding... codings) {
    return decoded(new Arriving(coded, random), codings);
  }

  private static Body decoded(Body coded, ContentCoding... codings) {
    return new DecodedBody(coded, List.of(codings), DecodingLimits.DEFAULTS);
  }

  /** Reads in pieces of random sizes, now and then one byte. */
  private byte[] readInPieces(Body body) throws IOException {
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    byte[] piece = new byte[20_000];
    try (InputStream in = body.stream()) {
      while (true) {
        boolean single = random.nextInt(4) == 0;
        int n = single ? in.read() : in.read(piece, 5, 1 + random.nextInt(piece.length - 5));
        if (n < 0) {
          assertEquals(-1, in.read(), "the end stays the end");
          return pieces.toByteArray();
        }
        if (single) {
          pieces.write(n);
        } else {
          pieces.write(piece, 5, n);
        }
      }
    }
  }

  private static MalformedMessageException assertMalformed(Body body, String part) {
    MalformedMessageException failure = assertThrows(MalformedMessageException.class, body::bytes);
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
    return failure;
  }

  @Test
  void contentComesBackWhereverItIsCut() throws Exception {
    for (int size : new int[] {0, 1, 100, 16_383, 16_384, 70_000, 300_000}) {
      for (int round = 0; round < 10; round++) {
        byte[] content = Coded.content(random, size);
        Map<byte[], List<ContentCoding>> forms = Map.of(
            Coded.gzip(content), List.of(GZIP),
            Coded.gzipWithAllFields(content), List.of(GZIP),
            Coded.zlib(content), List.of(DEFLATE),
            Coded.raw(content), List.of(DEFLATE),
            Coded.gzip(Coded.zlib(content)), List.of(DEFLATE, GZIP),
            Coded.raw(Coded.gzip(content)), List.of(GZIP, DEFLATE));
        for (var form : forms.entrySet()) {
          Arriving arriving = new Arriving(form.getKey(), random);
          Body body = decoded(arriving, form.getValue().toArray(new ContentCoding[0]));
          assertArrayEquals(content, readInPieces(body), () -> form.getValue() + ", seed " + seed);
          assertTrue(
              arriving.endSeen, "the connection is free when the coded content is at its end");
        }
      }
    }
  }

  @Test
  void whatIsCutShortIsAnErrorWhereverItIsCut() {
    byte[] gzip = Coded.gzipWithAllFields(TEXT);
    byte[] members = Coded.concat(Coded.gzip(TEXT), gzip);
    byte[] layers = Coded.gzip(Coded.zlib(TEXT));
    for (int length = 0; length < members.length; length++) {
      // A cut between two members cannot be seen: it is the end of one message and not its middle.
      if (length != Coded.gzip(TEXT).length) {
        assertCutShort(members, length, GZIP);
      }
    }
    for (int length = 0; length < layers.length; length++) {
      assertCutShort(layers, length, DEFLATE, GZIP);
    }
    for (byte[] deflated : new byte[][] {Coded.zlib(TEXT), Coded.raw(TEXT)}) {
      for (int length = 0; length < deflated.length; length++) {
        assertCutShort(deflated, length, DEFLATE);
      }
    }
  }

  private void assertCutShort(byte[] whole, int length, ContentCoding... codings) {
    Arriving arriving = new Arriving(Arrays.copyOf(whole, length), random);
    MalformedMessageException failure = assertThrows(
        MalformedMessageException.class,
        () -> readInPieces(decoded(arriving, codings)),
        () -> "cut after " + length + ", seed " + seed);
    assertTrue(failure.getMessage().contains("it is truncated"), failure.getMessage());
    if (codings.length == 1) {
      assertTrue(failure.getMessage().contains("byte " + length), failure.getMessage());
    }
    assertTrue(arriving.closed);
  }

  @Test
  void noFlippedBitChangesContentUnnoticed() throws Exception {
    Map<byte[], ContentCoding> forms =
        Map.of(Coded.gzipWithAllFields(TEXT), GZIP, Coded.zlib(TEXT), DEFLATE);
    for (var form : forms.entrySet()) {
      int noticed = 0;
      int bits = form.getKey().length * 8;
      for (int bit = 0; bit < bits; bit++) {
        byte[] damaged = form.getKey().clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        try {
          assertArrayEquals(TEXT, decoded(damaged, form.getValue()).bytes(), "bit " + bit);
        } catch (IOException e) {
          noticed++;
        }
      }
      int seen = noticed;
      assertTrue(noticed > bits * 9 / 10, () -> seen + " of " + bits);
    }
  }

  @Test
  void gzipMembersFollowEachOther() throws Exception {
    byte[] coded = Coded.concat(
        Coded.gzip("one".getBytes(UTF_8)), Coded.gzip(new byte[0]), Coded.gzipWithAllFields(TEXT));
    byte[] expected = Coded.concat("one".getBytes(UTF_8), TEXT);
    for (int round = 0; round < 50; round++) {
      assertArrayEquals(expected, readInPieces(decoded(coded, GZIP)), () -> "seed " + seed);
    }
  }

  @Test
  void dataAfterTheEndIsAnErrorOnceTheContentIsRead() throws Exception {
    for (byte[] more : new byte[][] {{0}, {0x1F}, {0x1F, 0}, "garbage".getBytes(UTF_8)}) {
      assertThrows(
          MalformedMessageException.class,
          () -> decoded(Coded.concat(Coded.gzip(TEXT), more), GZIP).bytes());
      assertMalformed(
          decoded(Coded.concat(Coded.zlib(TEXT), more), DEFLATE), "other data follows its end");
      assertMalformed(
          decoded(Coded.concat(Coded.raw(TEXT), more), DEFLATE), "other data follows its end");
    }
    try (InputStream in = decoded(Coded.concat(Coded.gzip(TEXT), TEXT), GZIP).stream()) {
      assertArrayEquals(TEXT, in.readNBytes(TEXT.length));
      IOException failure = assertThrows(IOException.class, in::read);
      assertTrue(failure.getMessage().contains("other data follows"), failure.getMessage());
      assertSame(failure, assertThrows(IOException.class, in::read), "an error stays one");
    }
  }

  @Test
  void checksumsAndLengthsAreVerified() {
    byte[] gzip = Coded.gzip(TEXT);
    byte[] wrongCrc = gzip.clone();
    wrongCrc[gzip.length - 8] ^= 1;
    assertMalformed(decoded(wrongCrc, GZIP), "the checksum of its content is wrong");
    byte[] wrongLength = gzip.clone();
    wrongLength[gzip.length - 1] ^= 1;
    assertMalformed(
        decoded(wrongLength, GZIP), "its length differs from the length in its trailer");
    byte[] wrongHeader = Coded.gzipWithAllFields(TEXT);
    wrongHeader[4] ^= 1;
    assertMalformed(decoded(wrongHeader, GZIP), "the checksum of its header is wrong");
    byte[] wrongAdler = Coded.zlib(TEXT);
    wrongAdler[wrongAdler.length - 1] ^= 1;
    assertMalformed(decoded(wrongAdler, DEFLATE), "cannot be decoded as deflate");
  }

  @Test
  void headersThatAreNotGzipsAreRefused() {
    assertMalformed(decoded("<html>".getBytes(UTF_8), GZIP), "does not begin with the gzip header");
    byte[] method = Coded.gzip(TEXT);
    method[2] = 7;
    assertMalformed(decoded(method, GZIP), "compression method");
    for (int flag : new int[] {0x20, 0x40, 0x80}) {
      assertMalformed(decoded(Coded.gzip(TEXT, flag, new byte[0]), GZIP), "has undefined flags");
    }
    assertMalformed(decoded("<html>".getBytes(UTF_8), DEFLATE), "cannot be decoded as deflate");
  }

  @Test
  void dictionariesAreRefused() {
    Deflater deflater = new Deflater();
    deflater.setDictionary(TEXT);
    deflater.setInput(TEXT);
    deflater.finish();
    byte[] coded = new byte[1000];
    int length = deflater.deflate(coded);
    deflater.end();
    assertMalformed(decoded(Arrays.copyOf(coded, length), DEFLATE), "dictionary");
  }

  @Test
  void storedBlocksAreReadToo() throws Exception {
    byte[] content = Coded.content(random, 100_000);
    Deflater deflater = new Deflater(Deflater.NO_COMPRESSION, true);
    deflater.setInput(content);
    deflater.finish();
    byte[] coded = new byte[110_000];
    int length = deflater.deflate(coded);
    deflater.end();
    byte[] exact = Arrays.copyOf(coded, length);
    assertArrayEquals(content, readInPieces(decoded(exact, DEFLATE)), () -> "seed " + seed);
  }

  @Test
  void contentInMemoryCanBeDecodedAgain() throws Exception {
    Body body = decoded(Body.of(Coded.gzip(TEXT)), GZIP);
    assertTrue(body.isReplayable());
    assertArrayEquals(TEXT, body.bytes());
    assertArrayEquals(TEXT, body.bytes());
    assertFalse(decoded(Coded.gzip(TEXT), GZIP).isReplayable());
  }

  @Test
  void discardingDecodesNothing() throws Exception {
    Arriving arriving = new Arriving("no gzip at all".getBytes(UTF_8), random);
    assertEquals(14, decoded(arriving, GZIP).discard());
    assertTrue(arriving.discarded);
  }

  @Test
  void lengthIsUnknown() {
    assertEquals(Body.UNKNOWN, decoded(Coded.gzip(TEXT), GZIP).length());
  }
}
