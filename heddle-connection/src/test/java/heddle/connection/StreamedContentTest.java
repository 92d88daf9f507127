package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.testkit.ManualChannel;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamedContentTest {

  private static final int KIB = 1024;

  private final MemoryBudget budget = new MemoryBudget(1024 * KIB);
  private final ConnectionMemory memory =
      new ConnectionMemory(budget, new ManualChannel(buffers -> {}));

  @Test
  void piecesOfLongContentGrowWhileMemoryIsPlentiful() throws Exception {
    StreamedContent content = new StreamedContent(body(200 * KIB), memory);
    assertEquals(List.of(4, 16, 64, 64, 52), sizes(content));
    assertEquals(48 * KIB, budget.held());
    content.close();
    assertEquals(0, budget.held());
  }

  @Test
  void piecesStaySmallWhereHalfOfTheBudgetIsUsed() throws Exception {
    budget.hold(512 * KIB);
    StreamedContent content = new StreamedContent(body(100 * KIB), memory);
    assertEquals(List.of(4, 16, 16, 16, 16, 16, 16), sizes(content));
    content.close();
    assertEquals(512 * KIB, budget.held());
  }

  @Test
  void piecesStaySmallWhereRequestsUseHalfOfTheBudget() throws Exception {
    MemoryBudget busy = new MemoryBudget(1024 * KIB, () -> 22, 22);
    ConnectionMemory its = new ConnectionMemory(busy, new ManualChannel(buffers -> {}));
    StreamedContent content = new StreamedContent(body(100 * KIB), its);
    assertEquals(List.of(4, 16, 16, 16, 16, 16, 16), sizes(content));
    assertEquals(0, busy.held());
  }

  @Test
  void piecesStaySmallWhereTheStreamHasLittleAtATime() throws Exception {
    InputStream trickle = new ByteArrayInputStream(new byte[200 * KIB]) {
      @Override
      public int read(byte[] target, int offset, int count) {
        return super.read(target, offset, Math.min(count, 10 * KIB));
      }
    };
    StreamedContent content = new StreamedContent(Body.of(trickle), memory);
    assertTrue(sizes(content).stream().allMatch(size -> size <= 10));
    assertEquals(0, budget.held());
  }

  @Test
  void piecesThatAreKeptHaveTheirOwnMemoryUntilTheyAreWritten() throws Exception {
    StreamedContent content = new StreamedContent(body(400 * KIB), memory);
    List<ByteBuffer> pieces = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      pieces.add(content.nextToKeep());
    }
    List<Integer> sizes = pieces.stream().map(piece -> piece.remaining() / KIB).toList();
    assertEquals(List.of(4, 16, 64, 64), sizes);
    assertEquals(4, pieces.stream().map(ByteBuffer::array).distinct().count());
    assertEquals((2 * 64 - 16) * KIB, budget.held());
    content.reuse(pieces.get(2));
    assertSame(pieces.get(2).array(), content.nextToKeep().array());
    assertNotSame(pieces.get(2).array(), content.nextToKeep().array());
    content.reuse(pieces.get(1)); // too small
    assertEquals(64 * KIB, content.nextToKeep().remaining());
    content.close();
    assertEquals(0, budget.held());
  }

  private static Body body(int length) {
    return Body.replayable(length, () -> new ByteArrayInputStream(new byte[length]));
  }

  private static List<Integer> sizes(StreamedContent content) throws Exception {
    List<Integer> sizes = new ArrayList<>();
    for (ByteBuffer piece = content.next(); piece != null; piece = content.next()) {
      sizes.add(piece.remaining() / KIB);
    }
    return sizes;
  }
}
