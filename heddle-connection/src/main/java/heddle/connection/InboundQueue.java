package heddle.connection;

import heddle.http.Headers;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A message's content on its way from the loop, which {@linkplain #append appends}, to the one
 * thread that {@linkplain #read reads} it. While more than a bound is waiting the feed is paused,
 * so that the peer is slowed down to the reader's pace.
 *
 * <p>Threads: {@code append}, {@code end} and {@code fail} are the loop's; {@code read} and {@code
 * available} belong to one reader at a time; the others may be called by anyone. The lock is held
 * for a few instructions only, never while parked or in I/O, so the loop may take it.
 */
final class InboundQueue {
  private static final byte[] NONE = {};

  /**
   * A piece that has to wait behind others is given at least so much room, for the pieces that
   * follow: else a peer that sends its content a byte at a time would make us hold thirty bytes for
   * each.
   */
  private static final int LEAST_ROOM_BYTES = 2048;

  /** Where the content comes from. */
  interface Feed {
    /** On the loop, and under the queue's lock: too much is unread. Must not block. */
    void pause();

    /** From any thread, and under the queue's lock: more may come. Must not block. */
    void resume();

    /**
     * From any thread: so many bytes that had been appended wait no longer, because the reader has
     * taken them or they are thrown away. For feeds that are held back by credit.
     */
    default void taken(int bytes) {}

    /**
     * On the reader's thread: nothing has come that it could read, so it is about to wait.
     *
     * @throws IOException when it would wait for nothing
     */
    default void awaited() throws IOException {}

    /** On the reader's thread: what to throw for a failure. */
    IOException explain(Exception failure);
  }

  private final Feed feed;
  private final EventLoop loop;
  private final int bound;

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by lock: the chunks that no reader has taken, all of them full but the last; how many
  // bytes they hold, and how many the last.
  private final ArrayDeque<byte[]> chunks = new ArrayDeque<>(4);
  private long waiting;
  private int lastFilled;
  private boolean paused;

  /** Whether there are chunks. Written under lock; also read without it, by the reader. */
  private volatile boolean filled;

  /** Written under lock, once. */
  private volatile boolean discarded;

  /** Set once, on the loop: how the content ended. */
  private volatile @Nullable Ending ending;

  private volatile @Nullable Thread reader;

  // The reader's own: the chunk it has taken, how far it is in it, and where it ends.
  private byte[] chunk = NONE;
  private int position;
  private int limit;

  /** The reader's own: the end, once it has come there. */
  private @Nullable Ending reached;

  private record Ending(Headers trailers, @Nullable Exception failure) {}

  /**
   * @param loop appends, and wakes the reader
   * @param bound how many bytes may wait before the feed is paused; what one read of the loop
   *     brings, and the chunk that the reader has begun, may come on top
   */
  InboundQueue(Feed feed, EventLoop loop, int bound) {
    this.feed = feed;
    this.loop = loop;
    this.bound = bound;
  }

  /** Takes all that remains in {@code bytes}; copied. */
  void append(ByteBuffer bytes) {
    int length = bytes.remaining();
    if (length == 0) {
      return;
    }
    if (add(bytes)) {
      wakeReader();
    } else {
      bytes.position(bytes.limit());
      feed.taken(length);
    }
  }

