package heddle.codec.http2;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.Http2Limits.Floods;
import heddle.codec.http2.Http2Limits.Rate;
import heddle.codec.http2.frame.ErrorCode;
import heddle.codec.http2.frame.Frame;
import heddle.codec.http2.frame.Http2Exception;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FloodGuardTest {
  private static final long SECOND = 1_000_000_000L;

  /** A clock may stand anywhere: here it passes from the highest time to the lowest. */
  private static final long START = Long.MAX_VALUE - SECOND / 2;

  private static final Rate TEN_THEN_TWO = new Rate(10, 2);

  private static final Http2Limits LIMITS = Http2Limits.SERVER.toBuilder()
      .heads(1_000, 10, 100, 3)
      .floods(
          new Floods(
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO,
              TEN_THEN_TWO),
          20)
      .build();

  private final FloodGuard guard = new FloodGuard(LIMITS);

  /**
   * What a peer may do too often.
   *
   * @param named what the error's message says of it
   */
  record Flood(Frame frame, String named) {
    @Override
    public String toString() {
      return frame.toString();
    }
  }

  static List<Flood> floods() {
    ByteBuffer none = ByteBuffer.allocate(0);
    var signal = new Frame.Priority.Signal(false, 0, 1);
    return List.of(
        new Flood(new Frame.RstStream(1, ErrorCode.CANCEL), "resets (CVE-2023-44487)"),
        new Flood(new Frame.Settings(false, List.of()), "SETTINGS"),
        new Flood(Frame.Settings.ACKNOWLEDGEMENT, "SETTINGS"),
        new Flood(new Frame.Ping(false, 1), "PINGs"),
        new Flood(new Frame.Ping(true, 1), "PINGs"),
        new Flood(new Frame.Data(1, false, none, 0), "empty frames"),
        new Flood(new Frame.Data(1, false, none, 200), "empty frames"),
        new Flood(new Frame.Headers(1, false, false, none), "empty frames"),
        new Flood(new Frame.PushPromise(1, false, 2, none), "empty frames"),
        new Flood(new Frame.Priority(1, signal), "priority signals"),
        new Flood(new Frame.PriorityUpdate(1, none), "priority signals"),
        new Flood(new Frame.Unknown(99, 0, 1, none), "frames of unknown types"),
        new Flood(new Frame.WindowUpdate(0, 1), "WINDOW_UPDATEs without content"),
        new Flood(new Frame.WindowUpdate(1, 1), "WINDOW_UPDATEs without content"),
        new Flood(new Frame.GoAway(0, ErrorCode.NO_ERROR, ""), "GOAWAYs"));
  }

  private static String assertCalmed(Executable action) {
    Http2Exception error = assertThrows(Http2Exception.class, action);
    assertEquals(ErrorCode.ENHANCE_YOUR_CALM, error.code());
    assertTrue(error.connectionError());
    return String.valueOf(error.getMessage());
  }

  @ParameterizedTest
  @MethodSource("floods")
  void floodEndsTheConnectionAndIsNamed(Flood flood) throws Http2Exception {
    for (int i = 0; i < 10; i++) {
      guard.check(flood.frame(), START);
    }
    String message = assertCalmed(() -> guard.check(flood.frame(), START));
    assertTrue(message.contains("too many " + flood.named()), message);
    assertTrue(message.contains("more than 10 at once and 2 a second"), message);
  }

  @ParameterizedTest
  @MethodSource("floods")
  void whatComesSlowlyIsNoFlood(Flood flood) throws Http2Exception {
    long now = START;
    for (int i = 0; i < 10; i++) {
      guard.check(flood.frame(), now);
    }
    for (int i = 0; i < 100; i++) {
      now += SECOND / 2;
      guard.check(flood.frame(), now);
    }
    long same = now;
    assertCalmed(() -> guard.check(flood.frame(), same));
  }

  @Test
  void restLetsABurstComeAgainAndNoMore() throws Http2Exception {
    Frame.Ping ping = new Frame.Ping(false, 0);
    for (long seconds : new long[] {0, 5, 1_000}) {
      long now = START + seconds * SECOND;
      for (int i = 0; i < 10; i++) {
        guard.check(ping, now);
      }
      assertCalmed(() -> guard.check(ping, now));
    }
  }

  @Test
  void oneFloodDoesNotCountForAnother() throws Http2Exception {
    for (Flood flood :
        floods().stream().filter(each -> each.frame().streamId() == 0).toList()) {
      for (int i = 0; i < 5; i++) {
        guard.check(flood.frame(), START);
      }
    }
    for (int i = 0; i < 10; i++) {
      guard.check(new Frame.RstStream(1, 8), START);
    }
  }

  @Test
  void whatBringsOrEndsSomethingIsNoFlood() {
    ByteBuffer one = ByteBuffer.allocate(1);
    ByteBuffer none = ByteBuffer.allocate(0);
    List<Frame> frames = List.of(
        new Frame.Data(1, false, ByteBuffer.allocate(256)),
        new Frame.Headers(1, false, true, one),
        new Frame.Headers(1, false, false, one),
        new Frame.Continuation(1, true, none));
    assertDoesNotThrow(() -> {
      for (int i = 0; i < 100; i++) {
        for (Frame frame : frames) {
          guard.check(frame, START);
        }
      }
    });
  }

  @Test
  void smallDataIsAFloodUnlessItEndsItsStream() throws Http2Exception {
    Frame.Data small = new Frame.Data(1, false, ByteBuffer.allocate(1), 250);
    Frame.Data last = new Frame.Data(1, true, ByteBuffer.allocate(0));
    for (int i = 0; i < 100; i++) {
      guard.check(last, START);
      guard.dataEnded(START);
    }
    for (int i = 0; i < 10; i++) {
      guard.check(small, START);
    }
    String message = assertCalmed(() -> guard.check(small, START));
    assertTrue(message.contains("too many DATA frames of fewer than 256 bytes"), message);
    assertCalmed(() -> guard.check(last, START));
  }

  @Test
  void contentPaysForSmallData() throws Http2Exception {
    Frame.Data small = new Frame.Data(1, false, ByteBuffer.allocate(100));
    Frame.Data large = new Frame.Data(1, false, ByteBuffer.allocate(200 * 10));
    for (int i = 0; i < 100; i++) {
      for (int k = 0; k < 10; k++) {
        guard.check(small, START);
      }
      guard.check(large, START);
    }
    // What was not used is not saved up beyond a full bucket.
    guard.check(new Frame.Data(1, false, ByteBuffer.allocate(1 << 20)), START);
    for (int i = 0; i < 10; i++) {
      guard.check(new Frame.Data(1, false, ByteBuffer.allocate(1)), START);
    }
    assertCalmed(() -> guard.check(small, START));
  }

  @Test
  void piecesOfAFrameCountOnce() throws Http2Exception {
    ByteBuffer one = ByteBuffer.allocate(1);
    guard.check(new Frame.Data(1, false, one, 1, 1_000), START);
    for (int i = 1; i < 1_000; i++) {
      guard.check(new Frame.Data(1, false, one, 1, -1), START);
    }
    guard.check(new Frame.Data(1, false, one, 1, 1), START);
  }

  private void windowUpdate(long earned) throws Http2Exception {
    guard.updatesEarned(earned);
    guard.check(new Frame.WindowUpdate(0, 1), START);
  }

  @Test
  void whatIsSentAllowsWindowUpdates() throws Http2Exception {
    for (int i = 0; i < 30; i++) {
      windowUpdate(20); // ten beyond the twenty
    }
    assertCalmed(() -> windowUpdate(20));
    windowUpdate(21);
    assertCalmed(() -> windowUpdate(21));
    guard.streamOpened(START);
    for (int i = 0; i < 4; i++) {
      windowUpdate(21);
    }
    assertCalmed(() -> windowUpdate(21));
  }

  @Test
  void windowUpdatesAreSavedUpToABound() throws Http2Exception {
    for (int i = 0; i < 100_010; i++) {
      windowUpdate(Long.MAX_VALUE);
    }
    assertCalmed(() -> windowUpdate(Long.MAX_VALUE));
  }

  @Test
  void defaultsAllowMessagesOfTwentyBytesForHours() throws Http2Exception {
    FloodGuard byDefault = new FloodGuard(Http2Limits.SERVER);
    Frame.Data message = new Frame.Data(1, false, ByteBuffer.allocate(20));
    for (long now = 0; now < 60 * SECOND; now += SECOND / 5_000) {
      byDefault.check(message, now);
    }
  }

  @Test
  void resetsThatWeOweAreCountedByThemselves() throws Http2Exception {
    for (int i = 0; i < 10; i++) {
      guard.check(new Frame.RstStream(1, 8), START);
      guard.resetOwed(START);
    }
    String message = assertCalmed(() -> guard.resetOwed(START));
    assertTrue(message.contains("CVE-2025-8671"), message);
    guard.resetOwed(START + SECOND / 2);
  }

  @Test
  void newStreamAllowsAPrioritySignalMore() throws Http2Exception {
    Frame signal = new Frame.Priority(1, new Frame.Priority.Signal(false, 0, 1));
    for (int i = 0; i < 1_000; i++) {
      guard.streamOpened(START);
      guard.check(signal, START);
    }
    // What was not used is not saved up beyond a full bucket.
    for (int i = 0; i < 1_000; i++) {
      guard.streamOpened(START);
    }
    for (int i = 0; i < 10; i++) {
      guard.check(signal, START);
    }
    assertCalmed(() -> guard.check(signal, START));
  }

  @Test
  void continuationsOfABlockAreBounded() throws Http2Exception {
    ByteBuffer one = ByteBuffer.allocate(1);
    for (int block = 0; block < 3; block++) {
      guard.check(new Frame.Headers(1, false, false, one), START);
      for (int i = 0; i < 3; i++) {
        guard.check(new Frame.Continuation(1, false, one), START);
      }
    }
    String message = assertCalmed(() -> guard.check(new Frame.Continuation(1, true, one), START));
    assertTrue(message.contains("more than 3 CONTINUATION frames"), message);
  }

  @Test
  void bytesOfABlockAreBounded() throws Http2Exception {
    guard.check(new Frame.Headers(1, false, true, ByteBuffer.allocate(100)), START);
    guard.check(new Frame.Headers(1, false, false, ByteBuffer.allocate(50)), START);
    guard.check(new Frame.Continuation(1, false, ByteBuffer.allocate(50)), START);
    String message = assertCalmed(
        () -> guard.check(new Frame.Continuation(1, true, ByteBuffer.allocate(1)), START));
    assertTrue(message.contains("more than 100 encoded bytes"), message);
    assertCalmed(
        () -> guard.check(new Frame.Headers(1, false, true, ByteBuffer.allocate(101)), START));
  }

  @Test
  void framesThatThePeerDoesNotReadAreBounded() throws Http2Exception {
    FloodGuard.checkQueued(20, LIMITS);
    String message = assertCalmed(() -> FloodGuard.checkQueued(21, LIMITS));
    assertTrue(message.contains("does not read"), message);
  }

  @Test
  void defaultsAllowAThousandResetsAndThenThirtyThreeASecond() throws Http2Exception {
    FloodGuard byDefault = new FloodGuard(Http2Limits.SERVER);
    Frame reset = new Frame.RstStream(1, 8);
    for (int i = 0; i < 1_000; i++) {
      byDefault.check(reset, 0);
      byDefault.resetOwed(0);
    }
    assertCalmed(() -> byDefault.check(reset, 0));
    assertCalmed(() -> byDefault.resetOwed(0));
    for (int i = 0; i < 33; i++) {
      byDefault.check(reset, SECOND);
    }
    assertCalmed(() -> byDefault.check(reset, SECOND));
  }
}
