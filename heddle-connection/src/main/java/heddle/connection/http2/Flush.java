package heddle.connection.http2;

import heddle.codec.http2.Http2Session;
import heddle.codec.http2.Http2Stream;
import heddle.connection.MinimumRate;
import heddle.connection.TimedWriter;
import heddle.transport.Channel;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.SafeLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a session has queued. Whoever has queued something, under the ordering lock, competes
 * to write it, after letting go of the lock: the winner writes all there is in one gathering write,
 * and looks again when it is done; the others go on. So the requests or responses that many threads
 * make at about the same time go out together, and nobody holds a lock while writing.
 *
 * <p>Safe for use by many threads; the loop may {@linkplain #runAtOnce write at once} only.
 */
final class Flush {
  /** So many rounds a thread writes for others before it goes on with what it came for. */
  static final int MOST_ROUNDS = 64;

  /** The same of a thread that has no time for others, such as the loop. */
  private static final int MOST_ROUNDS_AT_ONCE = 8;

  /** Another thread has taken over, or writing is given up. */
  private static final int STOPPED = -1;

  private static final VarHandle WRITING;

  static {
    try {
      WRITING = MethodHandles.lookup().findVarHandle(Flush.class, "writing", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whom the output belongs to. */
  interface Owner {
    /** Under the lock: this is being written, and what was before it is done; null is nothing. */
    default void onTaken(ByteBuffer @Nullable [] output) {}

    /** Under the lock: the stream may take content again. */
    void onWritable(Http2Stream stream);

    /**
     * Without the lock, on the thread that wrote: there is nothing left to write for the moment.
     */
    void onFlushed();

    /**
     * Without the lock, on the thread that wrote: the peer takes nothing more. Whether what it has
     * sent is still of interest is for the owner to know, who sees to it that the channel closes.
     */
    void onBroken();
  }

  private static final System.Logger LOG = System.getLogger(Flush.class.getName());

  private final Channel channel;
  private final Http2Session session;
  private final ReentrantLock lock;
  private final Owner owner;

  /** Of the one that writes. */
  private final TimedWriter timedWriter;

  /** Writes instead of those who have queued something, where a benchmark wants it so. */
  private final Executor writer = Optimisations.CALLERS_WRITE ? Runnable::run : oneThread();

  /** Whether a thread has won and writes. Whoever clears it looks at the session again. */
  private volatile boolean writing;

  /** How many rounds of output were taken to be written; guarded by the lock. */
  private long taken;

  /** A write has failed, so that nothing that is taken from now on is written; likewise. */
  private boolean broken;

  /** The round that was not written whole, or the first of them; likewise. */
  private long lost = Long.MAX_VALUE;

  /** How many of them were written, or given up. Written by the one that writes. */
  private volatile long done;

  /**
   * @param lock the ordering lock, which guards the session's sending half
   * @param maxSilence how long the peer may take no byte before the channel is closed
   * @param minRate how fast the peer must read on the whole, or the channel is closed
   */
  Flush(
      Channel channel,
      Http2Session session,
      ReentrantLock lock,
      Duration maxSilence,
      MinimumRate minRate,
      Owner owner) {
    this.channel = channel;
    this.session = session;
    this.lock = lock;
    this.owner = owner;
    this.timedWriter = new TimedWriter(channel, maxSilence, minRate);
  }

  /** Its thread ends when it has had nothing to do for a while: nobody has to see to it. */
  private static Executor oneThread() {
    return new ThreadPoolExecutor(
        0,
        1,
        1,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        Thread.ofVirtual().name("heddle-writer").factory());
  }

  /**
   * Sees to it that what the calling thread has queued is written: by itself, or by the one that
   * writes already. Returns early, and leaves the rest to a thread of its own, when the calling
   * thread is interrupted or its patience ends in the middle of a write, and when others queue so
   * much that there is no end to it. Does not throw: what becomes of a channel that fails is for
   * the {@linkplain Owner#onBroken owner} to say.
   *
   * @param others whether others are likely to queue soon, for whom it pays to wait a moment
   * @param patience until when the calling thread may be kept
   */
  void run(boolean others, Deadline patience) {
    run(others, patience, MOST_ROUNDS);
  }

  private void run(boolean others, Deadline patience, int mostRounds) {
    if (Optimisations.CALLERS_WRITE) {
      compete(others, patience, mostRounds);
    } else if (!writing) {
      writer.execute(() -> compete(false, Deadline.never(), Integer.MAX_VALUE));
    }
  }

  private void compete(boolean others, Deadline patience, int mostRounds) {
    boolean yield = others && Optimisations.WRITER_LETS_OTHERS_QUEUE;
    int rounds = mostRounds;
    while (WRITING.compareAndSet(this, false, true)) {
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
   * As {@link #run}, without waiting for the peer: what the socket does not take at once is left to
   * a thread of its own. For the loop, and for those who queue something in passing.
   */
  void runAtOnce() {
    run(false, Deadline.atOnce(), MOST_ROUNDS_AT_ONCE);
  }

  // What other exchanges queue meanwhile goes out in the same write: a system call and a segment
  // carry forty of them as cheaply as one.
  @SuppressWarnings("ThreadPriorityCheck") // A matter of speed alone: nothing relies on it.
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

  /** Whether a round was written, or given up because the channel is broken. */
  boolean isDone(long round) {
    return round <= done;
  }

  /** Under the lock: whether a round was written whole, as far as this side can tell. */
  boolean isWritten(long round) {
    return isDone(round) && round < lost;
  }

  /** Whether nothing is queued and nothing is being written. */
  boolean isIdle() {
    return !writing && !hasOutput();
  }

  /** Whether a thread writes, which may wait for the peer. */
  boolean isWriting() {
    return writing;
  }

  private boolean hasOutput() {
    lock.lock();
    try {
      return session.hasOutput();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes until nothing is left, then lets go. If that fails, as it does without memory to take
   * the output or for a thread to go on, the channel is closed: no other thread would ever write.
   *
   * @param begun output that is partly written
   * @param mostRounds after so many another thread goes on
   * @return how many of them are left, or {@link #STOPPED}
   */
  private int writeAll(ByteBuffer @Nullable [] begun, Deadline patience, int mostRounds) {
    try {
      return writeRounds(begun, patience, mostRounds);
    } catch (RuntimeException | Error e) {
      SafeLog.log(LOG, System.Logger.Level.ERROR, "Writing is given up to ", channel, e);
      letGo();
      return STOPPED;
    }
  }

  private int writeRounds(ByteBuffer @Nullable [] begun, Deadline patience, int mostRounds) {
    ByteBuffer @Nullable [] output = begun == null ? take(null) : begun;
    int rounds = mostRounds;
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
    writing = false;
    return rounds;
  }

  private ByteBuffer @Nullable [] take(ByteBuffer @Nullable [] written) {
    lock.lock();
    try {
      if (written != null) {
        session.recycle(written);
        done = taken;
      }
      ByteBuffer @Nullable [] output = session.takeOutput();
      owner.onTaken(output);
      if (output != null && !broken) {
        taken++;
      }
      for (Http2Stream s = session.pollWritable(); s != null; s = session.pollWritable()) {
        owner.onWritable(s);
      }
      return output;
    } finally {
      lock.unlock();
    }
  }

  /** False when another thread has taken over. */
  private boolean write(ByteBuffer[] output, Deadline patience) {
    try {
      if (Optimisations.WRITING_UNLOCKED || !writeLocked(output)) {
        timedWriter.write(output, patience);
      }
      return true;
    } catch (InterruptedIOException e) {
      goOnElsewhere(output);
      return false;
    } catch (DeadlinePassedException e) {
      if (patience.isPast(channel.loop().clock())) {
        goOnElsewhere(output);
        return false;
      }
      giveUp();
      channel.close(); // a peer that is stuck would keep us for ever
      return true;
    } catch (IOException e) {
      giveUp();
      owner.onBroken();
      return true;
    } catch (RuntimeException | Error e) {
      // A fault of the channel, such as a TLS provider's, or no memory: no thread may go on waiting
      // for this writer.
      SafeLog.log(LOG, System.Logger.Level.ERROR, "Writing failed to ", channel, e);
      giveUp();
      channel.close();
      return true;
    }
  }

  /**
   * Writes what the peer takes at once. To wait for it under the lock would be for ever, as the
   * loop, which tells when it takes more, needs the lock as well.
   *
   * @return false when something is left, which is to be written without the lock
   */
  private boolean writeLocked(ByteBuffer[] output) throws IOException {
    lock.lock();
    try {
      channel.write(output, Deadline.atOnce());
      return true;
    } catch (DeadlinePassedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** The output is emptied all the same, so that nothing waits for it. */
  private void giveUp() {
    lock.lock();
    try {
      lost = broken ? lost : taken;
      broken = true;
    } finally {
      lock.unlock();
    }
  }

  /** The thread that writes cannot go on, and no other takes over. */
  private void letGo() {
    try {
      giveUp();
      done = taken;
    } finally {
      writing = false;
      channel.close();
    }
  }

  // A frame that is written in part has to be completed, or the connection is lost for all others.
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
