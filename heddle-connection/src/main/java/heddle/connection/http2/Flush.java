package heddle.connection.http2;

import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.connection.MinimumRate;
import heddle.connection.TimedWriter;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.SafeLog;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a session has queued. A thread queues output under the ordering lock, releases the
 * lock, and then competes to write: the winner writes all that is queued in one gathering write,
 * and checks again when it is done; the others return. So what many threads send at about the same
 * time is written together, and no thread holds a lock while writing.
 *
 * <p>Safe for use by many threads; the loop may only {@linkplain #runAtOnce write at once}.
 */
final class Flush {
  /** The rounds that a thread writes, also for others, before another thread takes over. */
  static final int MOST_ROUNDS = 64;

  /** The same for a thread that must not be kept long, such as the loop. */
  private static final int MOST_ROUNDS_AT_ONCE = 8;

  /** A write that takes as long waits for the peer. */
  private static final long LONG_WRITE_NANOS = 100_000_000;

  /** Another thread has taken over, or writing was abandoned. */
  private static final int STOPPED = -1;

  /** The connection that owns the output. */
  interface Owner {
    /** Under the lock: {@code output}, null for none, is about to be written; earlier is done. */
    default void onTaken(ByteBuffer @Nullable [] output) {}

    /** Under the lock: the stream may take content again. */
    void onWritable(Http2Stream stream);

    /** Without the lock, on the thread that wrote: nothing is left to write for the moment. */
    void onFlushed();

    /**
     * Without the lock, on the thread that wrote: the peer accepts nothing more. The owner decides
     * whether to read what the peer has sent, and closes the channel.
     */
    void onBroken();
  }

  private static final System.Logger LOG = System.getLogger(Flush.class.getName());

  private final Channel channel;
  private final Http2Session session;
  private final OrderingLock lock;
  private final Owner owner;
  private final TimedWriter timedWriter; // used by the thread that writes

  /** Whether a thread has won and writes. The thread that clears it checks the session again. */
  private final AtomicBoolean writing = new AtomicBoolean();

  // Guarded by the lock: how many rounds of output were taken for writing; whether a write has
  // failed, so that output taken from now on is not written; the first round that was not written
  // completely.
  private long taken;
  private boolean broken;
  private long lost = Long.MAX_VALUE;

  /** How many rounds were written or abandoned. Set by the thread that writes. */
  private volatile long done;

  // Set by the thread that writes: when the present write began, NEVER_NANOS if there is none, and
  // how long writers had waited for the peer in all when the last write ended.
  private volatile long writesSince = Deadline.NEVER_NANOS;
  private volatile long stalled;

  /**
   * @param maxSilence how long the peer may accept no byte before the channel is closed
   * @param minRate how fast the peer must read overall, or the channel is closed
   */
  Flush(
      Channel channel,
      Http2Session session,
      OrderingLock lock,
      Duration maxSilence,
      MinimumRate minRate,
      Owner owner) {
    this.channel = channel;
    this.session = session;
    this.lock = lock;
    this.owner = owner;
    channel.writeProgress().restart();
    this.timedWriter = new TimedWriter(channel, maxSilence, minRate);
  }

  /**
   * Ensures that the calling thread's queued output is written, by this thread or by the one that
   * is writing already. Returns early, and leaves the rest to a new thread, if the calling thread
   * is interrupted or its patience ends in the middle of a write, or if others keep queueing
   * output. Does not throw: the {@linkplain Owner#onBroken owner} handles a channel that fails.
   *
   * @param others whether others are likely to queue output soon, so that a short wait pays off
   * @param patience until when the calling thread may be kept
   */
  void run(boolean others, Deadline patience) {
    compete(others, patience, MOST_ROUNDS);
  }

  private void compete(boolean others, Deadline patience, int mostRounds) {
    boolean yield = others;
    int rounds = mostRounds;
    while (writing.compareAndSet(false, true)) {
      if (yield) {
        letOthersQueue();
        yield = false;
      }
      rounds = writeAll(null, patience, rounds);
      if (rounds == STOPPED) {
        return;
      }
      owner.onFlushed();
      if (!hasOutput()) {
        return;
      }
    }
  }

  /**
   * As {@link #run}, without waiting for the peer: output that the socket does not accept at once
   * is left to a new thread. For the loop, and for threads that must not wait.
   */
  void runAtOnce() {
    compete(false, Deadline.atOnce(), MOST_ROUNDS_AT_ONCE);
  }

  // Output that other exchanges queue meanwhile goes into the same write: a system call and a
  // segment carry forty messages as cheaply as one.
  @SuppressWarnings("ThreadPriorityCheck") // For speed only: nothing relies on it.
  private static void letOthersQueue() {
    Thread.yield();
  }

  /** Under the lock: the round in which what is queued now will be written. */
  long nextRound() {
    return taken + 1;
  }

  /** Under the lock: whether writing a round has begun. Never, once a write has failed. */
  boolean isTaken(long round) {
    return round <= taken;
  }

  /** Whether a round was written, or never will be because the channel is broken. */
  boolean isDone(long round) {
    return round <= done;
  }

  /** Under the lock: whether a round was written completely, as far as this side can tell. */
  boolean isWritten(long round) {
    return isDone(round) && round < lost;
  }

  /** Whether nothing is queued and nothing is being written. */
  boolean isIdle() {
    // Under the lock, or a thread could take the output after the first look, before the second.
    try (var held = lock.hold()) {
      return !writing.get() && !session.hasOutput();
    }
  }

  /** Whether a thread writes, so that the limits of this class apply to the peer. */
  boolean isWriting() {
    return writing.get();
  }

  /**
   * How long writers have waited for the peer in all, with a write that goes on if it is a long
   * one. From any thread.
   */
  long stalledNanos() {
    long since = writesSince; // Read first: a write that ends meanwhile may count twice, not never.
    long before = stalled;
    long present = since == Deadline.NEVER_NANOS ? 0 : channel.loop().clock().nanoTime() - since;
    return present < LONG_WRITE_NANOS ? before : before + present;
  }

  private boolean hasOutput() {
    try (var held = lock.hold()) {
      return session.hasOutput();
    }
  }

  /**
   * Writes until nothing is left. If that fails, for lack of memory or threads, the channel is
   * closed, because no other thread would ever write.
   *
   * @param begun output that is partly written
   * @param mostRounds after this many rounds another thread takes over
   * @return how many rounds are left, or {@link #STOPPED}
   */
  private int writeAll(ByteBuffer @Nullable [] begun, Deadline patience, int mostRounds) {
    int rounds = mostRounds;
    try {
      ByteBuffer @Nullable [] output = begun == null ? take(null) : begun;
      while (output != null) {
        if (rounds == 0) {
          goOnElsewhere(output);
          return STOPPED;
        }
        if (!write(output, patience)) {
          return STOPPED;
        }
        rounds--;
        output = take(output);
      }
      writing.set(false);
      return rounds;
    } catch (RuntimeException | Error e) {
      letGo();
      SafeLog.log(LOG, System.Logger.Level.ERROR, "Writing is given up to ", channel, e);
      return STOPPED;
    }
  }

  private ByteBuffer @Nullable [] take(ByteBuffer @Nullable [] written) {
    try (var held = lock.hold()) {
      if (written != null) {
        session.recycle(written);
        done = taken;
      }
      ByteBuffer @Nullable [] output = session.takeOutput();
      owner.onTaken(output);
      if (output != null && !broken) {
        taken++;
      }
      wakeWriters();
      return output;
    }
  }

  /** Under the lock: notifies the owner of the streams that may take content again. */
  void wakeWriters() {
    for (Http2Stream s = session.pollWritable(); s != null; s = session.pollWritable()) {
      owner.onWritable(s);
    }
  }

  /** False when another thread has taken over. */
  private boolean write(ByteBuffer[] output, Deadline patience) {
    try {
      writeMeasured(output, patience);
    } catch (InterruptedIOException e) {
      goOnElsewhere(output);
      return false;
    } catch (DeadlinePassedException e) {
      if (patience.isPast(channel.loop().clock())) {
        goOnElsewhere(output);
        return false;
      }
      giveUp();
      channel.close(); // a peer that is stuck would keep us forever
    } catch (IOException e) {
      giveUp();
      owner.onBroken();
    } catch (RuntimeException | Error e) {
      // The channel failed, for example in the TLS provider, or memory is used up: no thread may
      // wait for this writer any longer.
      giveUp();
      channel.close();
      SafeLog.log(LOG, System.Logger.Level.ERROR, "Writing failed to ", channel, e);
    }
    return true;
  }

  private void writeMeasured(ByteBuffer[] output, Deadline patience) throws IOException {
    writesSince = channel.loop().clock().nanoTime();
    try {
      timedWriter.write(output, patience);
    } finally {
      stalled = channel.writeProgress().stalledNanos();
      writesSince = Deadline.NEVER_NANOS;
    }
  }

  /** Empties the output without writing it, so that nothing waits for it. */
  private void giveUp() {
    try (var held = lock.hold()) {
      lost = broken ? lost : taken;
      broken = true;
    }
  }

  /** The writing thread cannot continue, and no other takes over. */
  private void letGo() {
    try {
      giveUp();
      done = taken;
    } finally {
      writing.set(false);
      channel.close();
    }
  }

  // A partly written frame must be completed, or the connection is lost for all exchanges.
  private void goOnElsewhere(ByteBuffer[] output) {
    Thread.ofVirtual().name("heddle-flush").start(() -> {
      if (writeAll(output, Deadline.never(), Integer.MAX_VALUE) != STOPPED) {
        owner.onFlushed();
        if (hasOutput()) {
          compete(false, Deadline.never(), Integer.MAX_VALUE);
        }
      }
    });
  }
}
