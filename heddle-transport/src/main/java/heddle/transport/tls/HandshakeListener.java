package heddle.transport.tls;

import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import heddle.transport.tls.Records.NotTlsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Listens to a channel from its start. First it hands what the peer sends from the loop to the
 * thread that makes the handshake, and holds what comes after that; once the protected channel is
 * started, it passes all of it there.
 */
final class HandshakeListener implements ChannelListener {
  /** Above this, the peer has to wait. More than any flight of a handshake takes. */
  private static final int BOUND = 64 * 1024;

  /** What one read may bring, and may so be held on top of the bound. */
  private static final int READ_LIMIT = 16 * 1024;

  private final Channel channel;
  private final @Nullable AcceptedHandshake owner;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock: what waits, and whether the channel's reading is paused for the bound.
  private final Records records = new Records();
  private boolean pausing;

  // The loop's own.
  private @Nullable TlsChannel listener;
  private boolean inputSeen;
  private boolean closed;
  private @Nullable IOException closedFor;

  // Written on the loop: how many bytes the peer has sent, once they are held; what broke the
  // channel, if anything did; and after that, that no more will come.
  private volatile long received;
  private volatile @Nullable IOException cause;
  private volatile boolean ended;

  private volatile @Nullable Thread waiter;

  /**
   * @param owner learns what happens before the protected channel is started; null if the thread
   *     that makes the handshake learns all of it from {@link #awaitRecord}
   */
  HandshakeListener(Channel channel, @Nullable AcceptedHandshake owner) {
    this.channel = channel;
    this.owner = owner;
  }

  // ---- the loop's side

  /** Passes what came after the handshake, and all that follows, to the protected channel. */
  void turnTo(TlsChannel secure) {
    listener = secure;
    if (closed) {
      secure.onClosed(closedFor);
      return;
    }
    boolean done = false;
    try {
      boolean resume = moveTo(secure.heldRecords());
      if (resume || secure.heldRecords().size() > 0) {
        secure.goOn();
      }
      if (ended) {
        secure.onEnd();
      }
      done = true;
    } finally {
      if (!done) {
        secure.close();
      }
    }
  }

  /** Answers whether the channel's reading has to be resumed. */
  private boolean moveTo(Records next) {
    lock.lock();
    try {
      records.moveTo(next);
      return pausing;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int readLimit() {
    TlsChannel secure = listener;
    return secure == null ? READ_LIMIT : secure.readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    TlsChannel secure = listener;
    if (secure != null) {
      secure.onBytes(bytes);
    } else {
      append(bytes);
      noteInput();
    }
  }

  private void append(ByteBuffer bytes) {
    long count = received + bytes.remaining();
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
    received = count;
    wake();
  }

  @Override
  public void onEnd() {
    TlsChannel secure = listener;
    if (secure != null) {
      secure.onEnd();
    } else {
      end(null);
      noteInput();
    }
  }

  private void noteInput() {
    if (!inputSeen && owner != null) {
      inputSeen = true;
      owner.onFirstInput();
    }
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    closed = true;
    closedFor = why;
    TlsChannel secure = listener;
    if (secure != null) {
      secure.onClosed(why);
      return;
    }
    try {
      end(why);
    } finally {
      if (owner != null) {
        owner.onClosedEarly(why);
      }
    }
  }

  private void end(@Nullable IOException why) {
    if (!ended) {
      cause = why;
      ended = true;
      wake();
    }
  }

  private void wake() {
    Thread thread = waiter;
    if (thread != null) {
      channel.loop().unpark(thread);
    }
  }

  // ---- the side of the thread that makes the handshake

  /** Waits for a whole record; null when the peer has gone. */
  @Nullable
  ByteBuffer awaitRecord(Deadline deadline, String what) throws IOException {
    while (true) {
      boolean last = ended;
      long seen = received;
      ByteBuffer record = take();
      if (record != null || last) {
        return record;
      }
      waiter = Thread.currentThread();
      Waiting.until(() -> received != seen || ended, channel.loop(), deadline, what);
      waiter = null;
    }
  }

  private @Nullable ByteBuffer take() throws NotTlsException {
    lock.lock();
    try {
      ByteBuffer record = records.next(TlsBuffers.EMPTY);
      if (pausing && records.size() <= BOUND / 2) {
        pausing = false;
        channel.resumeReading();
      }
      return record;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until no more will come. */
  void awaitEnd(Deadline deadline, String what) throws IOException {
    waiter = Thread.currentThread();
    Waiting.until(() -> ended, channel.loop(), deadline, what);
    waiter = null;
  }

  long received() {
    return received;
  }

  @Nullable
  IOException cause() {
    return cause;
  }
}
