package heddle.testkit.mock;

import heddle.codec.http2.frame.Settings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The streams of a mock server's connection: which are open, and what may be sent on them. */
final class MockStreams {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by lock.
  private final Map<Integer, Long> credit = new HashMap<>();
  private final Set<Integer> unprocessed = new HashSet<>();
  private long connectionWindow = Settings.INITIAL.initialWindowSize();
  private Settings settings = Settings.INITIAL;
  private int highest;
  private int refusedAbove = Integer.MAX_VALUE;
  private boolean closed;

  /** What the other side allows, from now on. */
  void settings(Settings theirs) {
    lock.lock();
    try {
      settings = theirs;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the stream is processed: it came before a GOAWAY. */
  boolean begin(int streamId) {
    lock.lock();
    try {
      if (streamId > refusedAbove) {
        return false;
      }
      highest = Math.max(highest, streamId);
      credit.putIfAbsent(streamId, 0L);
      return true;
    } finally {
      lock.unlock();
    }
  }

  void notProcessed(int streamId) {
    lock.lock();
    try {
      unprocessed.add(streamId);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The server goes away; returns the last stream that was or may be processed (RFC 9113 §6.8).
   *
   * @param processed whether this stream was
   */
  int goAway(int streamId, boolean processed) {
    lock.lock();
    try {
      int last = highest;
      while (last > 0 && unprocessed.contains(last)) {
        last -= 2;
      }
      refusedAbove = Math.min(refusedAbove, processed ? Math.max(last, streamId) : last);
      // A second GOAWAY must not raise what the first one said.
      return Math.max(0, refusedAbove);
    } finally {
      lock.unlock();
    }
  }

  boolean isOpen(int streamId) {
    lock.lock();
    try {
      return !closed && credit.containsKey(streamId);
    } finally {
      lock.unlock();
    }
  }

  void remove(int streamId) {
    lock.lock();
    try {
      credit.remove(streamId);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The connection is over. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void credit(int streamId, int increment) {
    lock.lock();
    try {
      if (streamId == 0) {
        connectionWindow += increment;
      } else {
        credit.computeIfPresent(streamId, (id, had) -> had + increment);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for credit and takes at most {@code wanted} bytes; negative if the stream is over. */
  int awaitCredit(int streamId, int wanted) throws IOException {
    lock.lock();
    try {
      while (!closed) {
        Long own = credit.get(streamId);
        if (own == null) {
          return -1;
        }
        long allowed = Math.min(connectionWindow, settings.initialWindowSize() + own);
        if (allowed > 0) {
          int count = (int) Math.min(Math.min(wanted, allowed), settings.maxFrameSize());
          connectionWindow -= count;
          credit.put(streamId, own - count);
          return count;
        }
        await();
      }
      return -1;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the other side has given the stream up. */
  void awaitEnd(int streamId) throws IOException {
    lock.lock();
    try {
      while (!closed && credit.containsKey(streamId)) {
        await();
      }
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // each caller is the loop around it
  private void await() throws IOException {
    try {
      changed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the other side");
    }
  }
}