  private boolean add(ByteBuffer bytes) {
    lock.lock();
    try {
      if (discarded) {
        return false;
      }
      waiting += bytes.remaining();
      copy(bytes);
      filled = true;
      if (waiting > bound && !paused) {
        paused = true;
        feed.pause();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  // Under the lock.
  private void copy(ByteBuffer bytes) {
    byte[] last = chunks.peekLast();
    if (last != null) {
      int fits = Math.min(bytes.remaining(), last.length - lastFilled);
      bytes.get(last, lastFilled, fits);
      lastFilled += fits;
    }
    int rest = bytes.remaining();
    if (rest > 0) {
      byte[] next = loop.chunks().take(last == null ? rest : Math.max(rest, LEAST_ROOM_BYTES));
      bytes.get(next, 0, rest);
      chunks.add(next);
      lastFilled = rest;
    }
  }

  /** The content is complete. */
  void end(Headers trailers) {
    finish(new Ending(trailers, null));
  }

  /**
   * The content will not be complete: the reader gets what has come so far and then this failure.
   * Without effect when it has ended already.
   */
  void fail(Exception failure) {
    finish(new Ending(Headers.empty(), failure));
  }

  private void finish(Ending how) {
    if (ending != null) {
      return;
    }
    // Without the lock, so that the loop's last tasks, which may run under a lock of the loop's,
    // wait for nobody who holds it and asks the loop to resume.
    ending = how;
    wakeReader();
  }

  private void wakeReader() {
    Thread parked = reader;
    if (parked != null) {
      loop.unpark(parked);
    }
  }

  /**
   * Reads one byte, parking until there is one.
   *
   * @return the byte, -1 at the end
   * @throws IOException as the other {@code read} does
   */
  int read() throws IOException {
    return hasMore() ? chunk[position++] & 0xFF : -1;
  }

  /**
   * Reads at least one byte, parking until there is one.
   *
   * @return how many bytes were read, -1 at the end
   * @throws IOException the failure, when the content broke off, or when the queue was discarded
   * @throws java.io.InterruptedIOException when the reader is interrupted; its flag is set again
   */
  int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int taken = Math.min(length, limit - position);
    System.arraycopy(chunk, position, target, offset, taken);
    position += taken;
    return taken;
  }

  private boolean hasMore() throws IOException {
    Ending end = reached;
    if (end != null) {
      return endOrThrow(end);
    }
    if (position < limit && !discarded) {
      return true;
    }
    letGo();
    if (!isReadable()) {
      awaitReadable();
    }
    if (poll()) {
      feed.taken(limit);
      return true;
    }
    end = ending;
    if (discarded || end == null) {
      throw new IOException("the body was closed before it was read to its end");
    }
    reached = end;
    return endOrThrow(end);
  }

  /** The reader has done with its chunk, which can serve others while it waits for the next. */
  private void letGo() {
    byte[] done = chunk;
    chunk = NONE;
    position = 0;
    limit = 0;
    loop.chunks().give(done);
  }

  /** False at the end of complete content. */
  private boolean endOrThrow(Ending end) throws IOException {
    if (end.failure() != null) {
      throw feed.explain(end.failure());
    }
    return false;
  }

  /** Whether there are chunks, or will never be. */
  private boolean isReadable() {
    return filled || ending != null || discarded;
  }

  private void awaitReadable() throws IOException {
    feed.awaited();
    reader = Thread.currentThread();
    try {
      Waiting.until(this::isReadable, loop, Deadline.never(), "reading a body");
    } finally {
      reader = null;
    }
  }

  /** Takes the next chunk; false when there is none. */
  private boolean poll() {
    lock.lock();
    try {
      byte[] first = chunks.poll();
      chunk = first == null ? NONE : first;
      position = 0;
      limit = chunks.isEmpty() && first != null ? lastFilled : chunk.length;
      waiting -= limit;
      filled = !chunks.isEmpty();
      resumeIfDrained();
      return first != null;
    } finally {
      lock.unlock();
    }
  }

  // Resuming under the lock keeps it in order with the pausing in append.
  private void resumeIfDrained() {
    if (paused && waiting <= bound / 2) {
      paused = false;
      feed.resume();
    }
  }

  /** How many bytes can be read without waiting. */
  int available() {
    lock.lock();
    try {
      return (int) Math.min(waiting + limit - position, Integer.MAX_VALUE);
    } finally {
      lock.unlock();
    }
  }

  /** Throws away what waits and what is still to come; a reader fails from now on. Idempotent. */
  void discard() {
    int thrownAway;
    lock.lock();
    try {
      discarded = true;
      chunks.forEach(loop.chunks()::give);
      chunks.clear();
      thrownAway = (int) waiting;
      waiting = 0;
      filled = false;
      resumeIfDrained();
    } finally {
      lock.unlock();
    }
    if (thrownAway > 0) {
      feed.taken(thrownAway);
    }
    wakeReader();
  }

  /** Whether the feed is paused because the reader is slow. */
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
   * @throws IllegalStateException before the content's end has arrived, or when it never will
   */
  Headers trailers() {
    Ending how = ending;
    if (how == null || how.failure() != null) {
      throw new IllegalStateException(
          "trailers are known only when the body has been read to its end");
    }
    return how.trailers();
  }
}
