package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Http2Exception;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InflowTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long LONG_AGO = -1_000_000 * MILLISECOND;

  private static long seed() {
    return System.nanoTime();
  }

  @Test
  void moreThanTheWindowIsAnErrorOfItsStream() throws Http2Exception {
    Inflow flow = new Inflow(5, 100, 100);
    flow.received(100);
    Http2Exception error = assertThrows(Http2Exception.class, () -> flow.received(1));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, error.code());
    assertEquals(5, error.streamId());
  }

  @Test
  void moreThanTheConnectionsWindowIsAnErrorOfTheConnection() {
    Inflow flow = new Inflow(0, 100, 100);
    Http2Exception error = assertThrows(Http2Exception.class, () -> flow.received(101));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, error.code());
    assertTrue(error.connectionError());
  }

  @Test
  void creditComesInBatchesOfHalfTheWindow() throws Http2Exception {
    Inflow flow = new Inflow(1, 100, 100);
    flow.received(100);
    flow.consumed(49);
    assertEquals(0, flow.credit(0, MILLISECOND));
    flow.consumed(1);
    assertEquals(50, flow.credit(0, MILLISECOND));
    assertEquals(0, flow.credit(0, MILLISECOND));
  }

  @Test
  void aStreamMayExceedItsWindowByItsCreditOnceMore() throws Http2Exception {
    Inflow flow = new Inflow(1, 100, 100);
    flow.received(100);
    flow.consumed(50);
    assertEquals(50, flow.credit(0, MILLISECOND));
    flow.received(100);
    assertThrows(Http2Exception.class, () -> flow.received(1));
  }

  @Test
  void theConnectionMayNotExceedItsWindowByItsCredit() throws Http2Exception {
    Inflow flow = new Inflow(0, 100, 100);
    flow.received(100);
    flow.consumed(50);
    assertEquals(50, flow.credit(0, MILLISECOND));
    flow.received(50);
    assertThrows(Http2Exception.class, () -> flow.received(1));
  }

  @Test
  void unreadBytesGetNoCredit() throws Http2Exception {
    Inflow flow = new Inflow(1, 100, 100);
    flow.received(100);
    assertEquals(0, flow.credit(0, MILLISECOND));
  }

  @Test
  void windowIsOpenedWithTheNextCredit() throws Http2Exception {
    Inflow connection = new Inflow(0, 65_535, 1 << 30);
    connection.open(524_288);
    assertEquals(524_288, connection.window());
    assertEquals(524_288 - 65_535, connection.credit(0, MILLISECOND));
    connection.received(524_288);
    connection.open(1_000);
    assertEquals(524_288, connection.window());
  }

  @Test
  void windowGrowsWhileThePeerAndTheReaderKeepUpWithIt() {
    Inflow flow = new Inflow(1, 1_000, 3_000);
    flow.consumed(500);
    assertEquals(500, flow.credit(LONG_AGO, MILLISECOND));
    // Half a window in less than a round trip: the window holds the peer up.
    flow.consumed(500);
    assertEquals(1_500, flow.credit(LONG_AGO + MILLISECOND / 2, MILLISECOND));
    assertEquals(2_000, flow.window());
    flow.consumed(1_000);
    assertEquals(2_000, flow.credit(LONG_AGO + MILLISECOND, MILLISECOND));
    assertEquals(3_000, flow.window(), "its bound");
  }

  @Test
  void windowStaysWhereItHoldsNobodyUp() {
    Inflow flow = new Inflow(1, 1_000, 3_000);
    for (int i = 0; i < 10; i++) {
      flow.consumed(500);
      assertEquals(500, flow.credit(LONG_AGO + i * MILLISECOND, MILLISECOND));
    }
    assertEquals(1_000, flow.window());
  }

  @Test
  void windowOfTheConnectionMayPassTheBoundOfStreams() {
    Inflow flow = new Inflow(0, 1_000, 500);
    flow.consumed(500);
    assertEquals(500, flow.credit(0, MILLISECOND));
    flow.consumed(500);
    assertEquals(500, flow.credit(0, MILLISECOND));
    assertEquals(1_000, flow.window());
  }

  /** A peer that sends all it may, and a reader that takes what it likes, at any time. */
  @Test
  void peerIsNeverStuckAndNeverPastTheWindow() throws Http2Exception {
    long seed = seed();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      int window = 1 + random.nextInt(1 << random.nextInt(1, 24));
      int most = window + random.nextInt(4 * window);
      Inflow flow = new Inflow(1, window, most);
      long mayCome = window;
      long unread = 0;
      long now = random.nextLong();
      for (int step = 0; step < 50; step++) {
        String at = "seed " + seed + ", round " + round + ", step " + step;
        int comes = (int) Math.min(mayCome, random.nextInt(window + 1));
        flow.received(comes);
        mayCome -= comes;
        unread += comes;
        long read = random.nextBoolean() ? unread : random.nextLong(unread + 1);
        flow.consumed(read);
        unread -= read;
        now += random.nextInt(2_000_000);
        int credit = flow.credit(now, MILLISECOND);
        mayCome += credit;
        assertTrue(credit >= 0, at);
        assertTrue(mayCome + unread <= flow.window(), "more may be unread than the window, " + at);
        assertTrue(flow.window() <= most, at);
        assertTrue(unread > 0 || mayCome > flow.window() / 2, "stuck, " + at);
      }
      assertFalse(mayCome < 0);
    }
  }
}
