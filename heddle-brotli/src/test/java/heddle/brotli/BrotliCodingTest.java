package heddle.brotli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.ContentCoding;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Brotli has that other codings have not; CodingModulesTest has the rest. */
@Timeout(60)
final class BrotliCodingTest {
  private static final byte[] TEXT = "warp and weft ".repeat(100).getBytes(UTF_8);

  private static byte[] encoded(int quality) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream encoder = new BrotliCoding(quality).encoder(out)) {
      encoder.write(TEXT);
    }
    return out.toByteArray();
  }

  @Test
  void clientsAskForItByItsBeingOnTheClassPath() throws Exception {
    assertInstanceOf(BrotliCoding.class, ContentCoding.installed().getFirst());
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.create()) {
      server.answer("/", MockResponse.ok(encoded(5)).header("Content-Encoding", "br"));
      assertArrayEquals(TEXT, client.get(server.url("/")).bytes());
      assertEquals("br, gzip, deflate", server.takeRequest().header("Accept-Encoding"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 11})
  void everyQualityIsDecodedAsItComes(int quality) throws Exception {
    ByteBuffer target = ByteBuffer.allocate(TEXT.length);
    byte[] coded = encoded(quality);
    boolean complete = false;
    try (ContentCoding.Decoder decoder = new BrotliCoding().decoder()) {
      for (int at = 0; at < coded.length; at++) {
        complete = decoder.decode(ByteBuffer.wrap(coded, at, 1), target);
        assertEquals(at == coded.length - 1, complete);
      }
    }
    assertTrue(complete);
    assertArrayEquals(TEXT, target.array());
  }

  /** At the end of the second one the window is full: the library's own stream loses it. */
  @ParameterizedTest
  @ValueSource(ints = {(4 << 20) - 1, 4 << 20, (4 << 20) + 1, 8 << 20})
  void contentThatFillsItsWindowIsDecodedToItsEnd(int size) throws Exception {
    byte[] content = new byte[size];
    Random random = new Random(1);
    for (int i = 0; i < size; i++) {
      content[i] = (byte) ('a' + random.nextInt(8));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream encoder = new BrotliCoding(5).encoder(out)) {
      encoder.write(content);
    }
    ByteBuffer target = ByteBuffer.allocate(size);
    try (ContentCoding.Decoder decoder = new BrotliCoding().decoder()) {
      assertTrue(decoder.decode(ByteBuffer.wrap(out.toByteArray()), target));
    }
    assertArrayEquals(content, target.array());
  }

  /** Its first octet is reserved by RFC 7932 section 9.1; windows of up to 1 GiB would follow. */
  @Test
  void largeWindowsAreRefused() throws Exception {
    ByteBuffer source = ByteBuffer.wrap(new byte[] {0x11, 30, 3});
    try (ContentCoding.Decoder decoder = new BrotliCoding().decoder()) {
      assertThrows(
          DataFormatException.class, () -> decoder.decode(source, ByteBuffer.allocate(100)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 12})
  void qualitiesOutOfRangeAreRefused(int quality) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new BrotliCoding(quality));
    assertEquals("quality must be 0 to 11, not " + quality, refused.getMessage());
  }
}
