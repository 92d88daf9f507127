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
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random fields through an encoder and a decoder, and random bytes through a decoder. The seed is
 * new for each run and stands in the message of a failure: put it into {@link #seed} to see the
 * failure again. The system property {@code heddle.fuzz.rounds} asks for more random strings.
 */
class RandomBlocksTest {
  private static final int CONNECTIONS = 400;
  private static final int BLOCKS = 50;
  private static final int RANDOM_STRINGS = Integer.getInteger("heddle.fuzz.rounds", 1_000_000);
  private static final String[] NAMES = {
    "Accept",
    "Cookie",
    "Set-Cookie",
    "Authorization",
    "Date",
    "ETag",
    "Content-Length",
    "X-Loom",
    "x",
    "x-a-longer-name-than-most-are",
    "Refresh",
    "Accept-Encoding",
    "X-LOOM-2",
    "traceparent"
  };

  private static long seed() {
    return System.nanoTime();
  }

  /** A value of few or many kinds, so that some repeat. */
  private static String value(Random random) {
    int length = random.nextInt(random.nextInt(20) == 0 ? 2_000 : 30);
    int kinds = 1 + random.nextInt(96);
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < length; i++) {
      value.append((char)
          (random.nextInt(10) == 0
              ? 0x80 + random.nextInt(0x80)
              : '!' + random.nextInt(Math.min(kinds, 94))));
    }
    return switch (random.nextInt(4)) {
      case 0 -> "gzip, deflate";
      case 1 -> "value " + random.nextInt(40);
      default -> value.toString();
    };
  }

  @Test
  void randomFieldsComeBackTheSameWhateverTheTablesSizes() throws HpackException {
    long seed = seed();
    Random random = new Random(seed);
    for (int connection = 0; connection < CONNECTIONS; connection++) {
      IndexingRules rules = random.nextBoolean() ? IndexingRules.DEFAULTS : IndexingRules.INDEX_ALL;
      int own = random.nextBoolean() ? 4_096 : random.nextInt(5_000);
      HpackEncoder encoder = new HpackEncoder(own, rules, random.nextInt(3) - 1);
      HpackDecoder decoder = new HpackDecoder(5_000, 1 << 20, 1_000);
      for (int block = 0; block < BLOCKS; block++) {
        for (int changes = random.nextInt(8) == 0 ? random.nextInt(4) : 0; changes > 0; changes--) {
          encoder.setMaxTableBytes(random.nextInt(random.nextBoolean() ? 200 : 5_000));
        }
        String message = "seed " + seed + ", connection " + connection + ", block " + block;
        sendOne(encoder, decoder, random, message);
      }
    }
  }

  private static void sendOne(
      HpackEncoder encoder, HpackDecoder decoder, Random random, String message)
      throws HpackException {
    HpackOutput out = new HpackOutput(random.nextInt(40));
    List<String> expected = new ArrayList<>();
    encoder.begin(out);
    if (random.nextBoolean()) {
      for (Pseudo pseudo : Pseudo.values()) {
        String value = value(random);
        expected.add(pseudo + ": " + value);
        encoder.field(pseudo, value);
      }
    }
    Headers.Builder builder = Headers.builder();
    for (int i = random.nextInt(12); i > 0; i--) {
      builder.add(NAMES[random.nextInt(NAMES.length)], value(random));
    }
    Headers headers = builder.build();
    for (int i = 0; i < headers.size(); i++) {
      HeaderName name = headers.name(i);
      expected.add(name.toString().toLowerCase(Locale.ROOT) + ": " + headers.value(i));
      if (random.nextInt(6) == 0) {
        encoder.secret(name, headers, i);
      } else {
        encoder.field(name, headers, i);
      }
    }
    if (random.nextInt(30) == 0) {
      encoder.abandon();
      return;
    }
    byte[] bytes = Arrays.copyOf(out.array(), out.length());
    try {
      assertEquals(expected, Recorder.decode(decoder, bytes), message);
    } catch (HpackException e) {
      throw new AssertionError(message + ": " + HexFormat.of().formatHex(bytes), e);
    }
    assertTrue(decoder.tableBytes() <= 5_000, message);
  }

  @Test
  void randomBytesAreDecodedOrRefusedWithinTheBounds() {
    long seed = seed();
    Random random = new Random(seed);
    HpackDecoder decoder = new HpackDecoder(256, 2_000, 20);
    Bounds bounds = new Bounds();
    byte[] noise = new byte[48];
    for (int round = 0; round < RANDOM_STRINGS; round++) {
      int length = fill(noise, random);
      try {
        bounds.clear();
        decoder.decode(noise, 0, length, bounds);
        assertTrue(bounds.size <= 2_000 && bounds.count <= 20, "seed " + seed);
      } catch (HpackException e) {
        if (e.reason() == HpackException.Reason.COMPRESSION_ERROR) {
          decoder = new HpackDecoder(256, 2_000, 20);
        }
        assertTrue(bounds.size <= 2_000 && bounds.count <= 20, "seed " + seed);
      } catch (RuntimeException e) {
        throw new AssertionError(
            "seed " + seed + ": " + HexFormat.of().formatHex(noise, 0, length), e);
      }
      assertTrue(decoder.tableBytes() <= 4_096, "seed " + seed);
    }
  }

  /** Noise alone is refused after a few bytes, so half of it looks like representations. */
  private static int fill(byte[] noise, Random random) {
    random.nextBytes(noise);
    int length = random.nextInt(noise.length + 1);
    if (random.nextBoolean()) {
      for (int at = 0; at + 4 < length; ) {
        int text = random.nextInt(6);
        switch (random.nextInt(5)) {
          case 0 -> noise[at++] = (byte) (0x80 | random.nextInt(70));
          case 1 -> noise[at++] = (byte) (0x40 | (1 + random.nextInt(62)));
          case 2 -> noise[at++] = (byte) random.nextInt(16);
          case 3 -> noise[at++] = (byte) (0x10 | random.nextInt(16));
          default -> noise[at++] = 0x40;
        }
        if (noise[at - 1] >= 0) {
          noise[at] = (byte) (text | (random.nextInt(4) == 0 ? 0x80 : 0));
          at += text + 1;
        }
      }
    }
    return length;
  }

  /** Counts what it is told. */
  private static final class Bounds implements HpackSink {
    private long size;
    private int count;

    void clear() {
      size = 0;
      count = 0;
    }

    @Override
    public void field(HpackField field) {
      size += field.size();
      count++;
    }

    @Override
    public void malformed(Kind kind, String why) {
      count++;
    }
  }
}
