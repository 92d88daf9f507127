package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Request;
import heddle.transport.ChunkPool;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for what a loop does not bring. */
@Timeout(60)
class WaitLimitTest {
  private static final long MARGIN = EventLoop.PARK_MARGIN_NANOS;
  private static final Duration SILENCE = Duration.ofNanos(1_000);

  @Test
  void aCallWithoutLimitsMayWaitForEver() throws Exception {
    OneExchange unlimited = new OneExchange(Request.get("http://a.test/"));
    assertEquals(Deadline.NEVER_NANOS, WaitLimit.check(unlimited, false, 0, Long.MAX_VALUE - 1));
  }

  @Test
  void twiceTheSilenceAndAMarginAreBorne() throws Exception {
    assertEquals(2_500, WaitLimit.check(SILENCE, 500, 2_499 + MARGIN));
    assertThrows(
        DeadlinePassedException.class, () -> WaitLimit.check(SILENCE, 500, 2_500 + MARGIN));
  }

  @Test
  void aReaderOfABodyEndsItsWaitByItselfWhenTheLoopDoesNot() {
    InboundQueue queue = new InboundQueue(new SilentFeed(), new DeadLoop(), 100);
    IOException failure = assertThrows(IOException.class, queue::read);
    assertEquals("explained", failure.getMessage());
    assertEquals(DeadlinePassedException.class, failure.getCause().getClass());
  }

  @Test
  void aReaderOfABodyCanBeInterrupted() {
    InboundQueue queue = new InboundQueue(new FakeFeed(), new DeadLoop(), 100);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, queue::read);
    assertTrue(Thread.interrupted());
  }

  /** Allows no silence. */
  private static final class SilentFeed implements InboundBody.Source {
    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public long checkWait(long since, long now) throws IOException {
      return WaitLimit.check(Duration.ZERO, since, now);
    }

    @Override
    public IOException explain(Exception failure) {
      return new IOException("explained", failure);
    }
  }

  /** A loop whose thread is gone: no timer fires and no thread is woken. */
  private static final class DeadLoop implements EventLoop {
    @Override
    public void execute(Runnable task) {}

    @Override
    public boolean inLoop() {
      return false;
    }

    @Override
    public Timer newTimer(Runnable onFire) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void unpark(Thread thread) {}

    @Override
    public void park(Object blocker, long untilNanos) {
      LockSupport.parkNanos(blocker, untilNanos - clock().nanoTime() + PARK_MARGIN_NANOS);
    }

    @Override
    public Clock clock() {
      return Clock.system();
    }

    @Override
    public ChunkPool chunks() {
      return new ChunkPool();
    }
  }
}
