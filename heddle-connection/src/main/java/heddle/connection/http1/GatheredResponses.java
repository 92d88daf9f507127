package heddle.connection.http1;

import heddle.transport.Channel;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes the responses to requests that have arrived together. A short response waits for the one
 * behind it, to be written with it, but no longer than its own thread takes to have its turn again:
 * if the next response is not ready then, that thread writes what waits.
 *
 * <p>Used by the threads that answer these requests, which follow one another; each hands on to the
 * next once its response is gathered or written.
 */
final class GatheredResponses {
  /** More than this does not wait for the next response. */
  private static final int GATHERED_BYTES = 16 * 1024;

  /** Stands for an exchange while its thread writes what waits. */
  private static final Object WRITING = new Object();

  private final Http1ServerConnection connection;

  /** The exchange whose response is the last that waits, {@link #WRITING}, or null for none. */
  private final AtomicReference<@Nullable Object> last = new AtomicReference<>();

  /** The thread that waits until another has written; set before it looks at {@code last}. */
  private volatile @Nullable Thread waiter;

  /** What waits, from 0 to its position. Belongs to the thread that has cleared {@code last}. */
  private ByteBuffer waiting = ByteBuffer.allocate(1024);

  GatheredResponses(Http1ServerConnection connection) {
    this.connection = connection;
  }

  /** Writes what waits and then {@code output}. */
  void write(ByteBuffer... output) throws IOException {
    take();
    if (waiting.position() == 0) {
      connection.write(output);
    } else {
      writeWaiting(output);
    }
  }

  /** Writes what waits, before the connection is cut. */
  void writeRest() {
    try {
      take();
      if (waiting.position() > 0) {
        writeWaiting();
      }
    } catch (IOException e) {
      // The peer has gone or does not read, or this thread is interrupted: the channel is closed.
    }
  }

  private void writeWaiting(ByteBuffer... output) throws IOException {
    try {
      connection.write(behind(waiting.flip(), output));
    } finally {
      waiting.clear();
    }
  }

  /** Both, for one write. */
  static ByteBuffer[] behind(ByteBuffer first, ByteBuffer[] rest) {
    ByteBuffer[] all = new ByteBuffer[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  /** Has the end of a response wait for the next one if it is short, and else writes it. */
  void gather(Http1ServerExchange exchange, ByteBuffer... output) throws IOException {
    take();
    long length = waiting.position();
    for (ByteBuffer buffer : output) {
      length += buffer.remaining();
    }
    if (length > GATHERED_BYTES) {
      write(output);
      return;
    }
    if (length > waiting.capacity()) {
      int capacity = (int) Math.min(GATHERED_BYTES, 4 * length);
      waiting = ByteBuffer.allocate(capacity).put(waiting.flip());
    }
    for (ByteBuffer buffer : output) {
      waiting.put(buffer);
    }
    last.set(exchange);
  }

  /** What waits, if anything, is the calling thread's from now on. */
  private void take() throws IOException {
    Object holder = last.get();
    if (holder == WRITING || (holder != null && !last.compareAndSet(holder, null))) {
      awaitWritten();
    }
  }

  private void awaitWritten() throws IOException {
    Channel channel = connection.channel();
    waiter = Thread.currentThread();
    try {
      Waiting.until(
          () -> last.get() == null,
          channel.loop(),
          Deadline.never(),
          "waiting for the response before to be written");
    } finally {
      waiter = null;
    }
  }

  /**
   * Called by the thread of an exchange once the next one may be answered: lets that go first, and
   * writes the response if it still waits then. What cannot be written closes the channel.
   */
  @SuppressWarnings("ThreadPriorityCheck") // A matter of speed alone: nothing relies on it.
  void handedOn(Http1ServerExchange exchange) {
    if (last.get() != exchange) {
      return;
    }
    Thread.yield();
    if (last.compareAndSet(exchange, WRITING)) {
      writeTaken();
    }
  }

  private void writeTaken() {
    boolean written = false;
    try {
      writeWaiting();
      written = true;
    } catch (IOException e) {
      // The peer has gone or does not read: the channel is closed below.
    } finally {
      if (!written) {
        connection.channel().close();
      }
      last.set(null);
      Thread next = waiter;
      if (next != null) {
        connection.channel().loop().unpark(next);
      }
    }
  }
}
