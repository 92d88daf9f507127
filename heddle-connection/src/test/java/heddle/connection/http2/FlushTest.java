package heddle.connection.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.Role;
import heddle.codec.http2.Http2Limits;
import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.connection.MinimumRate;
import heddle.testkit.ManualChannel;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who writes for whom, and for how long. */
@Timeout(60)
class FlushTest {
  private static final int MANY = 10_000;

  private final Http2Session session = new Http2Session(Role.CLIENT, Http2Limits.CLIENT);
  private final OrderingLock lock = new OrderingLock();
  private final Thread caller = Thread.currentThread();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger own = new AtomicInteger();
  private final CountDownLatch allWritten = new CountDownLatch(1);

  private void queue() {
    try (var held = lock.hold()) {
      session.ping(1);
    }
  }

  /** Throws where taking the output is to fail. */
  private Runnable onTaken = () -> {};

  private Flush flush(ManualChannel channel) {
    Flush.Owner owner = new Flush.Owner() {
      @Override
      public void onTaken(ByteBuffer @Nullable [] output) {
        onTaken.run();
      }

      @Override
      public void onWritable(Http2Stream stream) {}

      @Override
      public void onFlushed() {
        allWritten.countDown();
      }

      @Override
      public void onBroken() {}
    };
    return new Flush(channel, session, lock, Duration.ofSeconds(30), MinimumRate.OFF, owner);
  }

  /** While a thread writes, another has queued something already, for a long time. */
  private Flush flushOfWhatNeverEnds() {
    return flush(new ManualChannel(buffers -> {
      if (Thread.currentThread() == caller) {
        own.incrementAndGet();
      }
      if (writes.incrementAndGet() < MANY) {
        queue();
      }
    }));
  }

  private void assertLetsGoAfter(int most) throws InterruptedException {
    assertTrue(own.get() <= most, () -> "the caller wrote " + own + " times for others");
    allWritten.await();
    assertEquals(MANY, writes.get());
  }

  @Test
  void whoWritesForOthersIsLetGoAfterAWhile() throws Exception {
    flushOfWhatNeverEnds().run(false, Deadline.never());
    assertLetsGoAfter(Flush.MOST_ROUNDS);
  }

  @Test
  void aChannelThatFailsForAReasonOfItsOwnIsClosedAndKeepsNobodyFromLeaving() {
    ManualChannel channel = new ManualChannel(buffers -> {
      throw new IllegalStateException("a provider's fault");
    });
    Flush flush = flush(channel);
    queue();
    flush.run(false, Deadline.never());
    assertFalse(channel.isOpen());
    assertTrue(flush.isIdle());
  }

  @Test
  void withoutMemoryToTakeTheOutputTheChannelIsClosedAndNoThreadCountsAsWriting() {
    ManualChannel channel = new ManualChannel(buffers -> {});
    Flush flush = flush(channel);
    queue();
    long round = nextRound(flush);
    onTaken = () -> {
      onTaken = () -> {};
      throw new OutOfMemoryError("injected");
    };
    flush.run(false, Deadline.never());
    assertFalse(channel.isOpen());
    assertTrue(flush.isIdle());
    assertFalse(isWritten(flush, round));
    queue();
    flush.run(false, Deadline.never());
    assertTrue(flush.isIdle());
  }

  @Test
  void outputThatIsTakenWhileAnotherThreadLooksIsNotIdle() throws Exception {
    AtomicReference<@Nullable Flush> looked = new AtomicReference<>();
    FutureTask<Boolean> idle = new FutureTask<>(() -> looked.get().isIdle());
    Flush flush = flush(new ManualChannel(buffers -> {
      lock.unlock();
      try {
        idle.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new IOException(e);
      } finally {
        lock.lock();
      }
    }));
    looked.set(flush);
    try (var held = lock.hold()) {
      Thread.ofVirtual().start(idle);
      while (!lock.hasQueuedThreads()) {
        Thread.onSpinWait();
      }
      queue();
      flush.run(false, Deadline.never());
    }
    assertFalse(idle.get());
    assertTrue(flush.isIdle());
  }

  private long nextRound(Flush flush) {
    try (var held = lock.hold()) {
      return flush.nextRound();
    }
  }

  private boolean isWritten(Flush flush, long round) {
    try (var held = lock.hold()) {
      return flush.isWritten(round);
    }
  }

  @Test
  void whoHasNoTimeIsLetGoSooner() throws Exception {
    flushOfWhatNeverEnds().runAtOnce();
    assertLetsGoAfter(Flush.MOST_ROUNDS / 4);
  }
}
