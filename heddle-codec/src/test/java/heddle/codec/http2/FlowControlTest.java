package heddle.codec.http2;

import static heddle.codec.http2.Wire.data;
import static heddle.codec.http2.Wire.lastData;
import static heddle.codec.http2.Wire.raw;
import static heddle.codec.http2.Wire.rst;
import static heddle.codec.http2.Wire.settings;
import static heddle.codec.http2.Wire.settingsAck;
import static heddle.codec.http2.Wire.upload;
import static heddle.codec.http2.Wire.windowUpdate;
import static heddle.codec.http2.frame.ErrorCode.CANCEL;
import static heddle.codec.http2.frame.ErrorCode.FLOW_CONTROL_ERROR;
import static heddle.codec.http2.frame.ErrorCode.FRAME_SIZE_ERROR;
import static heddle.codec.http2.frame.ErrorCode.PROTOCOL_ERROR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 9113 §5.2, §6.9: windows in both directions. */
@ParameterizedClass
@EnumSource(Cut.class)
class FlowControlTest {
  private static final String UPLOAD = "request 1 POST http a /";
  private static final int MOST = Integer.MAX_VALUE;

  @Parameter
  private Cut cut;

  private Script open() {
    return Script.server(cut).sends(upload(1)).yields(UPLOAD);
  }

  private static Wire full(int id) {
    return data(id, 0, new byte[16_384]);
  }

  // ---- what may come

  @Test
  void contentBeyondTheStreamsWindowResetsTheStream() {
    Script script = open().keepsContent();
    script.sends(upload(3)).yields("request 3 POST http a /");
    for (int i = 0; i < 16; i++) {
      script.sends(full(1));
    }
    script.sends(data(1, "x")).replies(rst(1, FLOW_CONTROL_ERROR)).isAlive();
    script.sends(full(3)).isAlive();
  }

  /** As Helidon's client does, which counts each WINDOW_UPDATE of a stream twice. */
  @Test
  void contentWithinCreditCountedTwiceIsTakenAndMoreResetsTheStream() {
    Script script = open().keepsContent();
    for (int i = 0; i < 16; i++) {
      script.sends(full(1));
      script.session.connectionConsumed(16_384);
    }
    script.output();
    script.session.consumed(script.stream(1), 131_072);
    script.replies(windowUpdate(1, 131_072), Wire.ping(SharedState.MEASURE));
    for (int i = 0; i < 16; i++) {
      script.sends(full(1)).isAlive();
      script.session.connectionConsumed(16_384);
    }
    script.output();
    script.sends(data(1, "x")).replies(rst(1, FLOW_CONTROL_ERROR)).isAlive();
  }

  @Test
  void creditCountedTwiceIsNoLeaveToExceedTheConnectionsWindow() {
    Script script = open().keepsContent();
    for (int i = 0; i < 16; i++) {
      script.sends(full(1));
    }
    script.session.consumed(script.stream(1), 131_072);
    script.output();
    for (int i = 0; i < 16; i++) {
      script.sends(full(1)).isAlive();
    }
    script.sends(data(1, "x")).breaks(1, FLOW_CONTROL_ERROR);
  }

  @Test
  void contentBeyondTheConnectionsWindowEndsTheConnection() {
    Script script = Script.server(cut).keepsContent();
    script.sends(upload(1), upload(3), upload(5));
    for (int i = 0; i < 16; i++) {
      script.sends(full(1), full(3));
    }
    script.replies();
    script.sends(data(5, "x")).breaks(5, FLOW_CONTROL_ERROR);
  }

  @Test
  void windowsOpenAgainByHalves() {
    Script script = open();
    for (int i = 0; i < 7; i++) {
      script.sends(full(1));
    }
    script.replies();
    script.sends(full(1));
    script.replies(windowUpdate(1, 131_072), Wire.ping(SharedState.MEASURE));
    script.now += 1_000_000_000L; // slowly: the windows need not grow
    for (int i = 0; i < 8; i++) {
      script.sends(full(1));
    }
    script.replies(windowUpdate(1, 131_072), windowUpdate(0, 262_144));
  }

  @Test
  void windowsGrowWhileTheyHoldThePeerBack() {
    // Two megabytes byte by byte would take long and show no more.
    Script script = Script.server(Cut.WHOLE).sends(upload(1));
    long grown = 0;
    for (int i = 0; i < 100; i++) {
      script.now += 10_000; // 16 KiB in 10 µs, with a round trip of 50 ms as assumed
      script.sends(full(1));
      for (String text : script.output()) {
        if (text.startsWith("WINDOW_UPDATE 1 ")) {
          grown = Long.parseLong(text.substring(16));
        }
      }
    }
    assertEquals(768 * 1_024 / 2, grown, "half of the server's largest window");
  }

  @Test
  void endedStreamGetsNoCredit() {
    Script script = open().keepsContent();
    for (int i = 0; i < 15; i++) {
      script.sends(full(1));
    }
    script.sends(lastData(1, "x"));
    script.session.consumed(script.stream(1), 15 * 16_384 + 1);
    script.replies();
  }

  @Test
  void contentThatNobodyReadsLeavesTheOtherStreamsTheirWindow() {
    Script script = open().keepsContent();
    for (int i = 0; i < 16; i++) {
      script.sends(full(1));
      script.session.connectionConsumed(16_384);
    }
    script.sends(upload(3));
    script.output();
    for (int i = 0; i < 16; i++) {
      script.sends(full(3));
      script.session.connectionConsumed(16_384);
    }
    script.output();
    script.isAlive();
  }

  // ---- WINDOW_UPDATE

