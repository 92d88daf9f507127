package heddle.connection.http2;

import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.ConnectionMemory;
import heddle.connection.MemoryBudget;
import heddle.connection.MinimumRate;
import heddle.connection.ServerLimits;
import heddle.http.Headers;
import heddle.http.Status;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a server's connection: the session's sending half, used under the ordering
 * lock, and the flush of its output, which needs no lock.
 *
 * <p>Safe for use by many threads. The loop writes what the peer accepts at once and leaves the
 * rest to a new thread.
 */
final class ServerOutput implements Flush.Owner {
  /** Output up to this size is not counted, and more in steps of this size, as the queue grows. */
  private static final int FREE_BYTES = 4 * 1024;

  /** How much content may wait while the memory budget is used up: one frame. */
  private static final int LEAST_ROOM_BYTES = 16 * 1024;

  private final Channel channel;
  private final Http2Session session;
  private final ConnectionMemory memory;
  private final BooleanSupplier othersAnswer;
  private final Runnable onFlushed;
  private final Flush flush;

  /** Orders the output; guards the session's sending half. Never held while writing. */
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock: the memory counted for output, and for encrypting the output being written.
  private long heldBytes;
  private int encryptedBytes;

  // How fast the peer opens its windows, while content waits for them; guarded by lock: how many
  // threads wait, and how many bytes have found room in total.
  private final MinimumRate.Progress windows;
  private int awaiting;
  private long sentBytes;

  /**
   * @param memory where output that is queued or being written is counted
   * @param othersAnswer whether requests are being answered
   * @param onFlushed run, without the lock, when all was written
   */
  ServerOutput(
      Channel channel,
      Http2Session session,
      ServerLimits limits,
      ConnectionMemory memory,
      BooleanSupplier othersAnswer,
      Runnable onFlushed) {
    this.channel = channel;
    this.session = session;
    this.memory = memory;
    this.othersAnswer = othersAnswer;
    this.onFlushed = onFlushed;
    this.flush = new Flush(channel, session, lock, limits.writeTimeout(), limits.minRate(), this);
    this.windows = new MinimumRate.Progress(limits.minRate(), now());
  }

  /** Writes the queued output. */
  void flush() {
    if (channel.loop().inLoop()) {
      flush.runAtOnce();
    } else {
      flush.run(othersAnswer.getAsBoolean(), Deadline.never());
    }
  }

