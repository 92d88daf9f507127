package heddle.verify.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.SimNetwork;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Holds the invariants in many simulated worlds: a short run in every build, a long one with {@code
 * ./mvnw verify -Psoak -Dheddle.soak.seeds=N}.
 */
final class SoakTest {
  private static final long SEEDS = Long.getLong("heddle.soak.seeds", 12);
  private static final long FIRST = Long.getLong("heddle.soak.first", 0);

  /** What goes wrong in these worlds is meant to. */
  private static final Logger LOG = Logger.getLogger("heddle");

  @BeforeAll
  static void mute() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void unmute() {
    LOG.setLevel(null);
  }

  @Test
  void invariantsHoldInEveryWorld() throws Exception {
    Soak.Report report = Soak.run(FIRST, SEEDS, 5, System.out);
    System.out.println(report);
    assertEquals(0, report.broken(), report::toString);
    if (SEEDS >= 12) {
      // Otherwise the soak would show nothing.
      assertTrue(report.answered() > report.exchanges() / 4, report::toString);
      assertTrue(report.failed() > report.exchanges() / 50, report::toString);
    }
  }

  @Test
  void callsOfASeedEndTheSameWayAgain() throws Exception {
    assumeTrue(SimNetwork.canBeDeterministic(), "started without --add-opens");
    for (long seed = FIRST; seed < FIRST + 5; seed++) {
      SoakSeed.Result once = new SoakSeed(seed, 40).run();
      SoakSeed.Result again = new SoakSeed(seed, 40).run();
      assertEquals(once.endings(), again.endings(), "how calls ended, seed " + seed);
      assertEquals(once.history(), again.history(), "which thread ran when, seed " + seed);
    }
  }
}
