package heddle.connection.http1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Headers;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class InboundQueueTest {
  private final FakeChannel channel = new FakeChannel();
  private final InboundQueue queue = new InboundQueue(channel, 100);

  private void append(int length) {
    queue.append(ByteBuffer.wrap(new byte[length]));
  }

  private int read(int most) throws IOException {
    return queue.read(new byte[most], 0, most, Deadline.never());
  }

  @Test
  void givesWhatWasAppendedThenTheEnd() throws IOException {
    byte[] bytes = {1, 2, 3};
    queue.append(ByteBuffer.wrap(bytes));
    queue.end(Headers.of("A", "b"));
    bytes[0] = 9;
    byte[] target = new byte[4];
    assertEquals(2, queue.read(target, 1, 2, Deadline.never()));
    assertEquals(1, queue.read(target, 3, 1, Deadline.never()));
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
  void theFailureComesAfterWhatWasReceived() throws IOException {
    IOException failure = new IOException("lost");
    append(2);
    queue.fail(failure);
    assertEquals(2, read(5));
    assertSame(failure, assertThrows(IOException.class, () -> read(5)));
    assertFalse(queue.isComplete());
  }

  @Test
  void whatComesAfterTheEndChangesNothing() throws IOException {
    queue.end(Headers.empty());
    queue.fail(new IOException("late"));
    assertEquals(-1, read(1));
  }

  @Test
  void pausesAboveTheBoundAndResumesAtHalfOfIt() throws IOException {
    append(100);
    assertFalse(channel.paused);
    append(1);
    assertTrue(channel.paused);
    assertEquals(40, read(40));
    assertTrue(channel.paused);
    assertEquals(11, read(11));
    assertFalse(channel.paused);
  }

  @Test
  void discardingResumesAndDropsWhatComes() {
    append(500);
    assertTrue(channel.paused);
    queue.discard();
    assertFalse(channel.paused);
    append(500);
    assertFalse(channel.paused);
    assertEquals(0, queue.available());
    assertThrows(IOException.class, () -> read(1));
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
    InboundQueue failing = new InboundQueue(channel, 100);
    CompletableFuture<Integer> failed = parkedReader(failing);
    failing.fail(new IOException("lost"));
    assertInstanceOf(
        IOException.class, assertThrows(ExecutionException.class, failed::get).getCause());
    InboundQueue discarding = new InboundQueue(channel, 100);
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
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Thread reader = Thread.ofPlatform().start(() -> {
      try {
        result.complete(from.read(new byte[1], 0, 1, Deadline.never()));
      } catch (IOException e) {
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
        if (channel.paused) {
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
      count = queue.read(target, 0, 1 + random.nextInt(80), Deadline.never());
    }
    appender.join();
    assertArrayEquals(all, result.toByteArray(), "seed " + seed);
  }

  /** A channel of which only the pausing and the waking are used. */
  private static final class FakeChannel implements Channel, EventLoop {
    volatile boolean paused;

    @Override
    public void pauseReading() {
      paused = true;
    }

    @Override
    public void resumeReading() {
      paused = false;
    }

    @Override
    public void unpark(Thread thread) {
      LockSupport.unpark(thread);
    }

    @Override
    public EventLoop loop() {
      return this;
    }

    @Override
    public Clock clock() {
      return Clock.system();
    }

    @Override
    public void start(ChannelListener listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(ByteBuffer buffer, Deadline deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(ByteBuffer[] buffers, Deadline deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void shutdownOutput() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public SocketAddress localAddress() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress remoteAddress() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void execute(Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean inLoop() {
      return false;
    }

    @Override
    public Timer newTimer(Runnable onFire) {
      throw new UnsupportedOperationException();
    }
  }
}
