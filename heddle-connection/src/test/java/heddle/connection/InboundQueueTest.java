package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Headers;
import heddle.testkit.ManualLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InboundQueueTest {
  private static final int CHUNK = 64 * 1024;

  private final FakeFeed feed = new FakeFeed();
  private final ManualLoop loop = new ManualLoop();
  private final InboundQueue queue = new InboundQueue(feed, loop, 100);

  private void append(int length) {
    queue.append(ByteBuffer.wrap(new byte[length]));
  }

  private int read(int most) throws IOException {
    return queue.read(new byte[most], 0, most);
  }

  @Test
  void givesWhatWasAppendedThenTheEnd() throws IOException {
    byte[] bytes = {1, 2, 3};
    queue.append(ByteBuffer.wrap(bytes));
    queue.end(Headers.of("A", "b"));
    bytes[0] = 9;
    byte[] target = new byte[4];
    assertEquals(2, queue.read(target, 1, 2));
    assertEquals(1, queue.read(target, 3, 1));
    assertArrayEquals(new byte[] {0, 1, 2, 3}, target);
    assertEquals(-1, read(1));
    assertEquals("b", queue.trailers().first("A"));
  }

  @Test
  void trailersAreNotKnownBeforeTheEnd() {
    append(1);
    assertThrows(IllegalStateException.class, queue::trailers);
    assertFalse(queue.isComplete());
  }

  @Test
  void theFailureComesAfterWhatWasReceivedAndAgainForEachWhoAsks() throws IOException {
    IOException failure = new IOException("lost");
    append(2);
    queue.fail(failure);
    assertEquals(2, read(5));
    for (int i = 0; i < 2; i++) {
      assertSame(failure, assertThrows(IOException.class, () -> read(5)).getCause());
      queue.discard();
    }
    assertFalse(queue.isComplete());
    assertThrows(IllegalStateException.class, queue::trailers);
  }

  @Test
  void whatComesAfterTheEndChangesNothing() throws IOException {
    queue.end(Headers.empty());
    queue.fail(new IOException("late"));
    assertEquals(-1, read(1));
  }

  @Test
  void pausesAboveTheBoundAndResumesAtHalfOfIt() throws IOException {
    append(49);
    append(51);
    assertFalse(feed.paused);
    append(1);
    assertTrue(feed.paused);
    assertEquals(49, read(80));
    assertTrue(feed.paused);
    assertEquals(1, read(1));
    assertFalse(feed.paused);
    assertEquals(51, queue.available());
  }

  @Test
  void theFeedHearsOfEachByteOnceWhenItWaitsNoLonger() throws IOException {
    append(30);
    append(20);
    assertEquals(0, feed.taken.get());
    assertEquals(10, read(10));
    assertEquals(30, feed.taken.get());
    assertEquals(20, read(40));
    assertEquals(30, feed.taken.get());
    queue.discard();
    assertEquals(50, feed.taken.get());
    assertFalse(queue.append(ByteBuffer.allocate(7)), "it says so, and whoever appends sees to it");
    assertEquals(50, feed.taken.get());
    queue.discard();
    assertEquals(50, feed.taken.get());
  }

  @Test
  void aChunkThatWasReadServesTheNextPiece() throws IOException {
    byte[] spare = loop.chunks().take(CHUNK);
    loop.chunks().give(spare);
    for (int i = 0; i < 3; i++) {
      append(CHUNK);
      assertFalse(isSpare(spare), "the queue holds it");
      assertEquals(CHUNK, read(CHUNK));
      assertEquals(0, queue.available());
      queue.append(ByteBuffer.allocate(1));
      assertEquals(1, read(CHUNK));
      assertTrue(isSpare(spare), "the reader has gone on to the next");
    }
  }

  @Test
  void aPieceLargerThanAChunkIsCutIntoChunksThatServeAgain() throws IOException {
    byte[] spare = loop.chunks().take(CHUNK);
    loop.chunks().give(spare);
    byte[] sent = new byte[3 * CHUNK + 5];
    new Random(7).nextBytes(sent);
    queue.append(ByteBuffer.wrap(sent));
    assertFalse(isSpare(spare), "the queue holds it");
    byte[] got = new byte[sent.length];
    for (int at = 0; at < got.length; ) {
      at += queue.read(got, at, got.length - at);
    }
    assertArrayEquals(sent, got);
    queue.discard();
    List<byte[]> spares =
        Stream.generate(() -> loop.chunks().take(CHUNK)).limit(3).toList();
    assertTrue(spares.stream().anyMatch(chunk -> chunk == spare));
  }

  @Test
  void chunksThatNobodyReadsServeOthers() throws IOException {
    byte[] spare = loop.chunks().take(CHUNK);
    loop.chunks().give(spare);
    append(CHUNK);
    queue.discard();
    assertTrue(isSpare(spare));
  }

  @Test
  void aReaderInTheMiddleOfAChunkKeepsItWhenTheRestIsDiscarded() throws IOException {
    byte[] spare = loop.chunks().take(CHUNK);
    loop.chunks().give(spare);
    append(CHUNK);
    assertEquals(10, read(10));
    queue.discard();
    assertFalse(isSpare(spare), "the reader may be copying from it");
    assertThrows(IOException.class, () -> read(10));
    assertTrue(isSpare(spare));
  }

  /** Whether the pool has this chunk; a failure that printed chunks would fill the screen. */
  private boolean isSpare(byte[] chunk) {
    byte[] taken = loop.chunks().take(CHUNK);
    loop.chunks().give(taken);
    return taken == chunk;
  }

  @Test
  void queuesThatShareChunksKeepTheirContentApart() throws IOException {
    Random random = new Random(1);
    InboundQueue[] queues = new InboundQueue[4];
    byte[] written = new byte[queues.length];
    byte[] expected = new byte[queues.length];
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new InboundQueue(feed, loop, Integer.MAX_VALUE);
    }
    for (int step = 0; step < 5_000; step++) {
      int i = random.nextInt(queues.length);
      byte[] piece = new byte[random.nextInt(70_000)];
      if (random.nextBoolean()) {
        for (int b = 0; b < piece.length; b++) {
          piece[b] = (byte) (i * 50 + written[i]++ % 50);
        }
        queues[i].append(ByteBuffer.wrap(piece));
      } else if (queues[i].available() > 0) {
        int count = queues[i].read(piece, 0, piece.length);
        for (int b = 0; b < count; b++) {
          assertEquals((byte) (i * 50 + expected[i]++ % 50), piece[b], "step " + step);
        }
      }
    }
  }

  @Test
  void piecesThatWaitBehindOthersShareTheirRoom() throws IOException {
    for (int i = 0; i < 5000; i++) {
      queue.append(ByteBuffer.wrap(new byte[] {(byte) i}));
    }
    queue.end(Headers.empty());
    assertEquals(5000, queue.available());
    assertEquals(1, read(5000));
    assertEquals(2048, read(5000));
    assertEquals(2048, read(5000));
    byte[] rest = new byte[5000];
    assertEquals(5000 - 1 - 2 * 2048, queue.read(rest, 0, 5000));
    assertEquals((byte) (1 + 2 * 2048), rest[0]);
    assertEquals(-1, read(1));
  }

  @Test
  void readsByteByByteAsSignlessValues() throws IOException {
    queue.append(ByteBuffer.wrap(new byte[] {(byte) 0xFF, 0}));
    queue.end(Headers.empty());
    assertEquals(0xFF, queue.read());
    assertEquals(0, queue.read());
    assertEquals(-1, queue.read());
  }

  @Test
  void theFeedHearsOfAReaderOnlyWhenThereIsNothingToRead() throws Exception {
    append(1);
    assertEquals(1, read(1));
    assertEquals(0, feed.awaited.get());
    CompletableFuture<Integer> result = parkedReader();
    assertEquals(1, feed.awaited.get());
    append(1);
    assertEquals(1, result.get());
  }

  @Test
  void theEndStaysTheEndWhenItIsDiscarded() throws IOException {
    queue.end(Headers.empty());
    assertEquals(-1, read(1));
    queue.discard();
    assertEquals(-1, read(1));
  }

  @Test
  void whatIsDiscardedUnreadIsNoEnd() {
    append(1);
    queue.end(Headers.empty());
    queue.discard();
    assertThrows(IOException.class, () -> read(1));
  }

  @Test
  void discardingResumesAndDropsWhatComes() {
    append(500);
    assertTrue(feed.paused);
    queue.discard();
    assertFalse(feed.paused);
    append(500);
    assertFalse(feed.paused);
    assertEquals(0, queue.available());
    assertThrows(IOException.class, () -> read(1));
  }

  @Test
  void theFeedHearsOfEachByteOnceWhenItTakesNoMemory() throws IOException {
    append(30);
    append(20);
    append(10);
    assertEquals(30, read(30));
    assertEquals(0, feed.freed.get(), "the reader holds its chunk");
    assertEquals(10, read(10));
    assertEquals(30, feed.freed.get());
    queue.discard();
    assertEquals(60, feed.freed.get(), "what the reader has begun, and what waited");
    assertThrows(IOException.class, () -> read(1));
    queue.discard();
    assertEquals(60, feed.freed.get());
  }

  @Test
  void theLastChunkIsFreedWhenItsReaderWaitsForMore() throws Exception {
    append(30);
    assertEquals(30, read(30));
    CompletableFuture<Integer> next = parked(() -> read(1));
    assertEquals(30, feed.freed.get());
    queue.end(Headers.empty());
    assertEquals(-1, next.get());
    assertEquals(30, feed.freed.get());
  }

  @Test
  void whatIsSkippedIsDroppedWhereItComesAndCounted() throws Exception {
    append(30);
    assertEquals(10, read(10));
    append(200);
    assertTrue(feed.paused);
    CompletableFuture<Long> skipped = parked(queue::skip);
    assertFalse(feed.paused);
    assertEquals(0, queue.available());
    assertEquals(230, feed.taken.get());
    ByteBuffer more = ByteBuffer.allocate(7000);
    assertFalse(queue.append(more));
    assertFalse(more.hasRemaining());
    assertFalse(skipped.isDone());
    queue.end(Headers.of("A", "b"));
    assertEquals(7220, skipped.get());
    assertEquals(230, feed.taken.get(), "of what was dropped it hears from append");
    assertEquals(-1, read(1));
    assertEquals("b", queue.trailers().first("A"));
  }

  @Test
  void skippingFailsAsReadingDoes() throws Exception {
    CompletableFuture<Long> skipped = parked(queue::skip);
    queue.append(ByteBuffer.allocate(9));
    IOException lost = new IOException("lost");
    queue.fail(lost);
    ExecutionException failure = assertThrows(ExecutionException.class, skipped::get);
    assertSame(lost, failure.getCause().getCause());
    assertThrows(IOException.class, queue::skip);
  }

  @Test
  void skippingEndsWhenTheBodyIsClosed() throws Exception {
    CompletableFuture<Long> skipped = parked(queue::skip);
    queue.discard();
    ExecutionException failure = assertThrows(ExecutionException.class, skipped::get);
    assertInstanceOf(IOException.class, failure.getCause());
  }

  @Test
  void nothingIsLeftToSkipAfterTheEnd() throws IOException {
    append(3);
    queue.end(Headers.empty());
    assertEquals(3, queue.skip());
    assertEquals(0, queue.skip());
  }

  @Test
  void aParkedReaderIsWokenByBytesByTheEndByAFailureAndByDiscarding() throws Exception {
    for (Runnable waking : new Runnable[] {
      () -> append(1), () -> queue.end(Headers.empty()),
    }) {
      CompletableFuture<Integer> result = parkedReader();
      waking.run();
      result.get();
    }
    InboundQueue failing = new InboundQueue(feed, new ManualLoop(), 100);
    CompletableFuture<Integer> failed = parkedReader(failing);
    failing.fail(new IOException("lost"));
    assertInstanceOf(
        IOException.class, assertThrows(ExecutionException.class, failed::get).getCause());
    InboundQueue discarding = new InboundQueue(feed, new ManualLoop(), 100);
    CompletableFuture<Integer> discarded = parkedReader(discarding);
    discarding.discard();
    assertInstanceOf(
        IOException.class,
        assertThrows(ExecutionException.class, discarded::get).getCause());
  }

  private CompletableFuture<Integer> parkedReader() {
    return parkedReader(queue);
  }

  private static CompletableFuture<Integer> parkedReader(InboundQueue from) {
    return parked(() -> from.read(new byte[1], 0, 1));
  }

  private static <T> CompletableFuture<T> parked(Callable<T> reading) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread reader = Thread.ofPlatform().start(() -> {
      try {
        result.complete(reading.call());
      } catch (Exception e) {
        result.completeExceptionally(e);
      }
    });
    while (reader.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return result;
  }

  @Test
  void anInterruptedReaderFailsWithItsFlagSet() {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> read(1));
    assertTrue(Thread.interrupted());
  }

  @Test
  void whatIsAppendedInRandomPiecesIsReadInRandomPieces() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] all = new byte[1 << 20];
    random.nextBytes(all);
    Thread appender = Thread.ofVirtual().start(() -> {
      Random sizes = new Random(seed);
      int at = 0;
      while (at < all.length) {
        if (feed.paused) {
          Thread.onSpinWait();
          continue;
        }
        int size = Math.min(1 + sizes.nextInt(50), all.length - at);
        queue.append(ByteBuffer.wrap(all, at, size));
        at += size;
      }
      queue.end(Headers.empty());
    });
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    byte[] target = new byte[80];
    for (int count = 0; count >= 0; ) {
      result.write(target, 0, count);
      count = queue.read(target, 0, 1 + random.nextInt(80));
    }
    appender.join();
    assertArrayEquals(all, result.toByteArray(), "seed " + seed);
  }
}
