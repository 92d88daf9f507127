package heddle.connection.http1;

import heddle.http.Headers;
import heddle.transport.Channel;
import heddle.transport.Deadline;
import heddle.transport.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A message's content on its way from the loop, which {@linkplain #append appends}, to the one
 * thread that {@linkplain #read reads} it. While more than a bound is waiting the channel's reading
 * is paused, so that the peer is slowed down to the reader's pace.
 *
 * <p>Threads: {@code append}, {@code end} and {@code fail} are the loop's; {@code read} belongs to
 * one reader at a time; {@code discard}, {@code isEnded} and {@code trailers} may be called by
 * anyone. The lock is held for a few instructions only, never while parked or in I/O, so the loop
 * may take it.
 */
final class InboundQueue {
  private final Channel channel;
  private final int bound;

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by lock: the chunks, where in the first of them the reader is, how many bytes wait.
  private final ArrayDeque<byte[]> chunks = new ArrayDeque<>(4);
  private int firstOffset;
  private long waiting;
  private boolean paused;
  private boolean discarded;

  /** Written under lock; also read without it, by a reader that is about to park. */
  private volatile boolean readable;

  /** Set once, on the loop: how the content ended. */
  private volatile @Nullable Ending ending;

  private volatile @Nullable Thread reader;

  private record Ending(Headers trailers, @Nullable IOException failure) {}

  /**
   * @param bound how many bytes may wait before the channel's reading is paused; what one read of
   *     the loop brings may come on top
   */
  InboundQueue(Channel channel, int bound) {
    this.channel = channel;
    this.bound = bound;
  }

  /** Copies all that remains in {@code bytes}. */
  void append(ByteBuffer bytes) {
    int length = bytes.remaining();
    if (length == 0) {
      return;
    }
    lock.lock();
    try {
      if (discarded) {
        bytes.position(bytes.limit());
        return;
      }
      byte[] chunk = new byte[length];
      bytes.get(chunk);
      chunks.add(chunk);
      waiting += length;
      readable = true;
      if (waiting > bound && !paused) {
        paused = true;
        channel.pauseReading();
      }
    } finally {
      lock.unlock();
    }
    wakeReader();
  }

  /** The content is complete. */
  void end(Headers trailers) {
    finish(new Ending(trailers, null));
  }

  /**
   * The content will not be complete: the reader gets what has come so far and then this failure.
   * Without effect when it has ended already.
   */
  void fail(IOException failure) {
    finish(new Ending(Headers.empty(), failure));
  }

  private void finish(Ending how) {
    if (ending != null) {
      return;
    }
    lock.lock();
    try {
      ending = how;
      readable = true;
    } finally {
      lock.unlock();
    }
    wakeReader();
  }

  private void wakeReader() {
    Thread parked = reader;
    if (parked != null) {
      channel.loop().unpark(parked);
    }
  }

  /**
   * Reads at least one byte, parking until there is one.
   *
   * @return how many bytes were read, -1 at the end
   * @throws IOException the failure, when the content broke off
   * @throws heddle.transport.DeadlinePassedException when the deadline passes first
   * @throws java.io.InterruptedIOException when the reader is interrupted; its flag is set again
   */
  int read(byte[] target, int offset, int length, Deadline deadline) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!readable) {
      reader = Thread.currentThread();
      try {
        Waiting.until(() -> readable, channel.loop(), deadline, "reading a body");
      } finally {
        reader = null;
      }
    }
    return take(target, offset, length);
  }

  private int take(byte[] target, int offset, int length) throws IOException {
    lock.lock();
    try {
      byte[] first = chunks.peek();
      if (first == null) {
        return endOrThrow();
      }
      int taken = Math.min(length, first.length - firstOffset);
      System.arraycopy(first, firstOffset, target, offset, taken);
      firstOffset += taken;
      waiting -= taken;
      if (firstOffset == first.length) {
        chunks.remove();
        firstOffset = 0;
      }
      readable = !chunks.isEmpty() || ending != null;
      resumeIfDrained();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private int endOrThrow() throws IOException {
    Ending how = ending;
    if (how != null && how.failure() != null) {
      throw how.failure();
    }
    if (discarded && how == null) {
      throw new IOException("the body was closed before it was read to its end");
    }
    return -1;
  }

  // Resuming under the lock keeps it in order with the pausing in append.
  private void resumeIfDrained() {
    if (paused && waiting <= bound / 2) {
      paused = false;
      channel.resumeReading();
    }
  }

  /** How many bytes can be read without waiting. */
  int available() {
    lock.lock();
    try {
      return (int) Math.min(waiting, Integer.MAX_VALUE);
    } finally {
      lock.unlock();
    }
  }

  /** Throws away what waits and what is still to come; a reader fails from now on. Idempotent. */
  void discard() {
    lock.lock();
    try {
      discarded = true;
      chunks.clear();
      firstOffset = 0;
      waiting = 0;
      readable = true;
      resumeIfDrained();
    } finally {
      lock.unlock();
    }
    wakeReader();
  }

  /** Whether the reading of the channel is paused because the reader is slow. */
  boolean isPaused() {
    lock.lock();
    try {
      return paused;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the content arrived completely; bytes of it may still wait for the reader. */
  boolean isComplete() {
    Ending how = ending;
    return how != null && how.failure() == null;
  }

  /**
   * The trailer section.
   *
   * @throws IllegalStateException before the content's end has arrived
   */
  Headers trailers() {
    Ending how = ending;
    if (how == null) {
      throw new IllegalStateException("trailers are known only when the body has been read");
    }
    return how.trailers();
  }
}
