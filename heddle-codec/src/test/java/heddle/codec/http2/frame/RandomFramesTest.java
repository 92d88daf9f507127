package heddle.codec.http2.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.hpack.HpackOutput;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random frames, a quarter of a million, most of them nearly right. The seed is new for each run
 * and stands in the message of a failure: put it into {@link #seed} to see the failure again. The
 * system property {@code heddle.fuzz.rounds} asks for more of them.
 */
class RandomFramesTest {
  private static final int ROUNDS = Integer.getInteger("heddle.fuzz.rounds", 25_000);

  private static long seed() {
    return System.nanoTime();
  }

  @Test
  void framesMeanTheSameWholeAndCut() {
    long seed = seed();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = frames(random);
      String at = "round " + round + ", seed " + seed;
      try {
        Reading whole = new Reading().read(bytes);
        Reading cut = new Reading();
        int longest = 1 + random.nextInt(40);
        for (int from = 0; from < bytes.length; ) {
          int to = Math.min(bytes.length, from + random.nextInt(longest + 1));
          cut.read(bytes, from, to);
          from = to;
        }
        assertEquals(whole.transcript(), cut.transcript(), at);
        assertTrue(whole.errors.size() <= whole.frames.size() + 60, "errors without end, " + at);
      } catch (RuntimeException e) {
        throw new AssertionError(at, e);
      }
    }
  }

  @Test
  void noiseIsReadOrRefused() {
    long seed = seed();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      try {
        new Reading().readInPieces(noise, 1 + random.nextInt(60));
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + Arrays.toString(noise), e);
      }
    }
  }

  /** Up to 20 frames whose types, flags, streams and lengths are mostly plausible. */
  private static byte[] frames(Random random) {
    HpackOutput out = new HpackOutput(256);
    for (int frames = 1 + random.nextInt(20); frames > 0; frames--) {
      int type = random.nextInt(10) == 0 ? random.nextInt(256) : random.nextInt(11);
      int at = FrameHeader.reserve(out);
      for (int length = length(random, type); length > 0; length--) {
        out.putByte(random.nextInt(3) == 0 ? random.nextInt() : 0);
      }
      int streamId =
          switch (random.nextInt(8)) {
            case 0 -> random.nextInt();
            case 1, 2 -> 0;
            default -> type >= 4 && type <= 7 && type != 5 ? 0 : 1 + random.nextInt(3);
          };
      FrameHeader.patch(out, at, type, random.nextBoolean() ? 4 : random.nextInt(64), streamId);
    }
    return Arrays.copyOf(out.array(), out.length());
  }

  private static int length(Random random, int type) {
    if (random.nextInt(12) == 0) {
      return random.nextInt(100) == 0 ? 16_380 + random.nextInt(10) : random.nextInt(30);
    }
    return switch (type) {
      case Frame.Priority.TYPE -> 5;
      case Frame.RstStream.TYPE, Frame.WindowUpdate.TYPE -> 4;
      case Frame.Settings.TYPE -> 6 * random.nextInt(3);
      case Frame.Ping.TYPE, Frame.GoAway.TYPE -> 8;
      default -> random.nextInt(12);
    };
  }
}
