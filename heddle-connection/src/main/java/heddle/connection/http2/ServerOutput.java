package heddle.connection.http2;

import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.MemoryBudget;
import heddle.connection.MinimumRate;
import heddle.http.Headers;
import heddle.http.Status;
import heddle.transport.DeadlinePassedException;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a server's connection: the session's sending half, used under the ordering
 * lock, and the flush of its output, which needs no lock. Safe for use by many threads.
 */
final class ServerOutput implements Flush.Owner {
  /** Output up to this size is not counted, and more in steps of this size, as the queue grows. */
  private static final int FREE_BYTES = 4 * 1024;

  /** How much content may wait while the memory budget is used up: one frame. */
  private static final int LEAST_ROOM_BYTES = 16 * 1024;

  private final Http2ServerConnection connection;
  private final Http2Session session;
  private final OrderingLock lock = new OrderingLock();
  final Flush flush;

  // Guarded by the lock: the memory counted for output, and for encrypting what is being written;
  // how fast the peer opens its windows while content waits for them; how many threads wait, and
  // how many bytes have found room in total.
  private long heldBytes;
  private int encryptedBytes;
  private final MinimumRate.Progress windows;
  private int awaiting;
  private long sentBytes;

  ServerOutput(Http2ServerConnection connection) {
    this.connection = connection;
    this.session = connection.session;
    MinimumRate minRate = connection.limits.minRate();
    Duration silence = connection.limits.writeTimeout();
    this.flush = new Flush(connection.channel, session, lock, silence, minRate, this);
    this.windows = new MinimumRate.Progress(minRate, connection.now());
  }

