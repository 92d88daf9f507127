package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import heddle.transport.tls.Records.NotTlsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the peer sends during the handshake, on its way from the loop to the thread that makes the
 * handshake; also holds what comes after it until the protected channel has a listener.
 */
final class HandshakeInput {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Above this, the peer has to wait. More than any flight of a handshake takes. */
  private static final int BOUND = 64 * 1024;

  /** What one read may bring, and may so be held on top of the bound. */
  static final int READ_LIMIT = 16 * 1024;

  private final Channel channel;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock. */
  private final RecordAssembler records = new RecordAssembler();

  /** Guarded by lock: whether the channel's reading is paused for the bound. */
  private boolean pausing;

  /** The loop's own. */
  private long arrived;

  /** Written on the loop, after what it counts is there. */
  private volatile long received;

  /** Written on the loop: no more will come. */
  private volatile boolean ended;

  /** Written on the loop before {@code ended}. */
  private volatile @Nullable IOException cause;

  private volatile @Nullable Thread waiter;

  HandshakeInput(Channel channel) {
    this.channel = channel;
  }

  // ---- the loop's side

  void append(ByteBuffer bytes) {
    int count = bytes.remaining();
    lock.lock();
    try {
      records.hold(bytes);
      if (!pausing && records.size() > BOUND) {
        pausing = true;
        channel.pauseReading();
      }
    } finally {
      lock.unlock();
    }
    arrived += count;
    received = arrived;
    wake();
  }

  /**
   * No more will come.
   *
   * @param why null when the peer has ended, or we have closed, the channel
   */
  void end(@Nullable IOException why) {
    if (!ended) {
      cause = why;
      ended = true;
      wake();
    }
  }

  /**
   * After the handshake, on the loop: what came behind it.
   *
   * @return whether the channel's reading has to be resumed
   */
  boolean moveTo(RecordAssembler next) {
    lock.lock();
    try {
      records.moveTo(next);
      return pausing;
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    Thread thread = waiter;
    if (thread != null) {
      channel.loop().unpark(thread);
    }
  }

  // ---- the side of the thread that makes the handshake

  /**
   * Waits for a whole record.
   *
   * @return null when the peer has gone
   */
  @Nullable
  ByteBuffer awaitRecord(Deadline deadline, String what) throws IOException {
    EventLoop loop = channel.loop();
    while (true) {
      boolean last = ended;
      long seen = received;
      ByteBuffer record = take();
      if (record != null || last) {
        return record;
      }
      waiter = Thread.currentThread();
      Waiting.until(() -> received != seen || ended, loop, deadline, what);
      waiter = null;
    }
  }

  /** Waits until no more will come. */
  void awaitEnd(Deadline deadline, String what) throws IOException {
    waiter = Thread.currentThread();
    Waiting.until(() -> ended, channel.loop(), deadline, what);
    waiter = null;
  }

  private @Nullable ByteBuffer take() throws NotTlsException {
    lock.lock();
    try {
      ByteBuffer record = records.next(NOTHING);
      if (pausing && records.size() <= BOUND / 2) {
        pausing = false;
        channel.resumeReading();
      }
      return record;
    } finally {
      lock.unlock();
    }
  }

  /** How many bytes the peer has sent so far. */
  long received() {
    return received;
  }

  /** What broke the channel, if anything did. */
  @Nullable
  IOException cause() {
    return cause;
  }
}
