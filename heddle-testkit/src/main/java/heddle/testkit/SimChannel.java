package heddle.testkit;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.WriteProgress;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated connection. It keeps the letter of {@link Channel} and punishes what the
 * contract forbids: a write on the loop, two writers at once, a second start, a listener that keeps
 * the loop's buffer.
 */
final class SimChannel implements Channel, Pipe.Receiver {
  /** Bytes before those of a message in the loop's buffer, so that an offset is never zero. */
  private static final int MARGIN = 7;

  /** What a listener that keeps the loop's buffer finds there afterwards. */
  private static final byte POISON = (byte) 0xDB;

  private final SimLoop loop;
  private final SimConnection connection;
  private final Direction reads;
  private final SocketAddress local;
  private final SocketAddress remote;

  // All guarded by the world's lock.
  private @Nullable ChannelListener listener;
  private boolean paused;
  private boolean closed;
  private @Nullable IOException cause;

  /** Touched on the loop alone. */
  private boolean heardClosed;

  private final WriteCounter writeProgress = new WriteCounter();

  SimChannel(
      SimLoop loop,
      SimConnection connection,
      Direction reads,
      SocketAddress local,
      SocketAddress remote) {
    this.loop = loop;
    this.connection = connection;
    this.reads = reads;
    this.local = local;
    this.remote = remote;
  }

  private Pipe in() {
    return connection.pipe(reads);
  }

  private Pipe out() {
    return connection.pipe(
        reads == Direction.TO_CLIENT ? Direction.TO_SERVER : Direction.TO_CLIENT);
  }

  // ---- Channel

  @Override
  public void start(ChannelListener newListener) {
    Objects.requireNonNull(newListener, "listener");
    loop.lock().lock();
    try {
      if (listener != null) {
        throw new IllegalStateException("the channel is started already");
      }
      listener = newListener;
      in().pump();
    } finally {
      loop.lock().unlock();
    }
    if (!isOpen()) {
      loop.execute(this::hearClosed);
    }
  }

  @Override
  public void write(ByteBuffer buffer, Deadline deadline) throws IOException {
    write(new ByteBuffer[] {buffer}, deadline);
  }

