package heddle.connection.http1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import heddle.connection.ConnectionMemory;
import heddle.connection.MemoryBudget;
import heddle.testkit.ManualChannel;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that is held while the requests in it are answered one by one. */
class HeldInputTest {
  private static final int BOUND = 64 * 1024;
  private static final int REQUEST = 27;

  private final MemoryBudget budget = new MemoryBudget(1 << 20);
  private final ConnectionMemory memory =
      new ConnectionMemory(budget, new ManualChannel(buffers -> {}));
  private final HeldInput held = new HeldInput(memory, BOUND);

  // What was appended, and what was taken, in all.
  private int appended;
  private int taken;

  /** Otherwise each of many small requests would copy all those behind it. */
  @ParameterizedTest
  @ValueSource(ints = {100, 4_000, BOUND - REQUEST})
  void eachByteIsCopiedFewTimesWhileTheAmountThatWaitsStaysTheSame(int waiting) {
    append(waiting);
    long before = allocated();
    ByteBuffer request = ByteBuffer.allocate(REQUEST);
    for (int i = 0; i < 10_000; i++) {
      held.append(request.clear());
      skip(REQUEST);
    }
    long perRequest = (allocated() - before) / 10_000;
    assertTrue(perRequest < 100, perRequest + " bytes were allocated for each request");
  }

  @Test
  void eachByteIsCopiedFewTimesWhileMuchIsTaken() {
    append(8 * BOUND);
    long before = allocated();
    for (int i = 0; i < 8 * BOUND / REQUEST - 1; i++) {
      skip(REQUEST);
    }
    long all = allocated() - before;
    assertTrue(all < 10 * BOUND, all + " bytes were allocated");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 30_000})
  void bytesComeOutInTheirOrderHoweverTheyCome(int most) {
    Random random = new Random(most);
    for (int i = 0; i < 5_000; i++) {
      if (random.nextBoolean() && appended - taken + most <= 2 * BOUND) {
        append(1 + random.nextInt(most));
      } else if (appended > taken) {
        take(1 + random.nextInt(Math.min(most, appended - taken)));
        held.keep();
        long room = 4L * (appended - taken) + ConnectionMemory.STEP_BYTES;
        assertTrue(budget.held() <= Math.max(room, 4 * most), budget.held() + " bytes are held");
      }
      assertTrue(budget.held() >= appended - taken, "all that is held is counted");
    }
    take(appended - taken);
    held.drop();
    assertEquals(0, budget.held());
  }

  @Test
  void readingIsPausedOnceAndUntilNoMoreThanTheBoundWaits() {
    append(BOUND);
    assertTrue(!memory.wasPaused());
    append(2 * REQUEST);
    assertTrue(memory.wasPaused());
    take(REQUEST);
    held.keep();
    assertTrue(memory.wasPaused());
    assertTrue(memory.wasPaused(), "it is paused still");
    take(REQUEST);
    held.keep();
    assertTrue(memory.wasPaused(), "it was until now");
    assertTrue(!memory.wasPaused());
  }

  @Test
  void nothingIsCountedWhileARequestIsTakenOutAndAfterAllIsReleased() {
    append(40_000);
    assertTrue(budget.held() >= 40_000);
    ByteBuffer rest = held.take();
    assertEquals(0, budget.held());
    rest.position(rest.position() + REQUEST);
    held.keep();
    assertTrue(budget.held() >= 40_000 - REQUEST);
    held.release();
    assertEquals(0, budget.held());
  }

  private void append(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) appended++;
    }
    held.append(ByteBuffer.wrap(bytes));
  }

  private void take(int count) {
    ByteBuffer from = held.take();
    byte[] found = new byte[count];
    from.get(found);
    byte[] expected = new byte[count];
    for (int i = 0; i < count; i++) {
      expected[i] = (byte) taken++;
    }
    assertArrayEquals(expected, found);
  }

  private void skip(int count) {
    ByteBuffer from = held.take();
    from.position(from.position() + count);
    held.keep();
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