  /**
   * Queues the head of a response, and as much of its content as there is room for; returns false
   * if the stream has ended.
   *
   * @param last whether the response ends with the content
   * @throws IllegalArgumentException if the head cannot be sent
   */
  boolean queueHead(
      Http2ServerExchange exchange,
      Status status,
      Headers fields,
      ByteBuffer content,
      boolean last) {
    boolean hasContent = content.hasRemaining();
    lock.lock();
    try {
      if (!session.response(exchange.stream(), status, fields, last && !hasContent)) {
        return false;
      }
      exchange.commit();
      exchange.content().continued();
      if (hasContent) {
        data(exchange, content, last);
      } else {
        countHeld();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Queues as much content as there is room for; returns how much that is. */
  int queueContent(Http2ServerExchange exchange, ByteBuffer content, boolean last) {
    lock.lock();
    try {
      return data(exchange, content, last);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Under the lock: queues content as {@link Http2Session#data} does. While the memory budget is
   * used up there is little room, so that content that peers do not read is not queued.
   */
  private int data(Http2ServerExchange exchange, ByteBuffer content, boolean endStream) {
    exchange.clearWritable();
    session.contentRoom(memory.isExhausted() ? LEAST_ROOM_BYTES : Http2Session.CONTENT_ROOM_BYTES);
    int taken = session.data(exchange.stream(), content, endStream);
    sentBytes += taken;
    countHeld();
    return taken;
  }

  /**
   * Queues the trailers of a response, or an end without any; returns false if the stream has
   * ended.
   *
   * @throws heddle.codec.HeadTooLargeException if the client takes fewer trailers
   * @throws IllegalArgumentException if they cannot be sent
   */
  boolean queueEnd(Http2ServerExchange exchange, Headers trailers) {
    lock.lock();
    try {
      boolean queued = session.trailers(exchange.stream(), trailers);
      if (queued) {
        countHeld();
      }
      return queued;
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock: counts output that was queued, or is no longer held. */
  private void countHeld() {
    long now = Math.max(0, (long) session.heldOutput() + encryptedBytes - FREE_BYTES);
    long more = now - heldBytes;
    if (more >= FREE_BYTES) {
      memory.hold(more);
      heldBytes = now;
    } else if (more <= -FREE_BYTES || (now == 0 && more < 0)) {
      memory.release(-more);
      heldBytes = now;
    }
  }

  /**
   * Parks until there may be room for an exchange's content, or its stream has ended. May also
   * return if the peer opens windows for other streams. While output is being written the flush
   * limits how slowly the peer may read.
   *
   * @throws DeadlinePassedException if the deadline passes, or the peer opens its windows, those of
   *     all streams together, more slowly than the minimum rate
   */
  void awaitWindow(Http2ServerExchange exchange, Deadline deadline) throws IOException {
    Deadline due = awaiting(1);
    try {
      exchange.awaitWritable(deadline.earlier(due));
    } catch (DeadlinePassedException e) {
      if (!isWriting() && (isTooSlow() || deadline.isPast(channel.loop().clock()))) {
        throw e;
      }
    } finally {
      awaiting(-1);
    }
  }

  /** Changes the number of waiting threads. Returns the deadline for the peer. */
  private Deadline awaiting(int more) {
    lock.lock();
    try {
      if (awaiting == 0) {
        windows.skip(now());
      }
      awaiting += more;
      boolean writing = isWriting();
      windows.look(now(), sentBytes, writing);
      return writing ? Deadline.never() : new Deadline(windows.dueAt());
    } finally {
      lock.unlock();
    }
  }

  private boolean isTooSlow() {
    lock.lock();
    try {
      windows.look(now(), sentBytes);
      return windows.isTooSlow();
    } finally {
      lock.unlock();
    }
  }

  private long now() {
    return channel.loop().clock().nanoTime();
  }

  /** Whether a thread writes, so that the limits of {@link Flush} apply to the peer. */
  boolean isWriting() {
    return flush.isWriting();
  }

  /** Whether all was written. */
  boolean isFlushed() {
    return flush.isIdle();
  }

  /**
   * On the loop: applies the effects of the input on the output.
   *
   * @param credit what to credit to the connection's window
   */
  void settle(long credit) {
    boolean output;
    lock.lock();
    try {
      output = session.settle();
      if (credit > 0) {
        output |= session.connectionConsumed(credit);
      }
      wakeWriters();
      countHeld();
    } finally {
      lock.unlock();
    }
    if (output) {
      flush();
    }
  }

  /** Ends a stream whose message is incomplete on either side. */
  void reset(Http2Stream stream, ErrorCode code) {
    lock.lock();
    try {
      session.reset(stream, code);
      wakeWriters();
    } finally {
      lock.unlock();
    }
    flush();
  }

  /** Credits bytes to the windows of a stream and of the connection. */
  void consumed(Http2Stream stream, int bytes, long ofConnection) {
    boolean output;
    lock.lock();
    try {
      output = session.consumed(stream, bytes);
      if (ofConnection > 0) {
        output |= session.connectionConsumed(ofConnection);
      }
    } finally {
      lock.unlock();
    }
    if (output) {
      flush();
    }
  }

  /** Sends 100 (Continue) if the peer waits for it (RFC 9110 §10.1.1). */
  void sendContinue(Http2Stream stream, ReceivedContent content) {
    lock.lock();
    try {
      if (!content.owesContinue()) {
        return;
      }
      content.continued();
      session.interim(stream, Status.CONTINUE, Headers.empty());
    } finally {
      lock.unlock();
    }
    flush();
  }

  boolean owesContinue(ReceivedContent content) {
    lock.lock();
    try {
      return content.owesContinue();
    } finally {
      lock.unlock();
    }
  }

  void drain() {
    lock.lock();
    try {
      session.drain();
    } finally {
      lock.unlock();
    }
    flush();
  }

  void ping(long data) {
    lock.lock();
    try {
      session.ping(data);
    } finally {
      lock.unlock();
    }
    flush();
  }

  void goAway(ErrorCode code, String why) {
    lock.lock();
    try {
      session.goAway(code, why);
    } finally {
      lock.unlock();
    }
    flush();
  }

  /** Whether no stream is open. */
  boolean isIdle() {
    lock.lock();
    try {
      return session.openStreams() == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Whether no stream is open and none will be. */
  boolean isDrained() {
    lock.lock();
    try {
      return session.isDrained();
    } finally {
      lock.unlock();
    }
  }

  List<Http2Stream> openStreams() {
    lock.lock();
    try {
      return session.streams();
    } finally {
      lock.unlock();
    }
  }

  // Under the lock.
  private void wakeWriters() {
    Http2Stream stream = session.pollWritable();
    while (stream != null) {
      onWritable(stream);
      stream = session.pollWritable();
    }
  }

  @Override
  public void onTaken(ByteBuffer @Nullable [] output) {
    encryptedBytes = output == null ? 0 : MemoryBudget.bytesToEncrypt(channel, output);
    countHeld();
  }

  @Override
  public void onWritable(Http2Stream stream) {
    if (stream.attachment() instanceof Http2ServerExchange exchange) {
      exchange.onWritable();
    }
  }

  @Override
  public void onFlushed() {
    onFlushed.run();
  }

  @Override
  public void onBroken() {
    // No answer can reach the peer any more.
    channel.close();
  }
}
