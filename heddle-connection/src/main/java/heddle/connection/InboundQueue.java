package heddle.connection;

import heddle.http.Headers;
import heddle.transport.ChunkPool;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A message's content on its way from the loop, which {@linkplain #append appends}, to the one
 * thread that {@linkplain #read reads} it. While more than a bound is waiting the source is paused,
 * so that the peer slows down to the reader's pace.
 *
 * <p>Threads: {@code append}, {@code end} and {@code fail} are the loop's; {@code read} and {@code
 * available} belong to one reader at a time; the others may be called on any thread. The lock is
 * held for a few instructions only, never while parked or in I/O, so the loop may take it.
 */
final class InboundQueue {
  private static final byte[] NONE = {};

  /**
   * A piece that waits behind others gets at least this much room, for those that follow: otherwise
   * each byte of a peer that sends them one by one would take thirty.
   */
  private static final int LEAST_ROOM_BYTES = 2048;

  private final InboundBody.Source source;
  private final EventLoop loop;
  private final int bound;

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by lock: the chunks that no reader has taken, all of them full but the last; how many
  // bytes they hold, how many have arrived in total, and how many the last holds.
  private final ArrayDeque<byte[]> chunks = new ArrayDeque<>(4);
  private long waiting;
  private long received;
  private int lastFilled;

  // Guarded by lock: how many bytes of the chunk that the reader has taken are not freed; whether
  // the source is paused, which is also read without the lock, and was since the last check.
  private int reading;
  private volatile boolean paused;
  private boolean wasPaused;

  // Written under lock: whether there are chunks; once, whether arriving content is discarded; and
  // once, whether the reader fails from now on.
  private volatile boolean filled;
  private volatile boolean unwanted;
  private volatile boolean discarded;

  /** Set once, on the loop: how the content ended. */
  private volatile @Nullable Ending ending;

  /** How many bytes were discarded on arrival. Used by the loop only, until the ending is known. */
  private long dropped;

  private volatile @Nullable Thread reader;

  // The reader's own: the chunk it has taken, its position in the chunk, the chunk's end, and how
  // the content ended, once the reader has reached that.
  private byte[] chunk = NONE;
  private int position;
  private int limit;
  private @Nullable Ending reached;

  private record Ending(Headers trailers, @Nullable Exception failure) {}

  /**
   * @param bound how many bytes may wait before the source is paused; one read of the loop, and the
   *     chunk that the reader has begun, may exceed it
   */
  InboundQueue(InboundBody.Source source, EventLoop loop, int bound) {
    this.source = source;
    this.loop = loop;
    this.bound = bound;
  }

