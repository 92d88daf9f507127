package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Limits;
import heddle.http.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random cuts, mutations and noise. The seed is new for each run and stands in the message of a
 * failure: put it into {@link #seed} to see the failure again.
 */
class RandomInputTest {
  private static final int ROUNDS = 4_000;
  private static final String SPICE = "\r\n\r\n :;,\t\u0000\u007f\u0080\u00ff09afHx-+";

  private static long seed() {
    return System.nanoTime();
  }

  private static List<MessageCase> allCases() {
    List<MessageCase> cases = new ArrayList<>(ValidMessages.all());
    for (MessageCase each : HostileMessages.all()) {
      if (each.input().length() < 2_000) {
        cases.add(each);
      }
    }
    return cases;
  }

  @Test
  void validMessagesYieldTheSameUnderRandomCuts() {
    long seed = seed();
    Random random = new Random(seed);
    List<MessageCase> cases = ValidMessages.all();
    HeadParser shared = new HeadParser();
    for (int round = 0; round < ROUNDS; round++) {
      MessageCase each = cases.get(random.nextInt(cases.size()));
      Conversation conversation = each.start(random.nextBoolean() ? shared : null);
      feed(conversation, each.input().getBytes(StandardCharsets.ISO_8859_1), random);
      if (each.closes()) {
        conversation.closed();
      }
      assertEquals(
          String.join("\n", each.yields()),
          String.join("\n", conversation.transcript()),
          each.name() + ", seed " + seed);
    }
  }

  @Test
  void foldedResponsesMeanTheSameAsThoseWithSpaces() {
    long seed = seed();
    Random random = new Random(seed);
    String[] names = {"Content-Length", "Transfer-Encoding", "Connection", "X", "Y"};
    String[] words = {"chunked", "2", "close", "a", "b,", ""};
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder plain = new StringBuilder("HTTP/1.1 200 OK\r\n");
      StringBuilder folded = new StringBuilder(plain);
      for (int fields = random.nextInt(5); fields > 0; fields--) {
        String name = names[random.nextInt(names.length)] + ":";
        plain.append(name);
        folded.append(name);
        for (int more = random.nextInt(4); more > 0; more--) {
          String word = words[random.nextInt(words.length)];
          plain.append(word.isEmpty() ? "" : " ").append(word);
          boolean fold = word.isEmpty() || random.nextBoolean();
          folded.append(fold ? " \r\n\t" : " ").append(word);
        }
        plain.append("\r\n");
        folded.append("\r\n");
      }
      Conversation expected = Conversation.client(Method.GET).receives(plain + "\r\nhi");
      Conversation seen = Conversation.client(Method.GET);
      feed(seen, (folded + "\r\nhi").getBytes(StandardCharsets.ISO_8859_1), random);
      assertEquals(
          String.join("\n", expected.transcript()),
          String.join("\n", seen.transcript()),
          () -> "seed " + seed + ": " + folded);
    }
  }

  @Test
  void mutatedMessagesMeanTheSameWholeAndCut() {
    long seed = seed();
    Random random = new Random(seed);
    List<MessageCase> cases = allCases();
    for (int round = 0; round < 5 * ROUNDS; round++) {
      MessageCase each = cases.get(random.nextInt(cases.size()));
      byte[] input = mutate(each.input().getBytes(StandardCharsets.ISO_8859_1), random);
      Conversation whole = each.start(null).receives(input).closed();
      Conversation cut = feed(each.start(null), input, random).closed();
      assertEquals(
          String.join("\n", whole.transcript()),
          String.join("\n", cut.transcript()),
          () -> "seed " + seed + ": " + new String(input, StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void noiseIsRefusedOrWaitedForAndNeverBreaksTheSession() {
    long seed = seed();
    Random random = new Random(seed);
    Limits small = new Limits(256, 4, 64, 64, 2);
    for (int round = 0; round < 5 * ROUNDS; round++) {
      byte[] noise = noise(random);
      Conversation conversation = random.nextBoolean()
          ? Conversation.server(small)
          : Conversation.client(small, null, Method.GET);
      try {
        feed(conversation, noise, random).closed();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + Arrays.toString(noise), e);
      }
      assertTrue(
          conversation.refusal() != null || !conversation.session.isReceiving(),
          "neither refused nor complete, seed " + seed);
    }
  }

  private static byte[] noise(Random random) {
    byte[] noise = new byte[1 + random.nextInt(600)];
    boolean spiced = random.nextBoolean();
    for (int i = 0; i < noise.length; i++) {
      noise[i] =
          spiced ? (byte) SPICE.charAt(random.nextInt(SPICE.length())) : (byte) random.nextInt();
    }
    return noise;
  }

  private static byte[] mutate(byte[] input, Random random) {
    byte[] mutated = input.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0 && mutated.length > 1; changes--) {
      int at = random.nextInt(mutated.length);
      byte spice = (byte) SPICE.charAt(random.nextInt(SPICE.length()));
      switch (random.nextInt(4)) {
        case 0 -> mutated[at] = spice;
        case 1 -> mutated = splice(mutated, at, at + 1, new byte[0]);
        case 2 -> mutated = splice(mutated, at, at, new byte[] {spice});
        default -> {
          int to = Math.min(mutated.length, at + 1 + random.nextInt(8));
          mutated = splice(mutated, at, at, Arrays.copyOfRange(mutated, at, to));
        }
      }
    }
    return mutated;
  }

  private static byte[] splice(byte[] bytes, int from, int to, byte[] with) {
    byte[] result = Arrays.copyOf(bytes, from + with.length + bytes.length - to);
    System.arraycopy(with, 0, result, from, with.length);
    System.arraycopy(bytes, to, result, from + with.length, bytes.length - to);
    return result;
  }

  private static Conversation feed(Conversation fed, byte[] input, Random random) {
    int longest = 1 + random.nextInt(40);
    for (int at = 0; at < input.length && fed.refusal() == null; ) {
      int end = Math.min(input.length, at + random.nextInt(longest + 1));
      fed.receives(Arrays.copyOfRange(input, at, end));
      at = end;
    }
    return fed;
  }
}
