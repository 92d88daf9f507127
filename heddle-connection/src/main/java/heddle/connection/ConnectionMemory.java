package heddle.connection;

import heddle.transport.Channel;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What a server holds for one connection beyond its fixed cost, as a part of the {@link
 * MemoryBudget}, and the reasons why the connection's channel is not read. While the budget is used
 * up the channel is paused if its own unread content is more than {@value #FREE_BYTES} bytes. A
 * handler that reads this content therefore gets more, and no connection waits for another forever.
 *
 * <p>Safe for use by many threads, unless noted otherwise.
 */
public final class ConnectionMemory {
  /** The steps in which the budget is used: {@value} bytes. */
  public static final int STEP_BYTES = 4096;

  /** Unread content up to this size never pauses a connection: {@value} bytes. */
  public static final int FREE_BYTES = 4096;

  /** Why a channel is not read. */
  public enum Reason {
    /** The handler reads more slowly than the peer sends. */
    UNREAD_CONTENT(1),
    /** Requests wait behind one that is being answered. */
    HELD_INPUT(2),
    /** The server's budget is used up. */
    BUDGET(4);

    private final int bit;

    Reason(int bit) {
      this.bit = bit;
    }
  }

  /** Stands for the bytes held once the connection has ended: later changes no longer count. */
  private static final long ENDED = Long.MIN_VALUE / 2;

  private static final AtomicLongFieldUpdater<ConnectionMemory> HELD =
      AtomicLongFieldUpdater.newUpdater(ConnectionMemory.class, "held");
  private static final AtomicLongFieldUpdater<ConnectionMemory> UNREAD =
      AtomicLongFieldUpdater.newUpdater(ConnectionMemory.class, "unread");
  private static final AtomicIntegerFieldUpdater<ConnectionMemory> REASONS =
      AtomicIntegerFieldUpdater.newUpdater(ConnectionMemory.class, "reasons");

  private final MemoryBudget budget;
  private final Channel channel;

  // Each changed atomically: bytes held, unread content among them, and the reasons for not
  // reading. The budget has counted the bytes held, rounded up to whole steps: as each change of it
  // is the difference between two roundings, they add up in any order.
  private volatile long held;
  private volatile long unread;
  private volatile int reasons;

  /** Whether the channel was paused since the last check. Used by the loop only. */
  private boolean wasPaused;

  public ConnectionMemory(MemoryBudget budget, Channel channel) {
    this.budget = budget;
    this.channel = channel;
  }

  /** Whether new work must be refused. */
  public boolean isExhausted() {
    return budget.isExhausted();
  }

  /** Counts bytes as held until they are {@linkplain #release released}. */
  public void hold(long bytes) {
    count(change(bytes));
  }

  /** Counts bytes as no longer held. */
  public void release(long bytes) {
    hold(-bytes);
  }

  /** Counts bytes as held if the budget has room for them, else does nothing. */
  boolean tryHold(long bytes) {
    long more = change(bytes);
    if (more <= 0 || budget.tryHold(more)) {
      return true;
    }
    count(more + change(-bytes));
    return false;
  }

  /** As {@link #tryHold}, but leaves half of the budget to those that cannot do without. */
  boolean tryHoldSpare(long bytes) {
    return !budget.isHalfUsed() && tryHold(bytes);
  }

  /**
   * Takes a large buffer and counts it as held, until it is {@linkplain #giveBack given back}.
   * Returns null if none is free, or half of the budget is used.
   */
  @Nullable
  ByteBuffer takeLargeBuffer() {
    if (!tryHoldSpare(LargeBuffers.BYTES)) {
      return null;
    }
    ByteBuffer taken = budget.largeBuffers().take();
    if (taken == null) {
      release(LargeBuffers.BYTES);
    }
    return taken;
  }

  void giveBack(ByteBuffer largeBuffer) {
    budget.largeBuffers().give(largeBuffer);
    release(LargeBuffers.BYTES);
  }

  /** Returns by how much the steps have changed, which the budget has to count. */
  private long change(long bytes) {
    long before = HELD.getAndAdd(this, bytes);
    return steps(before + bytes) - steps(before);
  }

  private void count(long change) {
    if (change > 0) {
      budget.hold(change);
    } else if (change < 0) {
      budget.release(-change);
    }
  }

  private static long steps(long bytes) {
    return bytes <= 0 ? 0 : (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
  }

  /** Counts bytes of content that the peer has sent and that wait for a reader. */
  public void arrived(long bytes) {
    UNREAD.getAndAdd(this, bytes);
    hold(bytes);
  }

  /** Counts bytes of content that were read or discarded. */
  public void taken(long bytes) {
    UNREAD.getAndAdd(this, -bytes);
    release(bytes);
    if (isPausedByBudget() && unread <= FREE_BYTES) {
      resumeReading();
    }
  }

  /** Releases all that is held; later changes no longer count. Idempotent. */
  public void end() {
    long before = HELD.getAndSet(this, ENDED);
    budget.removePaused(this);
    count(-steps(before));
  }

  /** On the loop, before a read: how many bytes it may bring. */
  public int readLimit() {
    return budget.readLimit();
  }

  /**
   * On the loop, after a read: pauses the channel if the budget is used up and more than {@value
   * #FREE_BYTES} bytes are unread.
   */
  public void afterRead() {
    if (unread <= FREE_BYTES || !budget.isExhausted()) {
      return;
    }
    budget.addPaused(this);
    pause(Reason.BUDGET);
    // A release in the meantime has not found this connection paused.
    if (unread <= FREE_BYTES || !budget.isExhausted() || held < 0) {
      resumeReading();
    }
  }

  /** Whether the channel is not read, as the budget is used up: the peer's silence is our doing. */
  public boolean isPausedByBudget() {
    return (reasons & Reason.BUDGET.bit) != 0;
  }

  /** On the loop: whether the channel was paused at some time since the last call. */
  public boolean wasPaused() {
    boolean was = wasPaused;
    wasPaused = reasons != 0;
    return was;
  }

  void resumeReading() {
    budget.removePaused(this);
    resume(Reason.BUDGET);
  }

  /** Pauses the channel for this reason; on the loop it takes effect at once. */
  public void pause(Reason reason) {
    wasPaused = true;
    if (REASONS.getAndAccumulate(this, reason.bit, (all, bit) -> all | bit) == 0) {
      apply();
    }
  }

  /** This reason is gone; the channel is read again if it was the last one. */
  public void resume(Reason reason) {
    if (REASONS.getAndAccumulate(this, reason.bit, (all, bit) -> all & ~bit) == reason.bit) {
      apply();
    }
  }

  /** Reads the channel regardless of any reason, because its input is discarded. */
  public void readFreely() {
    reasons = 0;
    budget.removePaused(this);
    apply();
  }

  // On the loop only, so that the later of two changes sees the current reasons.
  private void apply() {
    if (channel.loop().inLoop()) {
      applyOnLoop();
    } else {
      channel.loop().execute(this::applyOnLoop);
    }
  }

  private void applyOnLoop() {
    if (!channel.isOpen()) {
      return; // A loop that has ended runs its last tasks elsewhere.
    }
    if (reasons == 0) {
      channel.resumeReading();
    } else {
      channel.pauseReading();
    }
  }
}
