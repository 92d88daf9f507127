package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.testkit.ManualChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamedContentTest {

  private static final int KIB = 1024;

  private final MemoryBudget budget = new MemoryBudget(1024 * KIB);
  private final ConnectionMemory memory = memory(budget);

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

  @Test
  void whatIsReadyIsGatheredWhileMemoryIsPlentiful() throws Exception {
    MemoryBudget large = new MemoryBudget(16 * 1024 * KIB);
    StreamedContent content = new StreamedContent(body(1200 * KIB), memory(large));
    assertEquals(List.of(4, 16, 512, 512, 156), gatheredSizes(content));
    assertEquals((48 + 512) * KIB, large.held());
    content.close();
    assertEquals(0, large.held());
  }

  @Test
  void gatheredContentIsWhole() throws Exception {
    byte[] bytes = new byte[1300 * KIB];
    new Random(1).nextBytes(bytes);
    Body body = Body.replayable(bytes.length, () -> new ByteArrayInputStream(bytes));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    MemoryBudget large = new MemoryBudget(16 * 1024 * KIB);
    try (StreamedContent content = new StreamedContent(body, memory(large))) {
      for (ByteBuffer piece = content.nextGathered();
          piece != null;
          piece = content.nextGathered()) {
        byte[] part = new byte[piece.remaining()];
        piece.get(part);
        sent.writeBytes(part);
      }
    }
    assertArrayEquals(bytes, sent.toByteArray());
  }

  @Test
  void contentThatIsNotReadyIsNotWaitedFor() throws Exception {
    InputStream unready = new ByteArrayInputStream(new byte[400 * KIB]) {
      @Override
      public int available() {
        return 0;
      }
    };
    StreamedContent content =
        new StreamedContent(Body.of(unready), memory(new MemoryBudget(16 * 1024 * KIB)));
    assertTrue(gatheredSizes(content).stream().allMatch(size -> size <= 64));
  }

  @Test
  void nothingIsGatheredWhereHalfOfTheBudgetIsUsed() throws Exception {
    budget.hold(512 * KIB);
    StreamedContent content = new StreamedContent(body(1000 * KIB), memory);
    assertTrue(gatheredSizes(content).stream().allMatch(size -> size <= 16));
  }

  @Test
  void aFewResponsesGatherAtATime() throws Exception {
    MemoryBudget large = new MemoryBudget(64 * 1024 * KIB);
    List<StreamedContent> many = new ArrayList<>();
    for (int i = 0; i < LargeBuffers.MOST; i++) {
      StreamedContent content = new StreamedContent(body(2000 * KIB), memory(large));
      many.add(content);
      assertEquals(512, third(content));
    }
    assertEquals(64, third(new StreamedContent(body(2000 * KIB), memory(large))));
    many.getFirst().close();
    assertEquals(512, third(new StreamedContent(body(2000 * KIB), memory(large))));
  }

  /** The size in KiB of the third piece, the first that may be gathered. */
  private static int third(StreamedContent content) throws Exception {
    content.nextGathered();
    content.nextGathered();
    return content.nextGathered().remaining() / KIB;
  }

  private static ConnectionMemory memory(MemoryBudget budget) {
    return new ConnectionMemory(budget, new ManualChannel(buffers -> {}));
  }

  private static List<Integer> gatheredSizes(StreamedContent content) throws Exception {
    List<Integer> sizes = new ArrayList<>();
    for (ByteBuffer piece = content.nextGathered(); piece != null; piece = content.nextGathered()) {
      sizes.add(piece.remaining() / KIB);
    }
    return sizes;
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
