package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutflowTest {
  private static final int MOST = Integer.MAX_VALUE;

  private static long seed() {
    return System.nanoTime();
  }

  @Test
  void whatIsSentIsTakenFromTheWindow() throws Http2Exception {
    Outflow flow = new Outflow(1, 100);
    flow.sent(40);
    assertEquals(60, flow.available());
    flow.sent(60);
    assertTrue(flow.isShut());
    assertThrows(IllegalArgumentException.class, () -> flow.sent(1));
    assertThrows(IllegalArgumentException.class, () -> flow.sent(-1));
    flow.credit(1);
    assertFalse(flow.isShut());
    flow.sent(1);
  }

  @Test
  void windowBeyondItsMostIsAnErrorOfTheStream() throws Http2Exception {
    Outflow flow = new Outflow(3, 1);
    flow.credit(MOST - 1);
    assertEquals(MOST, flow.available());
    Http2Exception error = assertThrows(Http2Exception.class, () -> flow.credit(1));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, error.code());
    assertEquals(3, error.streamId());
    assertEquals(MOST, flow.available());
  }

  @Test
  void windowBeyondItsMostIsAnErrorOfTheConnectionWhereItIsItsOwn() {
    Outflow flow = new Outflow(0, MOST);
    Http2Exception error = assertThrows(Http2Exception.class, () -> flow.credit(MOST));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, error.code());
    assertTrue(error.connectionError());
  }

  /** The example of RFC 9113 §6.9.2. */
  @Test
  void settingsCanMakeAWindowNegative() throws Http2Exception {
    Outflow flow = new Outflow(1, 65_535);
    flow.sent(60_000);
    flow.initialWindow(65_535, 16_384);
    assertEquals(-43_616, flow.available());
    assertTrue(flow.isShut());
    assertThrows(IllegalArgumentException.class, () -> flow.sent(1));
    assertDoesNotThrow(() -> flow.sent(0));
    flow.credit(43_616);
    assertTrue(flow.isShut());
    flow.credit(1);
    assertEquals(1, flow.available());
  }

  @Test
  void settingsThatOverflowAWindowAreAnErrorOfTheConnection() throws Http2Exception {
    Outflow flow = new Outflow(7, 10);
    flow.credit(5);
    Http2Exception error = assertThrows(Http2Exception.class, () -> flow.initialWindow(10, MOST));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, error.code());
    assertTrue(error.connectionError());
    flow.initialWindow(10, MOST - 5);
    assertEquals(MOST, flow.available());
  }

  /** Against the sum of all that happened, in numbers that cannot overflow. */
  @Test
  void windowIsTheSumOfWhatHappened() {
    long seed = seed();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      int initial = random.nextInt(1 << random.nextInt(1, 31));
      Outflow flow = new Outflow(1, initial);
      long sum = initial;
      for (int step = 0; step < 50; step++) {
        String at = "seed " + seed + ", round " + round + ", step " + step;
        switch (random.nextInt(3)) {
          case 0 -> {
            int bytes = random.nextInt((int) Math.max(1, sum));
            flow.sent(bytes);
            sum -= bytes;
          }
          case 1 -> {
            int increment = 1 + random.nextInt(MOST);
            sum = changed(() -> flow.credit(increment), sum, increment, at);
          }
          default -> {
            int next = random.nextInt(MOST);
            int before = initial;
            long after = changed(() -> flow.initialWindow(before, next), sum, next - before, at);
            initial = sum + next - before == after ? next : initial;
            sum = after;
          }
        }
        assertEquals(sum, flow.available(), at);
        assertEquals(sum <= 0, flow.isShut(), at);
      }
    }
  }

  private interface Change {
    void run() throws Http2Exception;
  }

  private static long changed(Change change, long sum, int by, String at) {
    try {
      change.run();
      assertTrue(sum + by <= MOST, "not refused: " + at);
      return sum + by;
    } catch (Http2Exception e) {
      assertTrue(sum + by > MOST, "refused: " + at);
      assertEquals(ErrorCode.FLOW_CONTROL_ERROR, e.code(), at);
      return sum;
    }
  }
}
