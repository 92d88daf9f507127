package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.ServerOverloadedException;
import heddle.testkit.ManualChannel;
import heddle.transport.Channel;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What the memory budget counts before it is allocated. */
class ContentReservationTest {
  private static final int KIB = 1024;

  private final MemoryBudget budget = new MemoryBudget(MemoryBudget.LEAST_BYTES);
  private final Channel channel = new ManualChannel(buffers -> {});
  private final ConnectionMemory memory = new ConnectionMemory(budget, channel);
  private final ContentReservation reservation = ContentReservation.ofRequest(memory);

  @Test
  void isCountedUntilItIsReleased() throws IOException {
    reservation.resizeTo(8 * KIB);
    reservation.resizeTo(16 * KIB);
    assertEquals(16 * KIB, budget.held());
    reservation.resizeTo(4 * KIB);
    assertEquals(4 * KIB, budget.held());
    reservation.resizeTo(0);
    assertEquals(0, budget.held());
    reservation.resizeTo(8 * KIB);
    reservation.release();
    assertEquals(0, budget.held());
    reservation.release();
    assertEquals(0, budget.held());
  }

  @Test
  void growsNoFurtherThanTheBudgetAllows() throws IOException {
    memory.hold(20 * KIB);
    reservation.resizeTo(32 * KIB);
    ServerOverloadedException refused =
        assertThrows(ServerOverloadedException.class, () -> reservation.resizeTo(64 * KIB));
    assertTrue(refused.getMessage().contains("65536 bytes"), refused.getMessage());
    assertEquals(52 * KIB, budget.held());
    assertFalse(budget.isExhausted());
    memory.release(20 * KIB);
    reservation.resizeTo(64 * KIB);
    assertTrue(budget.isExhausted());
    reservation.release();
    assertEquals(0, budget.held());
  }

  @Test
  void whatIsUpgradedLeavesHalfOfTheBudgetToOthers() throws IOException {
    ContentReservation upgraded = ContentReservation.ofUpgraded(memory);
    upgraded.resizeTo(16 * KIB);
    memory.hold(16 * KIB);
    ServerOverloadedException refused =
        assertThrows(ServerOverloadedException.class, () -> upgraded.resizeTo(20 * KIB));
    assertTrue(refused.getMessage().contains("requests keep half"), refused.getMessage());
    reservation.resizeTo(16 * KIB);
    assertEquals(48 * KIB, budget.held());
    upgraded.resizeTo(8 * KIB);
    upgraded.release();
    assertEquals(32 * KIB, budget.held());
  }

  @Test
  void whatIsRefusedChangesNoStep() throws IOException {
    memory.hold(1);
    memory.hold(60 * KIB - 2);
    assertThrows(ServerOverloadedException.class, () -> reservation.resizeTo(8 * KIB));
    assertEquals(60 * KIB, budget.held());
    memory.release(60 * KIB - 1);
    assertEquals(0, budget.held());
  }

  @Test
  void doesNotGrowOnceTheRequestIsAnswered() throws IOException {
    reservation.resizeTo(8 * KIB);
    reservation.release();
    assertThrows(IOException.class, () -> reservation.resizeTo(16 * KIB));
    assertThrows(IOException.class, () -> reservation.resizeTo(4 * KIB));
    assertEquals(0, budget.held());
  }
}
