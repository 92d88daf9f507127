package heddle.client.coding;

import static heddle.client.coding.Coding.DEFLATE;
import static heddle.client.coding.Coding.GZIP;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.coding.Coded.Arriving;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 15: decompressed size, ratio and layers are bounded")
@Timeout(60)
class ExpansionTest {
  private static final int MIB = 1 << 20;

  private static Body decoded(Body coded, DecodingLimits limits, ContentCoding... codings) {
    return new DecodedBody(coded, List.of(codings), limits);
  }

  private static long readUntilRefused(Body body) throws IOException {
    long read = 0;
    try (InputStream in = body.stream()) {
      byte[] chunk = new byte[4096];
      for (int n; (n = in.read(chunk)) >= 0; read += n) {
        // What is read counts.
      }
    } catch (MessageTooLargeException expected) {
      return read;
    }
    throw new AssertionError("all " + read + " bytes could be read");
  }

  @Test
  void bombGoesOffAfterTheFreeBytesAndAHundredForEachReceived() throws Exception {
    byte[] bomb = Coded.gzip(new byte[64 * MIB]);
    Arriving arriving = new Arriving(bomb, new Random(1));
    long read = readUntilRefused(decoded(arriving, DecodingLimits.DEFAULTS, GZIP));
    assertTrue(read >= MIB, () -> read + " bytes");
    assertTrue(read <= MIB + 100L * arriving.given, () -> read + " of " + arriving.given);
    assertTrue(arriving.given < bomb.length, "what is left of the bomb is not read");
    assertTrue(arriving.closed, "and its connection is given up");
  }

  @Test
  void refusalSaysWhatGrewHowFarAndWhichLimitToRaise() {
    Body body = decoded(Body.of(Coded.gzip(new byte[8 * MIB])), DecodingLimits.DEFAULTS, GZIP);
    String message = assertThrows(MessageTooLargeException.class, body::bytes).getMessage();
    assertTrue(message.contains("maxRatio"), message);
    assertTrue(message.contains("1048576"), message);
    DecodingLimits small = DecodingLimits.builder().maxBytes(10).build();
    Body large = decoded(Body.of(Coded.gzip(new byte[11])), small, GZIP);
    String other = assertThrows(MessageTooLargeException.class, large::bytes).getMessage();
    assertTrue(other.contains("maxBytes"), other);
  }

  @Test
  void ratioOfTheLimitIsAllowedAndOneMoreIsNot() throws Exception {
    byte[] coded = Coded.gzip(new byte[10_000]);
    int free = 10_000 % coded.length;
    int ratio = 10_000 / coded.length;
    DecodingLimits exact = new DecodingLimits(Long.MAX_VALUE, ratio, free, 2);
    assertEquals(10_000, decoded(Body.of(coded), exact, GZIP).bytes().length);
    DecodingLimits less = exact.toBuilder().freeBytes(free - 1).build();
    assertThrows(MessageTooLargeException.class, () -> decoded(Body.of(coded), less, GZIP)
        .bytes());
  }

  @Test
  void sizeOfTheLimitIsAllowedAndOneMoreIsNot() throws Exception {
    DecodingLimits limits = DecodingLimits.builder().maxBytes(5000).build();
    byte[] allowed = new byte[5000];
    assertArrayEquals(
        allowed, decoded(Body.of(Coded.zlib(allowed)), limits, DEFLATE).bytes());
    byte[] more = Coded.zlib(new byte[5001]);
    assertThrows(MessageTooLargeException.class, () -> decoded(Body.of(more), limits, DEFLATE)
        .bytes());
  }

  @Test
  void layersMayNotDoMoreTogetherThanOneAlone() throws Exception {
    // Each layer alone stays within its ratio of some 1000; both together make a million of it.
    byte[] bomb = Coded.gzip(Coded.gzip(new byte[64 * MIB]));
    assertTrue(bomb.length < 2000, () -> bomb.length + " bytes");
    DecodingLimits limits = DecodingLimits.builder().maxRatio(1100).build();
    Arriving arriving = new Arriving(bomb, new Random(1));
    long read = readUntilRefused(decoded(arriving, limits, GZIP, GZIP));
    assertTrue(read <= MIB + 1100L * arriving.given, () -> read + " bytes");
  }

  @Test
  void bombInALowerLayerIsNoticedThoughNothingComesOfIt() {
    // A member without content, again and again: the lower layer grows, the upper one stays empty.
    byte[] empty = Coded.gzip(new byte[0]);
    byte[] many = new byte[empty.length * 100_000];
    for (int at = 0; at < many.length; at += empty.length) {
      System.arraycopy(empty, 0, many, at, empty.length);
    }
    Body body = decoded(Body.of(Coded.zlib(many)), DecodingLimits.DEFAULTS, GZIP, DEFLATE);
    assertThrows(MessageTooLargeException.class, body::bytes);
  }

  @Test
  void endlessNameInAHeaderIsCutOff() {
    // Eight million bytes stand for those without end.
    byte[] endless = new byte[8 * MIB];
    Arrays.fill(endless, (byte) 'n');
    for (int flag : new int[] {8, 16}) {
      byte[] start = {0x1F, (byte) 0x8B, 8, (byte) flag, 0, 0, 0, 0, 0, 0};
      Arriving arriving = new Arriving(Coded.concat(start, endless), new Random(1));
      MalformedMessageException failure = assertThrows(
          MalformedMessageException.class,
          () -> decoded(arriving, DecodingLimits.DEFAULTS, GZIP).bytes());
      assertTrue(failure.getMessage().contains("header is longer"), failure.getMessage());
      assertTrue(arriving.given <= (128 << 10) + (16 << 10), () -> arriving.given + " bytes");
    }
  }

  @Test
  void largestExtraFieldIsAllowed() throws Exception {
    byte[] extra = new byte[2 + 65_535];
    extra[0] = extra[1] = (byte) 0xFF;
    Body body =
        decoded(Body.of(Coded.gzip("x".getBytes(UTF_8), 4, extra)), DecodingLimits.DEFAULTS, GZIP);
    assertEquals("x", body.string());
  }

  @Test
  void limitsOutOfTheirRangeAreRefused() {
    DecodingLimits limits = DecodingLimits.DEFAULTS;
    assertThrows(
        IllegalArgumentException.class, () -> limits.toBuilder().maxBytes(0).build());
    assertThrows(
        IllegalArgumentException.class, () -> limits.toBuilder().maxRatio(0).build());
    assertThrows(
        IllegalArgumentException.class, () -> limits.toBuilder().freeBytes(-1).build());
    assertThrows(
        IllegalArgumentException.class, () -> limits.toBuilder().maxLayers(0).build());
    IllegalArgumentException refused = assertThrows(
        IllegalArgumentException.class, () -> limits.toBuilder().maxLayers(9).build());
    assertEquals("maxLayers must be 1 to 8, not 9", refused.getMessage());
  }
}