  /**
   * Takes all that remains in {@code bytes}; copied. Returns false if they are discarded, as they
   * will not be read: the source is not notified of them.
   */
  boolean append(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      return true;
    }
    if (!unwanted && add(bytes)) {
      wakeReader();
      return true;
    }
    dropped += bytes.remaining();
    bytes.position(bytes.limit());
    return false;
  }

  private boolean add(ByteBuffer bytes) {
    lock.lock();
    try {
      if (unwanted) {
        return false;
      }
      waiting += bytes.remaining();
      received += bytes.remaining();
      copy(bytes);
      filled = true;
      if (waiting > bound && !paused) {
        paused = true;
        wasPaused = true;
        source.pause();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  // Under the lock.
  private void copy(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte[] last = chunks.peekLast();
      if (last == null || lastFilled == last.length) {
        last = newChunk(bytes.remaining());
        chunks.add(last);
        lastFilled = 0;
      }
      int fits = Math.min(bytes.remaining(), last.length - lastFilled);
      bytes.get(last, lastFilled, fits);
      lastFilled += fits;
    }
  }

  private byte[] newChunk(int rest) {
    int room = chunks.isEmpty() ? rest : Math.max(rest, LEAST_ROOM_BYTES);
    // A chunk is at least half full when it is made, so that memory is counted by its content.
    boolean large = room >= ChunkPool.LARGE_BYTES / 2;
    return loop.chunks()
        .take(Math.min(room, large ? ChunkPool.LARGE_BYTES : ChunkPool.SMALL_BYTES));
  }

  void end(Headers trailers) {
    finish(new Ending(trailers, null));
  }

  /** The reader gets the content received so far, and then this failure; unless it has ended. */
  void fail(Exception failure) {
    finish(new Ending(Headers.empty(), failure));
  }

  private void finish(Ending how) {
    if (ending == null) {
      // Without the lock: the loop's last tasks may run under a lock of the loop, and must not wait
      // for a thread that holds this lock and asks the loop to resume.
      ending = how;
      wakeReader();
    }
  }

  private void wakeReader() {
    Thread parked = reader;
    if (parked != null) {
      loop.unpark(parked);
    }
  }

  /** As the other {@code read}, of one byte; -1 at the end. */
  int read() throws IOException {
    return hasMore() ? chunk[position++] & 0xFF : -1;
  }

  /**
   * Reads at least one byte, parking until there is one; -1 at the end.
   *
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
    if (position < limit && !discarded) {
      return true;
    }
    if (reached == null) {
      letGo();
      await(() -> filled || isOver());
      if (poll()) {
        source.taken(limit);
        return true;
      }
    }
    return comeToEnd();
  }

  /** False at the end of complete content; only when nothing waits. */
  private boolean comeToEnd() throws IOException {
    Ending end = reached == null && !discarded ? ending : reached;
    if (end == null) {
      throw source.explain(new BodyClosedException());
    }
    reached = end;
    if (end.failure() != null) {
      throw source.explain(end.failure());
    }
    return false;
  }

  /** The reader is done with its chunk, which returns to the pool while it waits for the next. */
  private void letGo() {
    if (limit == 0) {
      return;
    }
    byte[] done = chunk;
    chunk = NONE;
    position = 0;
    limit = 0;
    loop.chunks().give(done);
    int freed;
    lock.lock();
    try {
      freed = reading;
      reading = 0;
    } finally {
      lock.unlock();
    }
    if (freed > 0) {
      source.freed(freed);
    }
  }

  /** Whether no more content will arrive, or it will not be read. */
  private boolean isOver() {
    return ending != null || discarded;
  }

  private void await(BooleanSupplier condition) throws IOException {
    if (condition.getAsBoolean()) {
      return;
    }
    source.awaited();
    reader = Thread.currentThread();
    try {
      park(condition);
    } finally {
      reader = null;
    }
  }

  /** The connection's timer ends the wait; if it does not fire, the source's limit does. */
  private void park(BooleanSupplier condition) throws IOException {
    long seen = -1;
    long since = 0;
    while (!condition.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while reading a body");
      }
      long now = loop.clock().nanoTime();
      long arrived = received + dropped; // Without the lock, since it need not be exact.
      if (arrived != seen) {
        seen = arrived;
        since = now;
      }
      long limit;
      try {
        limit = source.checkWait(since, now);
      } catch (IOException e) {
        throw source.explain(e);
      }
      loop.park(loop, limit);
    }
  }

  /**
   * Discards what waits and, on arrival, what is still to come, and parks until all has arrived.
   * Returns how many bytes that was; throws as {@code read} does.
   */
  long skip() throws IOException {
    if (reached != null) {
      comeToEnd();
      return 0;
    }
    long unread = (long) limit - position;
    letGo();
    unread += throwAway(false);
    await(this::isOver);
    comeToEnd();
    return unread + dropped;
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
      reading = limit;
      filled = !chunks.isEmpty();
      resumeIfDrained();
      return first != null;
    } finally {
      lock.unlock();
    }
  }

  // Under the lock, to keep it in order with the pausing in append.
  private void resumeIfDrained() {
    if (paused && waiting <= bound / 2) {
      paused = false;
      source.resume();
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

  /** Discards what waits and what is still to come; reading fails from now on. Idempotent. */
  void discard() {
    throwAway(true);
    wakeReader();
  }

  private int throwAway(boolean forGood) {
    int thrownAway;
    int freed;
    lock.lock();
    try {
      unwanted = true;
      discarded |= forGood;
      chunks.forEach(loop.chunks()::give);
      chunks.clear();
      thrownAway = (int) waiting;
      waiting = 0;
      freed = thrownAway + (forGood ? reading : 0);
      reading = forGood ? 0 : reading;
      filled = false;
      resumeIfDrained();
    } finally {
      lock.unlock();
    }
    if (thrownAway > 0) {
      source.taken(thrownAway);
    }
    if (freed > 0) {
      source.freed(freed);
    }
    return thrownAway;
  }

  /** How many bytes have been appended; what was dropped is counted at the end. */
  long received() {
    lock.lock();
    try {
      return received + (ending == null ? 0 : dropped);
    } finally {
      lock.unlock();
    }
  }

  boolean wasPaused() {
    lock.lock();
    try {
      boolean was = wasPaused;
      wasPaused = paused;
      return was;
    } finally {
      lock.unlock();
    }
  }

  boolean isPaused() {
    return paused;
  }

  /** Whether the content arrived completely; bytes of it may still wait for the reader. */
  boolean isComplete() {
    Ending how = ending;
    return how != null && how.failure() == null;
  }

  Headers trailers() {
    Ending how = ending;
    if (how == null || how.failure() != null) {
      throw new IllegalStateException(
          "trailers are known only when the body has been read to its end");
    }
    return how.trailers();
  }
}
