package heddle.codec.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every fuzz target with what its fuzzing begins with; {@link JazzerTest} goes on from there. */
class FuzzTargetsTest {
  private static final int MUTATIONS = 20;

  @ParameterizedTest
  @EnumSource
  void targetTakesItsSeedsAndWhatIsLikeThem(FuzzTarget target) throws Exception {
    List<byte[]> seeds = target.seeds();
    assertFalse(seeds.isEmpty());
    long chosen = System.nanoTime();
    Random random = new Random(chosen);
    for (byte[] seed : seeds) {
      target.run(seed);
      for (int i = 0; i < MUTATIONS; i++) {
        byte[] mutated = seed.clone();
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
        try {
          target.run(mutated);
        } catch (RuntimeException | AssertionError e) {
          throw new AssertionError("seed " + chosen + ": " + e.getMessage(), e);
        }
      }
    }
  }
}
