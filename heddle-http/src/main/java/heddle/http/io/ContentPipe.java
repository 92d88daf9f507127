package heddle.http.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Content between the thread that writes it and the thread that reads it, with at most 64 KiB in
 * between. A writer calls {@link #output} or {@link #offer}. A {@link Producer} writes when the
 * reader asks for more. Each end can stop the other. An interrupt ends the waiting of either.
 * Thread-safe, for one reading thread at a time.
 */
public final class ContentPipe {
  private static final int CAPACITY = 64 * 1024;

  /** The pause before a producer that wrote nothing is asked again, if it wants to be. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final byte[] NO_RING = {};

  private final @Nullable Producer producer;
  private final InputStream input = new Input();
  private final OutputStream output = new Output();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What was {@linkplain #takeWhole taken} too early, and is read first. */
  private volatile @Nullable ByteBuffer before;

  /** Set before the content is read. */
  private volatile boolean opened;

  // Guarded by the lock; the volatile ones are also read without it.
  private byte[] ring = NO_RING; // allocated when bytes have to be kept
  private int start;
  private int count;
  private volatile boolean ended;
  private boolean abandoned;
  private volatile boolean refused;
  private boolean woken;
  private @Nullable Throwable abandonment;
  private volatile @Nullable Throwable failure;

  /** The thread that is asking the producer, and where it wants the bytes. */
  private @Nullable Thread asking;

  private @Nullable ByteBuffer wanted;

  /** Writes content. */
  @FunctionalInterface
  public interface Source {
    /**
     * Writes all of the content.
     *
     * @param out need not be flushed or closed
     * @throws IOException if writing fails, or the content cannot be produced
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes content when the reader asks for it. */
  @FunctionalInterface
  public interface Producer {
    /**
     * Called on the reading thread when everything was read. Writes with {@link #offer}, and calls
     * {@link #end} at the end.
     *
     * @return whether to ask again after a short pause if nothing was written; otherwise the
     *     reader waits for {@link #wake}, {@link #offer} or {@link #end}
     * @throws IOException fails the reader, as any other exception does
     */
    boolean produce() throws IOException;
  }

  /** A pipe that is written by threads of the writer. */
  public ContentPipe() {
    this(null);
  }

  /** A pipe whose reader asks for content. */
  public ContentPipe(@Nullable Producer producer) {
    this.producer = producer;
  }

  // ---- the writer's end

  /**
   * The writing end. Writing waits for the reader to make room; closing {@linkplain #end ends} the
   * content. If the reader has closed its end, writing fails.
   */
  public OutputStream output() {
    return output;
  }

  /**
   * Writes as many bytes as there is room for, without waiting. From any thread; within {@link
   * Producer#produce} the bytes go directly to the reader.
   *
   * @return the number of bytes taken, by which the position of the source has moved; 0 if there is
   *     no room, or the reader has closed its end
   */
  public int offer(ByteBuffer source) {
    lock.lock();
    try {
      // Bytes in the ring were written earlier, and go first.
      ByteBuffer direct = asking == Thread.currentThread() && count == 0 ? wanted : null;
      int moved = 0;
      if (direct != null) {
        moved = Math.min(source.remaining(), direct.remaining());
        direct.put(source.slice(source.position(), moved));
        source.position(source.position() + moved);
      }
      // During produce() the producer keeps the rest: it is asked again.
      if (direct == null && !abandoned) {
        moved = keep(source);
        changed.signalAll();
      }
      return moved;
    } finally {
      lock.unlock();
    }
  }

  /** Makes the reader ask the producer again. */
  public void wake() {
    change(() -> woken = true);
  }

  /** Ends the content. What was written is read first. */
  public void end() {
    change(() -> ended = true);
  }

  /**
   * Fails the reader, even if there is content that it has not read. It gets an {@code IOException}
   * itself, and any other throwable as the cause of one. Does nothing if the reader has closed its
   * end.
   */
  public void fail(Throwable reason) {
    change(() -> {
      if (failure == null && !abandoned) {
        failure = reason;
      }
    });
  }

  /** What the writer has failed with; null if it has not failed. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Whether a write has failed because the reader has closed its end. */
  public boolean hasRefused() {
    return refused;
  }

  /** Starts a virtual thread that writes the content and then ends or fails the pipe. */
  public void fillWith(Source source, String threadName) {
    Thread.ofVirtual().name(threadName).start(() -> {
      try {
        source.writeTo(output);
        end();
      } catch (IOException | RuntimeException | Error e) {
        fail(e);
      }
    });
  }

  /** Changes the state, and wakes the threads that wait for it. */
  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void write(ByteBuffer source) throws IOException {
    lock.lock();
    try {
      while (source.hasRemaining()) {
        awaitWhile(() -> count == CAPACITY && !abandoned && !ended && failure == null);
        if (abandoned) {
          refused = true;
          throw new IOException("the content is no longer read: the call is over", abandonment);
        }
        if (ended || failure != null) {
          throw new IOException("the content has ended", failure);
        }
        keep(source);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- the reader's end

  /** The reading end. One read takes all that was written. Closing it fails later writes. */
  public InputStream input() {
    opened = true;
    return input;
  }

  /** Whether the {@linkplain #input reading end} was asked for. */
  public boolean isOpened() {
    return opened;
  }

  /**
   * Closes the reading end.
   *
   * @param because the cause of the failure of later writes; null for none
   */
  public void abandon(@Nullable Throwable because) {
    change(() -> {
      if (!abandoned) {
        abandoned = true;
        abandonment = because;
        count = 0;
      }
    });
  }

  /**
   * Takes the whole content of a producer if it has it without waiting. Called before the content
   * is {@linkplain #input opened}. What was taken remains in the target, and is read first if the
   * content is opened afterwards.
   *
   * @param target has room for exactly the content
   * @return whether the content is complete and fills the target
   */
  public boolean takeWhole(ByteBuffer target) {
    int from = target.position();
    int last;
    do {
      last = target.position();
      var ignored = ask(target);
    } while (target.position() > last && !ended && failure == null);
    before = target.duplicate().limit(target.position()).position(from);
    lock.lock();
    try {
      return ended && failure == null && count == 0 && !target.hasRemaining();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what was taken early: it was sent from its own memory. */
  public void forgetWhole() {
    before = null;
  }

  /**
   * Reads and discards the rest, for a producer that must be run to its end even if the peer does
   * not want the content. If the content was opened, waits until its reader has closed it.
   *
   * @throws IOException if the producer fails, or the thread is interrupted
   */
  public void finish() throws IOException {
    lock.lock();
    try {
      awaitWhile(() -> opened && !abandoned);
      abandoned = false;
      if (ended) {
        return;
      }
    } finally {
      lock.unlock();
    }
    input.transferTo(OutputStream.nullOutputStream());
  }

  private int read(ByteBuffer target) throws IOException {
    int from = target.position();
    while (true) {
      int taken = takeKept(target, from);
      if (taken != 0) {
        return taken;
      }
      boolean again = ask(target);
      if (target.position() == from) {
        awaitContent(again);
      }
    }
  }

  /** Returns how many bytes the target has since this position; -1 at the end of the content. */
  private int takeKept(ByteBuffer target, int from) throws IOException {
    lock.lock();
    try {
      Throwable because = failure;
      if (because != null) {
        throw because instanceof IOException e
            ? e
            : new IOException("the content could not be written: " + because, because);
      }
      if (abandoned) {
        throw new IOException("the content is no longer read", abandonment);
      }
      takeKept(target);
      int taken = target.position() - from;
      return taken == 0 && ended ? -1 : taken;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for content, or only for a short pause if the producer wants to be asked again. */
  private void awaitContent(boolean again) throws IOException {
    BooleanSupplier waiting = () -> count == 0 && !woken && !ended && failure == null && !abandoned;
    lock.lock();
    try {
      awaitWhile(waiting, again ? PAUSE_NANOS : Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
  }

  /** Asks the producer once, if there is one. Returns whether it may be asked again soon. */
  private boolean ask(ByteBuffer target) {
    Producer asked = producer;
    if (asked == null) {
      return false;
    }
    askingFor(target);
    try {
      return asked.produce();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      return false;
    } finally {
      askingFor(null);
    }
  }

  private void askingFor(@Nullable ByteBuffer target) {
    lock.lock();
    try {
      woken &= target == null;
      wanted = target;
      asking = target == null ? null : Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  // ---- the content in between. The caller holds the lock.

  private int keep(ByteBuffer source) {
    if (ring == NO_RING && source.hasRemaining()) {
      ring = new byte[CAPACITY];
    }
    int all = Math.min(source.remaining(), CAPACITY - count);
    for (int left = all; left > 0; ) {
      int at = (start + count) % CAPACITY;
      int now = Math.min(left, CAPACITY - at);
      source.get(ring, at, now);
      count += now;
      left -= now;
    }
    return all;
  }

  private void takeKept(ByteBuffer target) {
    ByteBuffer early = before;
    if (early != null && early.hasRemaining()) {
      int now = Math.min(early.remaining(), target.remaining());
      target.put(early.slice(early.position(), now));
      early.position(early.position() + now);
    }
    boolean wasFull = count == CAPACITY;
    while (count > 0 && target.hasRemaining()) {
      int now = Math.min(Math.min(count, CAPACITY - start), target.remaining());
      target.put(ring, start, now);
      start = (start + now) % CAPACITY;
      count -= now;
    }
    if (wasFull) {
      changed.signalAll();
    }
  }

  private void awaitWhile(BooleanSupplier waiting) throws InterruptedIOException {
    awaitWhile(waiting, Long.MAX_VALUE);
  }

  private void awaitWhile(BooleanSupplier waiting, long nanos) throws InterruptedIOException {
    try {
      for (long left = nanos; left > 0 && waiting.getAsBoolean(); ) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      throw Interrupts.restored("interrupted while the content was sent", e);
    }
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      ContentPipe.this.write(ByteBuffer.wrap(source, offset, size));
    }

    @Override
    public void close() {
      end();
    }
  }

  private final class Input extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      Objects.checkFromIndexSize(offset, size, target.length);
      return size == 0 ? 0 : ContentPipe.this.read(ByteBuffer.wrap(target, offset, size));
    }

    @Override
    public void close() {
      abandon(null);
    }
  }
}
