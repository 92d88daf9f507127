package heddle.codec.hpack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HuffmanTest {
  /**
   * RFC 7541 appendix B once more, as printed there: the length of each code in bits and the code
   * in hexadecimal, from octet 0 to 255. The code under test is made from lengths alone.
   */
  private static final String[] CODES = toBits(
      """
      13:1ff8 23:7fffd8 28:fffffe2 28:fffffe3 28:fffffe4 28:fffffe5 28:fffffe6 28:fffffe7
      28:fffffe8 24:ffffea 30:3ffffffc 28:fffffe9 28:fffffea 30:3ffffffd 28:fffffeb 28:fffffec
      28:fffffed 28:fffffee 28:fffffef 28:ffffff0 28:ffffff1 28:ffffff2 30:3ffffffe 28:ffffff3
      28:ffffff4 28:ffffff5 28:ffffff6 28:ffffff7 28:ffffff8 28:ffffff9 28:ffffffa 28:ffffffb
      6:14 10:3f8 10:3f9 12:ffa 13:1ff9 6:15 8:f8 11:7fa 10:3fa 10:3fb 8:f9 11:7fb 8:fa 6:16
      6:17 6:18 5:0 5:1 5:2 6:19 6:1a 6:1b 6:1c 6:1d 6:1e 6:1f 7:5c 8:fb 15:7ffc 6:20 12:ffb
      10:3fc 13:1ffa 6:21 7:5d 7:5e 7:5f 7:60 7:61 7:62 7:63 7:64 7:65 7:66 7:67 7:68 7:69
      7:6a 7:6b 7:6c 7:6d 7:6e 7:6f 7:70 7:71 7:72 8:fc 7:73 8:fd 13:1ffb 19:7fff0 13:1ffc
      14:3ffc 6:22 15:7ffd 5:3 6:23 5:4 6:24 5:5 6:25 6:26 6:27 5:6 7:74 7:75 6:28 6:29 6:2a
      5:7 6:2b 7:76 6:2c 5:8 5:9 6:2d 7:77 7:78 7:79 7:7a 7:7b 15:7ffe 11:7fc 14:3ffd 13:1ffd
      28:ffffffc 20:fffe6 22:3fffd2 20:fffe7 20:fffe8 22:3fffd3 22:3fffd4 22:3fffd5 23:7fffd9
      22:3fffd6 23:7fffda 23:7fffdb 23:7fffdc 23:7fffdd 23:7fffde 24:ffffeb 23:7fffdf
      24:ffffec 24:ffffed 22:3fffd7 23:7fffe0 24:ffffee 23:7fffe1 23:7fffe2 23:7fffe3
      23:7fffe4 21:1fffdc 22:3fffd8 23:7fffe5 22:3fffd9 23:7fffe6 23:7fffe7 24:ffffef
      22:3fffda 21:1fffdd 20:fffe9 22:3fffdb 22:3fffdc 23:7fffe8 23:7fffe9 21:1fffde 23:7fffea
      22:3fffdd 22:3fffde 24:fffff0 21:1fffdf 22:3fffdf 23:7fffeb 23:7fffec 21:1fffe0
      21:1fffe1 22:3fffe0 21:1fffe2 23:7fffed 22:3fffe1 23:7fffee 23:7fffef 20:fffea 22:3fffe2
      22:3fffe3 22:3fffe4 23:7ffff0 22:3fffe5 22:3fffe6 23:7ffff1 26:3ffffe0 26:3ffffe1
      20:fffeb 19:7fff1 22:3fffe7 23:7ffff2 22:3fffe8 25:1ffffec 26:3ffffe2 26:3ffffe3
      26:3ffffe4 27:7ffffde 27:7ffffdf 26:3ffffe5 24:fffff1 25:1ffffed 19:7fff2 21:1fffe3
      26:3ffffe6 27:7ffffe0 27:7ffffe1 26:3ffffe7 27:7ffffe2 24:fffff2 21:1fffe4 21:1fffe5
      26:3ffffe8 26:3ffffe9 28:ffffffd 27:7ffffe3 27:7ffffe4 27:7ffffe5 20:fffec 24:fffff3
      20:fffed 21:1fffe6 22:3fffe9 21:1fffe7 21:1fffe8 23:7ffff3 22:3fffea 22:3fffeb
      25:1ffffee 25:1ffffef 24:fffff4 24:fffff5 26:3ffffea 23:7ffff4 26:3ffffeb 27:7ffffe6
      26:3ffffec 26:3ffffed 27:7ffffe7 27:7ffffe8 27:7ffffe9 27:7ffffea 27:7ffffeb 28:ffffffe
      27:7ffffec 27:7ffffed 27:7ffffee 27:7ffffef 27:7fffff0 26:3ffffee
      """);

  private static final String EOS = "1".repeat(30);

  private static String[] toBits(String codes) {
    return codes
        .strip()
        .lines()
        .flatMap(line -> Arrays.stream(line.split(" ", -1)))
        .map(each -> {
          String[] code = each.split(":", -1);
          String digits = Long.toBinaryString(Long.parseLong(code[1], 16));
          return "0".repeat(Integer.parseInt(code[0]) - digits.length()) + digits;
        })
        .toArray(String[]::new);
  }

  private static final Map<String, Integer> OCTETS = IntStream.range(0, 256)
      .boxed()
      .collect(Collectors.toMap(octet -> CODES[octet], octet -> octet));

  private static String bits(byte[] octets) {
    StringBuilder bits = new StringBuilder();
    for (byte octet : octets) {
      bits.append(CODES[octet & 0xFF]);
    }
    return bits.toString();
  }

  /** The bits in bytes, with ones at the end. */
  private static byte[] bytes(String bits) {
    String padded = bits + "1".repeat((8 - bits.length() % 8) % 8);
    byte[] bytes = new byte[padded.length() / 8];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(padded, 8 * i, 8 * i + 8, 2);
    }
    return bytes;
  }

  /** The decoded octets in hexadecimal digits, or a word for a refusal. */
  private static String decode(byte[] encoded) {
    byte[] dst = new byte[Huffman.maxDecodedLength(encoded.length)];
    int length = Huffman.decode(encoded, 0, encoded.length, dst);
    return length < 0 ? "refused" : HexFormat.of().formatHex(dst, 0, length);
  }

  private static void assertBothWays(byte[] octets, String message) {
    byte[] expected = bytes(bits(octets));
    assertEquals(expected.length, Huffman.encodedLength(octets, 0, octets.length), message);
    int after = expected.length + 1;
    byte[] encoded = new byte[after];
    assertEquals(after, Huffman.encode(octets, 0, octets.length, encoded, 1, after), message);
    assertEquals(
        -1, Huffman.encode(octets, 0, octets.length, new byte[after], 1, after - 1), message);
    assertArrayEquals(expected, Arrays.copyOfRange(encoded, 1, encoded.length), message);
    assertEquals(HexFormat.of().formatHex(octets), decode(expected), message);
  }

  @Test
  void everyOctetHasTheCodeOfAppendixB() {
    for (int octet = 0; octet < 256; octet++) {
      assertBothWays(new byte[] {(byte) octet}, "octet " + octet);
    }
  }

  @Test
  void everyPairOfOctetsIsDecodedWhateverFollows() {
    for (int pair = 0; pair < 0x10000; pair++) {
      byte[] octets = {(byte) (pair >> 8), (byte) pair, 'a', (byte) (pair >> 8)};
      assertBothWays(octets, "pair " + pair);
    }
  }

  @Test
  void randomStringsComeBackTheSame() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      byte[] octets = new byte[random.nextInt(60)];
      boolean isText = random.nextBoolean();
      for (int i = 0; i < octets.length; i++) {
        octets[i] = (byte) (isText ? ' ' + random.nextInt(95) : random.nextInt());
      }
      assertBothWays(octets, "seed " + seed + ", round " + round);
    }
  }

  @Test
  void paddingOfUpToSevenOnesIsTaken() {
    for (String text : new String[] {"", "a", "ab", "abc", "%%", "&", "&&", "WWW", "aW", "0Z0"}) {
      byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
      assertEquals(HexFormat.of().formatHex(octets), decode(bytes(bits(octets))), text);
    }
  }

  @Test
  void paddingOfEightOnesOrMoreIsRefused() {
    for (String text : new String[] {"", "a", "ab", "&", "WWW", "aaaaaaaa", "\u0000"}) {
      String bits = bits(text.getBytes(StandardCharsets.US_ASCII));
      int whole = (bits.length() + 7) / 8 * 8;
      for (int more = 8; more <= 64; more += 8) {
        byte[] padded = bytes(bits + "1".repeat(whole + more - bits.length()));
        assertEquals("refused", decode(padded), text + " and " + more + " ones too many");
      }
    }
  }

  /** Bit by bit, by the definition: the code of an octet, or nothing but the first bits of EOS. */
  private static String decodeByDefinition(byte[] encoded) {
    StringBuilder bits = new StringBuilder();
    for (byte each : encoded) {
      bits.append(Integer.toBinaryString((each & 0xFF) | 0x100), 1, 9);
    }
    StringBuilder decoded = new StringBuilder();
    int from = 0;
    for (int to = 1; to <= bits.length(); to++) {
      Integer octet = OCTETS.get(bits.substring(from, to));
      if (octet != null) {
        decoded.append("%02x".formatted(octet));
        from = to;
      }
    }
    String rest = bits.substring(from);
    return rest.length() < 8 && EOS.startsWith(rest) ? decoded.toString() : "refused";
  }

  @Test
  void everyStringOfUpToTwoBytesAndWhateverItsPaddingIsTakenByDefinition() {
    for (int first = 0; first < 0x100; first++) {
      byte[] one = {(byte) first};
      assertEquals(decodeByDefinition(one), decode(one), () -> "byte " + one[0]);
      for (int second = 0; second < 0x100; second++) {
        byte[] two = {(byte) first, (byte) second};
        assertEquals(decodeByDefinition(two), decode(two), () -> Arrays.toString(two));
      }
    }
  }

  @Test
  void randomBytesAreTakenByDefinition() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 50_000; round++) {
      byte[] encoded = new byte[random.nextInt(24)];
      random.nextBytes(encoded);
      if (random.nextBoolean()) {
        // The long codes begin with ones, and noise would hardly ever meet them.
        for (int i = random.nextInt(4); i < encoded.length; i += 1 + random.nextInt(3)) {
          encoded[i] = (byte) (0xFF << random.nextInt(3));
        }
      }
      assertEquals(
          decodeByDefinition(encoded),
          decode(encoded),
          () -> "seed " + seed + ": " + HexFormat.of().formatHex(encoded));
    }
  }

  @Test
  void endOfStringSymbolIsRefusedWhereverItStands() {
    for (int before = 0; before < 12; before++) {
      byte[] octets = new byte[before];
      Arrays.fill(octets, (byte) 'W');
      String bits = bits(octets) + EOS;
      assertEquals("refused", decode(bytes(bits)), before + " octets before");
      assertEquals("refused", decode(bytes(bits + bits(octets))), before + " on both sides");
    }
  }

  @Test
  void cutStringsAreRefusedOrShorter() {
    byte[] encoded = bytes(bits(new byte[] {'a', (byte) 200, 'b', 1, 'c', (byte) 255, 10}));
    for (int length = 0; length < encoded.length; length++) {
      String whole = decode(encoded);
      String cut = decode(Arrays.copyOf(encoded, length));
      assertTrue(cut.equals("refused") || whole.startsWith(cut), "cut at " + length);
    }
  }
}
