package heddle.zstd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import heddle.client.HttpClient;
import heddle.http.ContentCoding;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What zstd has that other codings have not; CodingModulesTest has the rest. */
@Timeout(60)
final class ZstdCodingTest {
  private static final byte[] TEXT = "warp and weft ".repeat(100).getBytes(UTF_8);

  private static byte[] encoded(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream encoder = new ZstdCoding().encoder(out)) {
      encoder.write(content);
    }
    return out.toByteArray();
  }

  private static byte[] encoded(byte[] content, int windowLog) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (var encoder = new ZstdOutputStreamNoFinalizer(out, 1)) {
      encoder.setLong(windowLog);
      encoder.write(content);
    }
    return out.toByteArray();
  }

  /** A frame that decoders skip (RFC 8878 section 3.1.2). */
  private static byte[] skippable(int kind, int length) {
    return ByteBuffer.allocate(8 + length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0x184D2A50 + kind)
        .putInt(length)
        .array();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** Decodes what comes in pieces of this size, and what is taken in pieces of that. */
  private static byte[] decoded(byte[] coded, int piece, int room) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean complete = false;
    try (ContentCoding.Decoder decoder = new ZstdCoding().decoder()) {
      for (int at = 0; at < coded.length; at += piece) {
        ByteBuffer source = ByteBuffer.wrap(coded, at, Math.min(piece, coded.length - at));
        ByteBuffer target;
        do {
          target = ByteBuffer.allocate(room);
          complete = decoder.decode(source, target);
          out.write(target.array(), 0, target.position());
        } while (source.hasRemaining() || !target.hasRemaining());
      }
    }
    assertTrue(complete, "it is truncated");
    return out.toByteArray();
  }

  private static String refusal(byte[] coded) {
    return String.valueOf(
        assertThrows(DataFormatException.class, () -> decoded(coded, 10_000, 10_000))
            .getMessage());
  }

  @Test
  void clientsAskForItByItsBeingOnTheClassPath() throws Exception {
    assertInstanceOf(ZstdCoding.class, ContentCoding.installed().getFirst());
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.create()) {
      server.answer("/", MockResponse.ok(encoded(TEXT)).header("Content-Encoding", "zstd"));
      assertArrayEquals(TEXT, client.get(server.url("/")).bytes());
      assertEquals("zstd, gzip, deflate", server.takeRequest().header("Accept-Encoding"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 10_000})
  void framesFollowEachOther(int piece) throws Exception {
    byte[] frames = concat(
        skippable(0, 5),
        encoded(TEXT),
        encoded(new byte[0]),
        skippable(15, 0),
        encoded(TEXT),
        skippable(7, 300));
    for (int room : new int[] {1, 99, TEXT.length, 2 * TEXT.length, 10_000}) {
      assertArrayEquals(concat(TEXT, TEXT), decoded(frames, piece, room));
    }
  }

  @Test
  void contentMayEndBetweenFramesOnly() throws Exception {
    byte[] frame = encoded(TEXT);
    byte[] frames = concat(frame, frame);
    assertArrayEquals(TEXT, decoded(Arrays.copyOf(frames, frame.length), 10_000, 10_000));
    for (int length = frame.length + 1; length < frames.length; length++) {
      byte[] cut = Arrays.copyOf(frames, length);
      assertThrows(AssertionError.class, () -> decoded(cut, 10_000, 10_000));
    }
  }

  /** RFC 9659 section 3. */
  @Test
  void windowOfEightMebibytesIsAllowedAndMoreIsNot() throws Exception {
    assertArrayEquals(TEXT, decoded(encoded(TEXT, 23), 10_000, 10_000));
    String refusal = refusal(encoded(TEXT, 24));
    assertTrue(refusal.contains("its window is larger than 8 MiB"), refusal);
  }

  @ParameterizedTest
  @ValueSource(ints = {0xFD2FB527, 0xFD2FB526, 0xFD2FB525, 0xFD2FB524, 0xFD2FB51E, 0})
  void formatsFromBeforeTheRfcAreRefused(int magic) throws Exception {
    byte[] old = encoded(TEXT);
    ByteBuffer.wrap(old).order(ByteOrder.LITTLE_ENDIAN).putInt(magic);
    assertEquals("it does not begin with the zstd header", refusal(old));
    assertEquals("other data follows its end", refusal(concat(encoded(TEXT), old)));
  }

  @Test
  void checksumIsVerified() throws Exception {
    byte[] coded = encoded(TEXT);
    coded[coded.length - 1] ^= 1;
    String refusal = refusal(coded);
    assertTrue(refusal.contains("checksum"), refusal);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, -1})
  void levelsThatHttpHasNoWindowForAreRefused(int level) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new ZstdCoding(level));
    assertEquals("level must be 1 to 19, not " + level, refused.getMessage());
  }

  @Test
  void whatTheHighestLevelMakesIsDecoded() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream encoder = new ZstdCoding(19).encoder(out)) {
      encoder.write(TEXT);
    }
    assertArrayEquals(TEXT, decoded(out.toByteArray(), 10_000, 10_000));
  }
}
