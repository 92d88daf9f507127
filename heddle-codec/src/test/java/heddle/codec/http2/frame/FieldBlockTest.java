package heddle.codec.http2.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.hpack.HpackOutput;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A field block is written once, behind room for its header, and cut where it is too long. */
class FieldBlockTest {
  private static final int MOST = 16_384;

  private final Random random = new Random(5);

  @Test
  void blockBecomesOneFrameOrAsManyAsItNeeds() {
    for (int length : new int[] {0, 1, MOST - 1, MOST, MOST + 1, 2 * MOST, 2 * MOST + 1, 70_000}) {
      byte[] block = new byte[length];
      random.nextBytes(block);
      HpackOutput out = new HpackOutput(0);
      out.putByte('x');
      int at = FrameHeader.reserve(out);
      assertEquals(1, at);
      out.put(block, 0, length);
      Frame.Headers.finish(out, at, 5, true, MOST);

      List<Frame> frames =
          new Reading().read(Arrays.copyOfRange(out.array(), 1, out.length())).frames;
      assertEquals(Math.max(1, (length + MOST - 1) / MOST), frames.size(), "of " + length);
      assertEquals('x', out.array()[0]);
      assertArrayEquals(block, joined(frames), "of " + length);
    }
  }

  private static byte[] joined(List<Frame> frames) {
    var block = new ByteArrayOutputStream();
    Frame.Headers first = assertInstanceOf(Frame.Headers.class, frames.getFirst());
    assertEquals(5, first.streamId());
    assertTrue(first.endStream());
    assertEquals(frames.size() == 1, first.endHeaders());
    add(block, first.fragment());
    for (Frame frame : frames.subList(1, frames.size())) {
      Frame.Continuation next = assertInstanceOf(Frame.Continuation.class, frame);
      assertEquals(frame.equals(frames.getLast()), next.endHeaders());
      add(block, next.fragment());
    }
    return block.toByteArray();
  }

  private static void add(ByteArrayOutputStream block, ByteBuffer fragment) {
    assertTrue(fragment.remaining() <= MOST);
    byte[] bytes = new byte[fragment.remaining()];
    fragment.get(bytes);
    block.writeBytes(bytes);
  }

  @Test
  void headWithoutEndLeavesTheStreamOpen() {
    HpackOutput out = new HpackOutput(0);
    int at = FrameHeader.reserve(out);
    Frame.Headers.finish(out, at, 7, false, MOST);
    byte[] bytes = Arrays.copyOf(out.array(), out.length());
    Frame.Headers head = (Frame.Headers) new Reading().read(bytes).frames.getFirst();
    assertFalse(head.endStream());
    assertTrue(head.endHeaders());
  }

  @Test
  void payloadThatNoHeaderCanTellIsRefused() {
    HpackOutput out = new HpackOutput(0);
    int at = FrameHeader.reserve(out);
    out.ensure(1 << 24);
    out.setLength(out.length() + (1 << 24));
    assertThrows(IllegalStateException.class, () -> FrameHeader.patch(out, at, 0, 0, 1));
  }
}
