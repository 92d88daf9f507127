package heddle.verify.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Holds the invariants in many simulated worlds: a short run in every build, a long one with {@code
 * ./mvnw verify -Psoak -Dheddle.soak.seeds=N}.
 */
final class SoakTest {
  private static final long SEEDS = Long.getLong("heddle.soak.seeds", 60);
  private static final long FIRST = Long.getLong("heddle.soak.first", 0);

  @Test
  void invariantsHoldInEveryWorld() throws Exception {
    Soak.Report report = Soak.run(FIRST, SEEDS, 5, System.out);
    System.out.println(report);
    assertEquals(0, report.broken(), report::toString);
    if (SEEDS >= 50) {
      // Otherwise the soak would show nothing.
      assertTrue(report.answered() > report.exchanges() / 4, report::toString);
      assertTrue(report.failed() > report.exchanges() / 50, report::toString);
    }
  }
}