  /** Writes the queued output; on the loop, what the peer accepts at once. */
  void flush() {
    if (connection.loop().inLoop()) {
      flush.runAtOnce();
    } else {
      flush.run(connection.isBusy(), Deadline.never());
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
    try (var held = lock.hold()) {
      if (!session.response(exchange.stream, status, fields, last && !hasContent)) {
        return false;
      }
      exchange.commit();
      exchange.content.continued();
      if (hasContent) {
        data(exchange, content, last);
      } else {
        countHeld();
      }
      return true;
    }
  }

  /** Queues as much content as there is room for; returns how much that is. */
  int queueContent(Http2ServerExchange exchange, ByteBuffer content, boolean last) {
    try (var held = lock.hold()) {
      return data(exchange, content, last);
    }
  }

  /**
   * Under the lock: queues content as {@link Http2Session#data} does. While the memory budget is
   * used up there is little room, so that content that peers do not read is not queued.
   */
  private int data(Http2ServerExchange exchange, ByteBuffer content, boolean endStream) {
    exchange.clearWritable();
    session.contentRoom(
        connection.memory.isExhausted() ? LEAST_ROOM_BYTES : Http2Session.CONTENT_ROOM_BYTES);
    exchange.lastRound = flush.nextRound();
    int taken = session.data(exchange.stream, content, endStream);
    sentBytes += taken;
    countHeld();
    return taken;
  }

  /**
   * Queues content as the peer opens its windows, and flushes before it waits for them. Returns
   * when all is queued.
   *
   * @throws DeadlinePassedException if the peer opens no window for the write timeout
   * @throws IOException if the stream has ended
   */
  void sendContent(Http2ServerExchange exchange, ByteBuffer content, boolean last)
      throws IOException {
    WindowWait wait = new WindowWait();
    while (!exchange.isCut()) {
      int taken = queueContent(exchange, content, last);
      if (!content.hasRemaining()) {
        return;
      }
      flush();
      if (taken == 0) {
        awaitWindow(exchange, wait);
      } else {
        wait.restart();
      }
    }
    throw Http2ServerExchange.gone();
  }

  /**
   * Queues the trailers of a response, or an end without any; returns false if the stream has
   * ended.
   *
   * @throws heddle.codec.HeadTooLargeException if the client takes fewer trailers
   * @throws IllegalArgumentException if they cannot be sent
   */
  boolean queueEnd(Http2ServerExchange exchange, Headers trailers) {
    try (var held = lock.hold()) {
      boolean queued = session.trailers(exchange.stream, trailers);
      countHeld();
      return queued;
    }
  }

  /** Under the lock: counts output that was queued, or is no longer held. */
  private void countHeld() {
    long now = Math.max(0, (long) session.heldOutput() + encryptedBytes - FREE_BYTES);
    long more = now - heldBytes;
    if (more >= FREE_BYTES) {
      connection.memory.hold(more);
      heldBytes = now;
    } else if (more <= -FREE_BYTES || (now == 0 && more < 0)) {
      connection.memory.release(-more);
      heldBytes = now;
    }
  }

  /**
   * How long the peer has kept the content of one response waiting. The time in which writers wait
   * for the peer does not count, as the flush limits that; a write that only happens to go on when
   * this is asked does, or the reset of one stream would prolong the waits of all the others. Used
   * by the answering thread.
   */
  private final class WindowWait {
    private long since;
    private long stalledBefore;

    private WindowWait() {
      restart();
    }

    /** The peer has taken some of the content. */
    void restart() {
      since = connection.now();
      stalledBefore = flush.stalledNanos();
    }

    private Deadline deadline() {
      long timeout = Deadline.boundedNanos(connection.limits.writeTimeout());
      return new Deadline(since + timeout + flush.stalledNanos() - stalledBefore);
    }
  }

  /**
   * Parks until there may be room for an exchange's content, or its stream has ended. May also
   * return if the peer opens windows for other streams.
   *
   * @throws DeadlinePassedException if the content has waited for the write timeout, or the peer
   *     opens its windows, those of all streams together, more slowly than the minimum rate
   */
  private void awaitWindow(Http2ServerExchange exchange, WindowWait wait) throws IOException {
    Deadline due = awaiting(1);
    try {
      exchange.awaitWritable(wait.deadline().earlier(due));
    } catch (DeadlinePassedException e) {
      if (wait.deadline().isPast(connection.loop().clock())
          || (!flush.isWriting() && isTooSlow())) {
        throw e;
      }
    } finally {
      awaiting(-1);
    }
  }

  /** Changes the number of waiting threads. Returns the deadline for the peer. */
  private Deadline awaiting(int more) {
    try (var held = lock.hold()) {
      if (awaiting == 0) {
        windows.skip(connection.now());
      }
      awaiting += more;
      boolean writing = flush.isWriting();
      windows.look(connection.now(), sentBytes, writing);
      return writing ? Deadline.never() : new Deadline(windows.dueAt());
    }
  }

  private boolean isTooSlow() {
    try (var held = lock.hold()) {
      windows.look(connection.now(), sentBytes);
      return windows.isTooSlow();
    }
  }

  /** On the loop: applies the effects of the input, credits bytes to the connection's window. */
  void settle(long credit) {
    boolean output;
    try (var held = lock.hold()) {
      output = session.settle();
      if (credit > 0) {
        output |= session.connectionConsumed(credit);
      }
      flush.wakeWriters();
      countHeld();
    }
    if (output) {
      flush();
    }
  }

  /** Ends a stream whose message is incomplete on either side. */
  void reset(Http2Stream stream, ErrorCode code) {
    try (var held = lock.hold()) {
      session.reset(stream, code);
      flush.wakeWriters();
    }
    flush();
  }

  /** Credits bytes to the windows of a stream and of the connection. */
  void consumed(Http2Stream stream, int bytes, long ofConnection) {
    boolean output;
    try (var held = lock.hold()) {
      output = session.consumed(stream, bytes);
      if (ofConnection > 0) {
        output |= session.connectionConsumed(ofConnection);
      }
    }
    if (output) {
      flush();
    }
  }

  /** Sends 100 (Continue) if the peer waits for it (RFC 9110 §10.1.1). */
  void sendContinue(Http2Stream stream, ReceivedContent content) {
    try (var held = lock.hold()) {
      if (!content.owesContinue()) {
        return;
      }
      content.continued();
      session.interim(stream, Status.CONTINUE, Headers.empty());
    }
    flush();
  }

  /**
   * Sends an informational response; nothing if the stream has ended.
   *
   * @throws IllegalArgumentException if it cannot be sent
   */
  void sendInterim(Http2Stream stream, Status status, Headers fields) {
    send(() -> session.interim(stream, status, fields));
  }

  boolean owesContinue(ReceivedContent content) {
    try (var held = lock.hold()) {
      return content.owesContinue();
    }
  }

  /** Sends what {@code queueing}, under the lock, makes the session queue. */
  void send(Runnable queueing) {
    try (var held = lock.hold()) {
      queueing.run();
    }
    flush();
  }

  /**
   * Whether no stream is open and none will be.
   *
   * @param ended whether the client has ended its output, and so opens no more
   */
  boolean isDrained(boolean ended) {
    try (var held = lock.hold()) {
      return ended ? session.openStreams() == 0 : session.isDrained();
    }
  }

  List<Http2Stream> openStreams() {
    try (var held = lock.hold()) {
      return session.streams();
    }
  }

  @Override
  public void onTaken(ByteBuffer @Nullable [] output) {
    encryptedBytes = output == null ? 0 : MemoryBudget.bytesToEncrypt(connection.channel, output);
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
    connection.onFlushed();
  }

  @Override
  public void onBroken() {
    // No answer can reach the peer any more.
    connection.channel.close();
  }
}