  @Test
  void creditOfZeroForAStreamResetsIt() {
    open().sends(windowUpdate(1, 0)).resets(1, PROTOCOL_ERROR);
  }

  @Test
  void creditOfZeroForTheConnectionEndsIt() {
    open().sends(windowUpdate(0, 0)).breaks(1, PROTOCOL_ERROR);
    Script.client(cut).sends(windowUpdate(0, 0)).breaks(0, PROTOCOL_ERROR);
  }

  @Test
  void creditOfAnotherSizeEndsTheConnection() {
    open().sends(raw(0x8, 0, 1, new byte[3])).breaks(1, FRAME_SIZE_ERROR);
    open().sends(raw(0x8, 0, 0, new byte[5])).breaks(1, FRAME_SIZE_ERROR);
  }

  @Test
  void streamsWindowAboveTheBoundResetsTheStream() {
    open()
        .sends(windowUpdate(1, MOST - 65_535))
        .ignores()
        .sends(windowUpdate(1, 1))
        .resets(1, FLOW_CONTROL_ERROR);
  }

  @Test
  void connectionsWindowAboveTheBoundEndsTheConnection() {
    open()
        .sends(windowUpdate(0, MOST - 65_535))
        .ignores()
        .sends(windowUpdate(0, 1))
        .breaks(1, FLOW_CONTROL_ERROR);
  }

  @Test
  void whatWasSentMakesRoomForCredit() {
    Script script = open().answers(1, false);
    script.session.data(script.stream(1), ByteBuffer.allocate(1_000), false);
    script.output();
    script.sends(windowUpdate(1, MOST - 65_535 + 1_000), windowUpdate(0, MOST - 65_535 + 1_000));
    script.ignores();
    script.sends(windowUpdate(1, 1)).resets(1, FLOW_CONTROL_ERROR);
  }

  @Test
  void settingsThatOpenAStreamAboveTheBoundEndTheConnection() {
    open()
        .sends(windowUpdate(1, MOST - 65_535))
        .ignores()
        .sends(settings(4, 65_536))
        .breaks(1, FLOW_CONTROL_ERROR);
  }

  // ---- what may be sent

  @Test
  void contentWaitsForTheStreamsWindow() {
    Script script = Script.server(cut).sends(settings(4, 10), upload(1)).answers(1, false);
    script.output();
    Http2Stream stream = script.stream(1);
    ByteBuffer payload = ByteBuffer.allocate(25);
    assertEquals(10, script.session.data(stream, payload, true));
    assertEquals(0, script.session.data(stream, payload, true));
    script.replies(data(1, 0, new byte[10]));
    assertNull(script.session.pollWritable());
    script.sends(windowUpdate(1, 6));
    assertSame(stream, script.session.pollWritable());
    assertNull(script.session.pollWritable());
    assertEquals(6, script.session.data(stream, payload, true));
    assertEquals(0, script.session.data(stream, payload, true));
    script.sends(windowUpdate(1, 100));
    assertSame(stream, script.session.pollWritable());
    assertEquals(9, script.session.data(stream, payload, true));
    script.replies(data(1, 0, new byte[6]), lastData(1, "123456789"));
  }

  @Test
  void smallerInitialWindowMayMakeWindowsNegative() {
    Script script = open().answers(1, false);
    Http2Stream stream = script.stream(1);
    script.session.data(stream, ByteBuffer.allocate(60_000), false);
    script.output();
    script.sends(settings(4, 50_000)).replies(settingsAck()); // -10,000
    ByteBuffer more = ByteBuffer.allocate(10);
    assertEquals(0, script.session.data(stream, more, false));
    script.sends(windowUpdate(1, 10_000)); // 0
    assertNull(script.session.pollWritable());
    script.sends(windowUpdate(1, 3));
    assertSame(stream, script.session.pollWritable());
    assertEquals(3, script.session.data(stream, more, false));
  }

  @Test
  void largerInitialWindowOpensWaitingStreams() {
    Script script = Script.server(cut).sends(settings(4, 0), upload(1)).answers(1, false);
    Http2Stream stream = script.stream(1);
    assertEquals(0, script.session.data(stream, ByteBuffer.allocate(5), false));
    script.sends(settings(4, 5));
    assertSame(stream, script.session.pollWritable());
    assertEquals(5, script.session.data(stream, ByteBuffer.allocate(5), true));
  }

  @Test
  void contentWaitsForTheConnectionsWindow() {
    Script script = Script.server(cut).sends(settings(4, 1_000_000), upload(1), upload(3));
    script.answers(1, false).answers(3, false);
    Http2Stream first = script.stream(1);
    Http2Stream second = script.stream(3);
    assertEquals(65_535, script.session.data(first, ByteBuffer.allocate(70_000), false));
    assertEquals(0, script.session.data(second, ByteBuffer.allocate(10), false));
    script.output();
    assertNull(script.session.pollWritable());
    script.sends(windowUpdate(0, 4));
    assertSame(second, script.session.pollWritable());
    assertEquals(4, script.session.data(second, ByteBuffer.allocate(10), false));
  }

  @Test
  void endWithoutContentNeedsNoWindow() {
    Script script = Script.server(cut).sends(settings(4, 0), upload(1)).answers(1, false);
    script.output();
    assertEquals(0, script.session.data(script.stream(1), ByteBuffer.allocate(0), true));
    script.replies(lastData(1, ""));
  }

  @Test
  void contentOfAnEndedStreamIsDropped() {
    Script script = open().answers(1, false);
    script.sends(rst(1, CANCEL));
    script.output();
    ByteBuffer payload = ByteBuffer.allocate(10);
    assertEquals(10, script.session.data(script.stream(1), payload, true));
    assertEquals(0, payload.remaining());
    script.replies();
  }
}
