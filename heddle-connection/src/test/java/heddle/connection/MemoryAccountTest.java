package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What the memory budget says of reads and writes. */
class MemoryAccountTest {
  private static final int KIB = 1024;

  @Test
  void readsBecomeShorterAsTheBudgetIsUsedUp() {
    MemoryBudget large = new MemoryBudget(64L << 20);
    assertEquals(1 << 20, large.readLimit());
    large.hold(48L << 20);
    assertEquals(256 * KIB, large.readLimit());
    large.hold(32L << 20);
    assertEquals(MemoryBudget.LEAST_READ_BYTES, large.readLimit());
  }
}
