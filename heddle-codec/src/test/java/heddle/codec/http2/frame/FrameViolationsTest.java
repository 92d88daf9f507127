package heddle.codec.http2.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way in which a frame can be wrong by itself, and the error that the RFC names for it. */
class FrameViolationsTest {
  private static final String BLOCK = "000001 01 00 00000001 82 ";
  private static final String TOO_MANY = "00".repeat(16_385);

  /**
   * A violation.
   *
   * @param streamId the stream whose error it is, 0 for a connection error
   */
  record Violation(String section, String what, String hex, ErrorCode code, int streamId) {
    @Override
    public String toString() {
      return section + ": " + what;
    }
  }

  private static Violation connection(String section, String what, String hex, ErrorCode code) {
    return new Violation(section, what, hex, code, 0);
  }

  private static Violation size(String section, String what, String hex) {
    return connection(section, what, hex, ErrorCode.FRAME_SIZE_ERROR);
  }

  private static Violation protocol(String section, String what, String hex) {
    return connection(section, what, hex, ErrorCode.PROTOCOL_ERROR);
  }

  private static Violation stream(String section, String what, String hex, ErrorCode code) {
    return new Violation(section, what, hex, code, 3);
  }

  static List<Violation> sizes() {
    ErrorCode size = ErrorCode.FRAME_SIZE_ERROR;
    return List.of(
        stream("§4.2", "DATA above the size", "004001 00 00 00000003" + TOO_MANY, size),
        stream("§4.2", "padded DATA of no bytes", "000000 00 08 00000003", size),
        size("§4.2", "HEADERS above the size", "004001 01 04 00000003" + TOO_MANY),
        size("§4.2", "padded HEADERS of no bytes", "000000 01 0c 00000003"),
        size("§4.2", "HEADERS too short for priority", "000004 01 24 00000003 00000001"),
        size("§4.2", "both", "000005 01 2c 00000003 00 00000001"),
        stream("§4.2", "PRIORITY above the size", "004001 02 00 00000003" + TOO_MANY, size),
        stream("§6.3", "PRIORITY of 4 bytes", "000004 02 00 00000003 00000001", size),
        stream("§6.3", "PRIORITY of 6 bytes", "000006 02 00 00000003 00000001 1010", size),
        size("§6.4", "RST_STREAM of 3 bytes", "000003 03 00 00000003 000000"),
        size("§6.4", "RST_STREAM of 5 bytes", "000005 03 00 00000003 0000000000"),
        size("§6.4", "RST_STREAM above the size", "004001 03 00 00000003" + TOO_MANY),
        size("§6.5", "SETTINGS of 5 bytes", "000005 04 00 00000000 0003000000"),
        size("§6.5", "acknowledgement with content", "000006 04 01 00000000 000300000064"),
        size("§4.2", "SETTINGS above the size", "004002 04 00 00000000" + TOO_MANY + "00"),
        size("§6.6", "PUSH_PROMISE of 3 bytes", "000003 05 04 00000003 000000"),
        size("§6.6", "padded, of 4", "000004 05 0c 00000003 00 000000"),
        size("§4.2", "PUSH_PROMISE above the size", "004001 05 04 00000003" + TOO_MANY),
        size("§6.7", "PING of 7 bytes", "000007 06 00 00000000 00000000000000"),
        size("§6.7", "PING of 9 bytes", "000009 06 00 00000000 000000000000000000"),
        size("§6.8", "GOAWAY of 7 bytes", "000007 07 00 00000000 00000000000000"),
        size("§4.2", "GOAWAY above the size", "004001 07 00 00000000" + TOO_MANY),
        size("§6.9", "WINDOW_UPDATE of 3 bytes", "000003 08 00 00000003 000001"),
        size("§6.9", "of 5 bytes, on stream 0", "000005 08 00 00000000 0000000100"),
        size("§4.2", "CONTINUATION above it", BLOCK + "004001 09 04 00000001" + TOO_MANY),
        size("9218 §7.1", "PRIORITY_UPDATE of 3 bytes", "000003 10 00 00000000 000000"),
        size("§4.2", "unknown on stream 0", "004001 0b 00 00000000" + TOO_MANY),
        stream("§4.2", "unknown on a stream", "004001 0b 00 00000003" + TOO_MANY, size));
  }

