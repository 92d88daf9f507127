package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HeadBudgetTest {
  @Test
  void smallHeadsAreNotCharged() {
    assertEquals(0, HeadBudget.charge(0));
    assertEquals(0, HeadBudget.charge(512));
    assertEquals(1, HeadBudget.charge(513));
  }

  @Test
  void whatEachStreamMayHoldIsSetAside() {
    HeadBudget budget = new HeadBudget(10_000, 10, 1_000);
    assertTrue(budget.take(10_000 - 10 * 512));
    assertFalse(budget.take(1));
    assertTrue(budget.take(0), "a head that costs nothing");
    budget.release(100);
    assertFalse(budget.take(101));
    assertTrue(budget.take(100));
  }

  @Test
  void oneHeadOfTheLargestSizeIsAlwaysTaken() {
    HeadBudget budget = new HeadBudget(100, 128, 16_384);
    assertTrue(budget.take(HeadBudget.charge(16_384)));
    assertTrue(budget.take(512));
    assertFalse(budget.take(1));
  }
}
