package heddle.connection;

import heddle.transport.Channel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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

  /**
   * Stands for the bytes held once the connection has ended: later changes no longer count.
   */
  private static final long ENDED = Long.MIN_VALUE / 2;

  private static final VarHandle HELD;
  private static final VarHandle UNREAD;
  private static final VarHandle REASONS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HELD = lookup.findVarHandle(ConnectionMemory.class, "held", long.class);
      UNREAD = lookup.findVarHandle(ConnectionMemory.class, "unread", long.class);
      REASONS = lookup.findVarHandle(ConnectionMemory.class, "reasons", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final MemoryBudget budget;
  private final Channel channel;

  // Each changed atomically: bytes held, bytes of content among them that are unread, and the
  // reasons for not reading. Of the budget this connection has held, rounded up to whole steps: as
  // each change of it is the difference between two roundings, they add up in any order.
  private volatile long held;
  private volatile long unread;
  private volatile int reasons;

  /** Whether the channel was paused since the last check. Used by the loop only. */
  private boolean wasPaused;

  /** Nothing is held yet. */
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
    add(bytes);
  }

  /** Counts bytes as no longer held. */
  public void release(long bytes) {
    add(-bytes);
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

  private void add(long bytes) {
    count(change(bytes));
  }

  /** Returns by how much the steps have changed, which the budget has to count. */
  private long change(long bytes) {
    long before = (long) HELD.getAndAdd(this, bytes);
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
    add(bytes);
  }

  /** Counts bytes of content that were read or discarded. */
  public void taken(long bytes) {
    UNREAD.getAndAdd(this, -bytes);
    add(-bytes);
    if ((reasons & Reason.BUDGET.bit) != 0 && unread <= FREE_BYTES) {
      resumeReading();
    }
  }

  /** Releases all that is held; later changes no longer count. Idempotent. */
  public void end() {
    long before = (long) HELD.getAndSet(this, ENDED);
    budget.removePaused(this);
    long last = steps(before);
    if (last > 0) {
      budget.release(last);
    }
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

  /**
   * Whether the channel is not read because the budget is used up; the peer's silence is then our
   * doing.
   */
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
    int before = (int) REASONS.getAndBitwiseOr(this, reason.bit);
    if (before == 0) {
      apply();
    }
  }

  /** This reason is gone; the channel is read again if it was the last one. */
  public void resume(Reason reason) {
    int before = (int) REASONS.getAndBitwiseAnd(this, ~reason.bit);
    if (before == reason.bit) {
      apply();
    }
  }

  /** Reads the channel regardless of any reason, because its input is discarded. */
  public void readFreely() {
    REASONS.getAndSet(this, 0);
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
