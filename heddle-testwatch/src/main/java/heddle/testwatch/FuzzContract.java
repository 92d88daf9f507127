package heddle.testwatch;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What each fuzz target of a module must hold. A module with targets has a class {@code FuzzTest}
 * that implements this: the ordinary build runs the targets on their seeds, the profile {@code
 * fuzz} runs Jazzer on them too.
 */
public interface FuzzContract {
  /** The targets of the module: the constants of its enum. */
  FuzzTarget[] targets();

  /** The targets take what their search begins with, and what differs from it by an octet. */
  @TestFactory
  default Stream<DynamicTest> targetTakesItsSeedsAndWhatIsLikeThem() {
    return Arrays.stream(targets())
        .map(target -> DynamicTest.dynamicTest(target.name(), () -> takeSeeds(target)));
  }

  private static void takeSeeds(FuzzTarget target) throws Exception {
    int mutations = 20;
    List<byte[]> seeds = target.seeds();
    if (seeds.isEmpty()) {
      throw new AssertionError(target.name() + " has no seeds");
    }
    long chosen = System.nanoTime();
    Random random = new Random(chosen);
    for (byte[] seed : seeds) {
      Fuzzed.run(target, seed);
      for (int i = 0; i < mutations; i++) {
        byte[] mutated = seed.clone();
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
        try {
          Fuzzed.run(target, mutated);
        } catch (Exception | AssertionError e) {
          throw new AssertionError("seed " + chosen + ": " + e, e);
        }
      }
    }
  }

  /**
   * No input that Jazzer finds in {@code heddle.fuzz.seconds} breaks a target; {@code
   * heddle.fuzz.only} may name some, with commas between them.
   */
  @TestFactory
  @EnabledIfSystemProperty(named = "heddle.fuzz.seconds", matches = "\\d+")
  default Stream<DynamicTest> noInputThatJazzerFindsBreaksTheTarget() {
    List<String> only = List.of(System.getProperty("heddle.fuzz.only", "").split(",", -1));
    return Arrays.stream(targets())
        .filter(target -> only.equals(List.of("")) || only.contains(target.name()))
        .map(target -> DynamicTest.dynamicTest(
            target.name(), () -> Jazzer.search(target, Integer.getInteger("heddle.fuzz.seconds"))));
  }
}
