package heddle.codec.http2.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameReaderTest {

  static List<FrameCase> cases() {
    return FrameCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void frameIsReadWhole(FrameCase each) {
    Reading reading = new Reading().read(each.bytes());
    assertEquals(List.of(), reading.errors);
    assertEquals(List.of(each.frame()), reading.frames);
    assertFalse(reading.reader.isMidFrame());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void frameIsReadOneByteAtATime(FrameCase each) {
    Reading reading = new Reading().readInPieces(each.bytes(), 1);
    assertEquals(List.of(each.frame()), reading.frames);
    assertFalse(reading.reader.isMidFrame());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void frameIsReadCutAnywhere(FrameCase each) {
    byte[] bytes = each.bytes();
    for (int cut = 1; cut < Math.min(bytes.length, 64); cut++) {
      Reading reading = new Reading().read(bytes, 0, cut);
      assertTrue(reading.reader.isMidFrame(), "cut at " + cut);
      reading.read(bytes, cut, bytes.length);
      assertEquals(List.of(each.frame()), reading.frames, "cut at " + cut);
      assertFalse(reading.reader.isMidFrame(), "cut at " + cut);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void frameIsWrittenAsItIsRead(FrameCase each) {
    byte[] written = FrameCase.encode(each.frame());
    if (each.encodesBack()) {
      assertArrayEquals(each.bytes(), written);
    }
    assertEquals(List.of(each.frame()), new Reading().read(written).frames);
  }

  @Test
  void framesFollowEachOtherInOneInput() {
    var all = new ByteArrayOutputStream();
    var frames = new ArrayList<Frame>();
    for (FrameCase each : FrameCase.all()) {
      // A frame of another type between two of DATA, which would be put together.
      all.writeBytes(each.bytes());
      all.writeBytes(FrameCase.encode(Frame.Settings.ACKNOWLEDGEMENT));
      frames.add(each.frame());
      frames.add(Frame.Settings.ACKNOWLEDGEMENT);
    }
    for (int pieceLength : new int[] {1, 2, 3, 7, 9, 10, 100, 16_000, 100_000}) {
      Reading reading = new Reading().readInPieces(all.toByteArray(), pieceLength);
      assertEquals(frames, reading.frames, "in pieces of " + pieceLength);
    }
  }

  @Test
  void fieldBlockGoesOnInContinuations() {
    var all = new ByteArrayOutputStream();
    for (FrameCase each : FrameCase.fieldBlock()) {
      all.writeBytes(each.bytes());
      assertEquals(
          each.encodesBack(),
          java.util.Arrays.equals(each.bytes(), FrameCase.encode(each.frame())),
          each.name());
    }
    List<Frame> frames = FrameCase.fieldBlock().stream().map(FrameCase::frame).toList();
    assertEquals(frames, new Reading().read(all.toByteArray()).frames);
    assertEquals(frames, new Reading().readInPieces(all.toByteArray(), 1).frames);
  }

  @Test
  void openFieldBlockIsTheMiddleOfSomething() {
    FrameCase first = FrameCase.fieldBlock().getFirst();
    assertTrue(new Reading().read(first.bytes()).reader.isMidFrame());
  }

  @Test
  void contentComesAsItArrives() throws Http2Exception {
    byte[] bytes = FrameCase.bytes("000008 00 09 00000001 02 6162636465 0000");
    FrameReader reader = new FrameReader(16_384);
    assertNull(reader.next(ByteBuffer.wrap(bytes, 0, 9)));
    assertPiece("ab", 5, 5, false, reader.next(ByteBuffer.wrap(bytes, 9, 3)));
    assertNull(reader.next(ByteBuffer.allocate(0)));
    assertPiece("cde", 3, -1, false, reader.next(ByteBuffer.wrap(bytes, 12, 3)));
    assertNull(reader.next(ByteBuffer.wrap(bytes, 15, 1)));
    // The stream does not end before the frame does.
    assertPiece("", 0, -1, true, reader.next(ByteBuffer.wrap(bytes, 16, 1)));
    assertFalse(reader.isMidFrame());
  }

  private static void assertPiece(
      String text, int flowControlled, int begun, boolean end, Frame piece) {
    assertEquals(new Frame.Data(1, end, FrameCase.text(text), flowControlled, begun), piece);
  }

  @Test
  void contentIsAViewOfTheInput() throws Http2Exception {
    byte[] bytes = FrameCase.bytes("000003 00 00 00000001 616263");
    Frame frame = new FrameReader(16_384).next(ByteBuffer.wrap(bytes));
    assertSame(bytes, ((Frame.Data) assertNotNullFrame(frame)).data().array());
  }

  private static Frame assertNotNullFrame(Frame frame) {
    assertNotNull(frame);
    return frame;
  }

  @Test
  void frameSizeIsWhatIsAdvertised() throws Http2Exception {
    byte[] ping = FrameCase.bytes("004001 0b 00 00000000" + "00".repeat(16_385));
    assertThrows(Http2Exception.class, () -> new FrameReader(16_384).next(ByteBuffer.wrap(ping)));
    assertNotNull(new FrameReader(16_385).next(ByteBuffer.wrap(ping)));
    assertThrows(IllegalArgumentException.class, () -> new FrameReader(16_383));
    assertThrows(IllegalArgumentException.class, () -> new FrameReader(1 << 24));
  }

  @Test
  void unknownErrorCodeIsTreatedAsAnInternalError() {
    assertEquals(ErrorCode.INTERNAL_ERROR, new Frame.RstStream(1, 0xe).error());
    assertEquals("unknown error 0xe", ErrorCode.describe(0xe));
    assertEquals("unknown error 0xffffffff", ErrorCode.describe(-1));
    for (ErrorCode each : ErrorCode.values()) {
      assertSame(each, ErrorCode.of(each.code()));
      assertEquals(each.name(), ErrorCode.describe(each.code()));
    }
  }

  @Test
  void debugDataIsText() {
    assertEquals("hi", new Frame.GoAway(1, ErrorCode.NO_ERROR, "hi").debugText());
    ByteBuffer noText = ByteBuffer.wrap(new byte[] {'a', (byte) 0xff});
    assertEquals("a\ufffd", new Frame.GoAway(1, 0, noText).debugText());
  }
}
