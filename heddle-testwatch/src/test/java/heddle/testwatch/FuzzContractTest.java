package heddle.testwatch;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;

final class FuzzContractTest {
  private static final int MIB = 1 << 20;

  /** What the targets make of an input, so that it is not optimised away. */
  private static byte[] made = {};

  private enum Sample implements FuzzTarget {
    FRUGAL,
    GREEDY,
    BROKEN,
    WITHOUT_SEEDS;

    @Override
    public void run(byte[] input) {
      switch (this) {
        case FRUGAL, WITHOUT_SEEDS -> made = new byte[MIB];
        case GREEDY -> made = new byte[(input[0] == 1 ? 8 : 1) * MIB];
        case BROKEN -> assertEquals(7, input[1], "the second octet");
      }
    }

    @Override
    public List<byte[]> seeds() {
      return this == WITHOUT_SEEDS ? List.of() : List.of(new byte[] {0, 7}, new byte[] {1, 7});
    }
  }

  private static DynamicTest test(Sample sample) {
    FuzzContract contract = () -> new FuzzTarget[] {sample};
    DynamicTest test = contract.targetTakesItsSeedsAndWhatIsLikeThem().toList().getFirst();
    assertEquals(sample.name(), test.getDisplayName());
    return test;
  }

  private static String failure(Sample sample) {
    return assertThrows(AssertionError.class, test(sample).getExecutable()::execute)
        .getMessage();
  }

  @Test
  void targetThatHoldsItsPropertyPasses() {
    assertDoesNotThrow(test(Sample.FRUGAL).getExecutable()::execute);
  }

  @Test
  void allocationThatTheInputDoesNotJustifyIsAFinding() {
    String message = failure(Sample.GREEDY);
    assertTrue(message.contains("GREEDY allocates 8"), message);
    assertTrue(message.contains("bytes for an input of 2, at most 4196352 are allowed"), message);
  }

  @Test
  void failureOfAMutatedSeedNamesTheRandomSeed() {
    String message = failure(Sample.BROKEN);
    assertTrue(message.startsWith("seed ") && message.contains("the second octet"), message);
  }

  @Test
  void targetWithoutSeedsIsRefused() {
    assertEquals("WITHOUT_SEEDS has no seeds", failure(Sample.WITHOUT_SEEDS));
  }
}