  static List<Violation> protocol() {
    ErrorCode protocol = ErrorCode.PROTOCOL_ERROR;
    return List.of(
        protocol("§6.1", "DATA on stream 0", "000001 00 00 00000000 61"),
        protocol("§6.1", "empty padded DATA on stream 0", "000000 00 08 00000000"),
        protocol("§6.1", "padding fills the payload", "000003 00 08 00000003 03 0000"),
        protocol("§6.1", "padding behind the payload", "000001 00 08 00000003 01"),
        protocol("§6.2", "HEADERS on stream 0", "000001 01 04 00000000 82"),
        protocol("§6.2", "padding fills the payload", "000003 01 0c 00000003 03 8286"),
        protocol("§6.2", "padding over priority", "000006 01 2c 00000003 01 0000000110"),
        protocol("§6.3", "PRIORITY on stream 0", "000005 02 00 00000000 00000001 10"),
        stream("7540 §5.3.1", "on itself", "000005 02 00 00000003 00000003 10", protocol),
        stream("7540 §5.3.1", "exclusively", "000005 02 00 00000003 80000003 10", protocol),
        protocol("§6.4", "RST_STREAM on stream 0", "000004 03 00 00000000 00000008"),
        protocol("§6.5", "SETTINGS on a stream", "000000 04 00 00000003"),
        protocol("§6.5", "their acknowledgement too", "000000 04 01 00000003"),
        protocol("§6.6", "PUSH_PROMISE on stream 0", "000004 05 04 00000000 00000002"),
        protocol("§6.6", "padding over the id", "000005 05 0c 00000003 01 00000002"),
        protocol("§6.7", "PING on a stream", "000008 06 00 00000003 0000000000000000"),
        protocol("§6.8", "GOAWAY on a stream", "000008 07 00 00000003 0000000000000000"),
        protocol("§6.9", "by 0 on the connection", "000004 08 00 00000000 00000000"),
        stream("§6.9", "by 0 on a stream", "000004 08 00 00000003 80000000", protocol),
        protocol("§6.10", "CONTINUATION on stream 0", "000000 09 04 00000000"),
        protocol("§6.10", "CONTINUATION of nothing", "000000 09 04 00000003"),
        protocol("§6.10", "after the end", "000001 01 04 00000003 82 000000 09 04 00000003"),
        protocol("§6.2", "of another stream", BLOCK + "000000 09 04 00000003"),
        protocol("§6.2", "DATA in a field block", BLOCK + "000000 00 00 00000001"),
        protocol("§6.2", "HEADERS in a field block", BLOCK + "000000 01 04 00000001"),
        protocol("§4.3", "WINDOW_UPDATE in a block", BLOCK + "000004 08 00 00000000 00000001"),
        protocol("§5.5", "unknown in a field block", BLOCK + "000000 0b 00 00000001"),
        protocol("§6.6", "after a promise", "000004 05 00 00000001 00000002 000000 00 00 00000001"),
        protocol("9218 §7.1", "on a stream", "000004 10 00 00000003 00000003"),
        protocol("9218 §7.1", "about stream 0", "000004 10 00 00000000 00000000"));
  }

  @ParameterizedTest
  @MethodSource({"sizes", "protocol"})
  void violationHasTheErrorThatTheRfcNames(Violation each) {
    byte[] bytes = FrameCase.bytes(each.hex());
    for (int pieceLength : new int[] {bytes.length, 1, 9, 10, 13}) {
      Reading reading = new Reading().readInPieces(bytes, pieceLength);
      assertEquals(1, reading.errors.size(), () -> "errors in pieces of " + pieceLength);
      Http2Exception error = reading.errors.getFirst();
      assertEquals(each.code(), error.code());
      assertEquals(each.streamId(), error.streamId());
      assertEquals(each.streamId() == 0, error.connectionError());
      assertTrue(String.valueOf(error.getMessage()).contains("RFC "), error::getMessage);
      assertEquals(0, error.getStackTrace().length);
    }
  }

  @ParameterizedTest
  @MethodSource({"sizes", "protocol"})
  void streamErrorLeavesTheFramesThatFollow(Violation each) {
    if (each.streamId() == 0) {
      return;
    }
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(FrameCase.bytes(each.hex()));
    bytes.writeBytes(FrameCase.encode(new Frame.Ping(false, 7)));
    for (int pieceLength : new int[] {bytes.size(), 1, 9, 10, 13}) {
      Reading reading = new Reading().readInPieces(bytes.toByteArray(), pieceLength);
      assertEquals(new Frame.Ping(false, 7), reading.frames.getLast(), "in pieces");
      assertEquals(1, reading.errors.size());
    }
  }

  @Test
  void contentOfAnOversizedFrameCountsForTheConnection() {
    byte[] bytes = FrameCase.bytes("004001 00 01 00000003" + TOO_MANY);
    for (int pieceLength : new int[] {bytes.length, 1, 1_000}) {
      Reading reading = new Reading().readInPieces(bytes, pieceLength);
      assertEquals(ErrorCode.FRAME_SIZE_ERROR, reading.errors.getFirst().code());
      Frame.Data data = (Frame.Data) reading.frames.getFirst();
      assertEquals(16_385, data.flowControlled());
      assertTrue(data.endStream());
    }
  }

  @Test
  void headersThatDependOnThemselvesAreToldWithTheirBlock() {
    Reading reading = new Reading().read(FrameCase.bytes("000006 01 24 00000003 00000003 0f 82"));
    Frame.Headers headers = (Frame.Headers) reading.frames.getFirst();
    assertTrue(headers.dependsOnItself());
    assertEquals(FrameCase.text("\u0082"), headers.fragment());
  }
}