  @Override
  public void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
    boolean waits = !deadline.isPast(loop.clock());
    if (loop.inLoop() && waits) {
      throw new IllegalStateException("a write on the loop could park it");
    }
    if (waits) {
      loop.breathe();
    }
    enterWrite();
    try {
      for (ByteBuffer buffer : buffers) {
        while (!take(buffer)) {
          awaitWritable(deadline);
        }
      }
    } finally {
      loop.locked(() -> out().writer(null));
    }
    if (waits) {
      loop.breathe();
    }
  }

  private void awaitWritable(Deadline deadline) throws IOException {
    long since = loop.clock().nanoTime();
    try {
      Waiting.until(this::isWritable, loop, deadline, "writing to " + remote);
    } finally {
      writeProgress.waited(loop.clock().nanoTime() - since);
    }
  }

  @Override
  public WriteProgress writeProgress() {
    return writeProgress;
  }

  private void enterWrite() throws IOException {
    loop.lock().lock();
    try {
      if (out().hasWriter()) {
        throw new IllegalStateException("two threads write to one channel at the same time");
      }
      checkWritable();
      out().writer(Thread.currentThread());
    } finally {
      loop.lock().unlock();
    }
  }

  /** Hands over what the connection takes; whether that was all. */
  private boolean take(ByteBuffer buffer) throws IOException {
    loop.lock().lock();
    try {
      checkWritable();
      int before = buffer.remaining();
      out().take(buffer);
      writeProgress.took(before - buffer.remaining());
      return !buffer.hasRemaining();
    } finally {
      loop.lock().unlock();
    }
  }

  private void checkWritable() throws IOException {
    if (cause != null) {
      throw new IOException(cause.getMessage(), cause);
    }
    if (closed || out().isEnded()) {
      throw new ClosedChannelException();
    }
  }

  private boolean isWritable() {
    loop.lock().lock();
    try {
      return closed || out().isWritable();
    } finally {
      loop.lock().unlock();
    }
  }

  @Override
  public void pauseReading() {
    loop.locked(() -> paused = true);
  }

  @Override
  public void resumeReading() {
    loop.locked(() -> {
      paused = false;
      in().pump();
    });
  }

  @Override
  public void shutdownOutput() {
    loop.locked(() -> {
      if (!closed) {
        out().sendEnd();
      }
    });
  }

  @Override
  public void close() {
    loop.locked(() -> {
      if (closed) {
        return;
      }
      // A kernel answers unread bytes at a close with a reset; RFC 9293 §3.10.4 permits it.
      boolean unread = in().holdsUnreadBytes();
      finish(null);
      if (unread) {
        in().drop();
        out().sendReset();
      } else {
        out().sendEnd();
        in().pump();
      }
    });
  }

  @Override
  public boolean isOpen() {
    loop.lock().lock();
    try {
      return !closed;
    } finally {
      loop.lock().unlock();
    }
  }

  @Override
  public SocketAddress localAddress() {
    return local;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remote;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public String toString() {
    return "sim " + local + " -> " + remote;
  }

  // ---- closing

  /** Breaks the connection for both ends at once, as {@link SimConnection#reset} does. */
  @Override
  public void abort() {
    connection.reset();
  }

  private void finish(@Nullable IOException why) {
    closed = true;
    cause = why;
    out().wakeWriter();
    loop.schedule(loop.clock().nanoTime(), this::hearClosed);
  }

  /** Closes the channel at the end of its loop, which schedules nothing any more. */
  void closeAtEnd() {
    close();
    hearClosed();
  }

  private void hearClosed() {
    ChannelListener to = listener();
    if (to != null && !heardClosed) {
      heardClosed = true;
      to.onClosed(cause());
    }
  }

  private @Nullable ChannelListener listener() {
    loop.lock().lock();
    try {
      return listener;
    } finally {
      loop.lock().unlock();
    }
  }

  private @Nullable IOException cause() {
    loop.lock().lock();
    try {
      return cause;
    } finally {
      loop.lock().unlock();
    }
  }

  // ---- Pipe.Receiver

  @Override
  public boolean isReading() {
    return listener != null && !paused && !closed;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public int readLimit() {
    ChannelListener to = listener();
    return to == null ? Pipe.WHOLE : to.readLimit();
  }

  @Override
  public void hearBytes(byte[] from, int offset, int length) {
    ChannelListener to = Objects.requireNonNull(listener());
    // As from a socket: what is only copied comes in a direct buffer.
    ByteBuffer loopBuffer = length <= to.contentAhead()
        ? ByteBuffer.allocateDirect(MARGIN + length)
        : ByteBuffer.allocate(MARGIN + length);
    loopBuffer.position(MARGIN).put(from, offset, length).position(MARGIN);
    guarded(() -> to.onBytes(loopBuffer.slice()));
    for (int i = MARGIN; i < MARGIN + length; i++) {
      loopBuffer.put(i, POISON);
    }
  }

  @Override
  public void hearEnd() {
    ChannelListener to = Objects.requireNonNull(listener());
    guarded(to::onEnd);
  }

  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      loop.locked(() -> breakAndEnd(new IOException("the channel's listener failed: " + e, e)));
    }
  }

  private void breakAndEnd(IOException why) {
    if (!closed) {
      finish(why);
      out().sendEnd();
      in().pump();
    }
  }

  @Override
  public void breakWith(IOException why) {
    if (!closed) {
      finish(why);
      out().breakWith(why);
      out().drop();
    }
  }

  @Override
  public void failWrites(IOException why) {
    out().breakWith(why);
  }

  @Override
  public void bounce() {
    out().sendReset();
  }

  @Override
  public void resetAll() {
    connection.resetBoth();
  }
}
