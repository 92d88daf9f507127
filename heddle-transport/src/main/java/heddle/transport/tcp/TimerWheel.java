package heddle.transport.tcp;

import heddle.transport.time.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel (Varghese and Lauck, 1987, scheme 7): seven levels of 64 slots, each
 * slot as long as the whole level below, so that every moment the clock can show has a place.
 * Inserting and removing take constant time; the next moment at which there is something to do is
 * found from one bit map a level, so an idle loop sleeps until then. Used by its loop only.
 */
final class TimerWheel {
  private static final int TICK_SHIFT = 22; // 2^22 ns, some 4.2 ms: timers fire at most that late.
  private static final int SLOT_BITS = 6;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int SLOT_MASK = SLOTS - 1;
  private static final int LEVELS = 7; // 7 * 6 bits hold every tick that 63 bits of ns can make.

  /** The last tick that begins at a moment the clock can show. */
  private static final long LAST_TICK = Long.MAX_VALUE >>> TICK_SHIFT;

  private final @Nullable LoopTimer[] slots = new @Nullable LoopTimer[LEVELS * SLOTS];

  /** Bit s of occupied[l] is set exactly when slot s of level l holds a timer. */
  private final long[] occupied = new long[LEVELS];

  /** All that was due before or at this tick has been expired. */
  private long tick;

  /** Puts a timer in, to be expired soon after {@code nanos}. */
  void insert(LoopTimer timer, long nanos) {
    timer.scheduled = nanos;
    link(timer);
  }

  void remove(LoopTimer timer) {
    int slot = timer.slot;
    LoopTimer previous = timer.previous;
    LoopTimer next = takeOut(timer);
    if (next != null) {
      next.previous = previous;
    }
    if (previous != null) {
      previous.next = next;
    } else {
      slots[slot] = next;
      if (next == null) {
        occupied[slot >>> SLOT_BITS] &= ~(1L << (slot & SLOT_MASK));
      }
    }
  }

  /**
   * When {@link #expire} has something to do, {@link Deadline#NEVER_NANOS} if the wheel is empty.
   * That may be earlier than the first timer, when timers move down a level.
   */
  long nextNanos() {
    int level = lowestOccupiedLevel();
    return level == LEVELS ? Deadline.NEVER_NANOS : expiryOf(level) << TICK_SHIFT;
  }

  /** Takes out every timer that is due and tells each. When one throws, the others stay in. */
  void expire(long now) {
    long nowTick = now >>> TICK_SHIFT;
    for (int level = lowestOccupiedLevel(); level < LEVELS; level = lowestOccupiedLevel()) {
      long expiry = expiryOf(level);
      if (expiry > nowTick) {
        break;
      }
      tick = expiry;
      expireSlot(level, (int) (expiry >>> (level * SLOT_BITS)) & SLOT_MASK, now);
    }
    tick = Math.max(tick, nowTick);
  }

  private void expireSlot(int level, int slotInLevel, long now) {
    int slot = level * SLOTS + slotInLevel;
    LoopTimer timer = slots[slot];
    slots[slot] = null;
    occupied[level] &= ~(1L << slotInLevel);
    try {
      while (timer != null) {
        LoopTimer current = timer;
        timer = takeOut(current);
        if (expiryTick(current) > tick) {
          link(current);
        } else {
          current.expired(now);
        }
      }
    } finally {
      // Only if one of them threw: the others are due when the wheel is looked at again.
      while (timer != null) {
        LoopTimer current = timer;
        timer = takeOut(current);
        link(current);
      }
    }
  }

  /** Answers the timer that came after it in its slot. */
  private static @Nullable LoopTimer takeOut(LoopTimer timer) {
    LoopTimer next = timer.next;
    timer.next = null;
    timer.previous = null;
    timer.slot = LoopTimer.NOT_IN_WHEEL;
    return next;
  }

  /**
   * The level is that of the highest group of bits in which the expiry differs from the present
   * tick: below it the timer's slot lies ahead of the present one, so no level ever wraps around.
   */
  private void link(LoopTimer timer) {
    long expiryTick = expiryTick(timer);
    long differing = (expiryTick ^ tick) | SLOT_MASK;
    int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(differing)) / SLOT_BITS;
    int slotInLevel = (int) (expiryTick >>> (level * SLOT_BITS)) & SLOT_MASK;
    int slot = level * SLOTS + slotInLevel;
    LoopTimer head = slots[slot];
    timer.next = head;
    timer.slot = slot;
    if (head != null) {
      head.previous = timer;
    }
    slots[slot] = timer;
    occupied[level] |= 1L << slotInLevel;
  }

  private long expiryTick(LoopTimer timer) {
    return Math.max(tick, ticksUpTo(timer.scheduled));
  }

  private int lowestOccupiedLevel() {
    int level = 0;
    while (level < LEVELS && occupied[level] == 0) {
      level++;
    }
    return level;
  }

  /** The first tick of the first occupied slot of a level. */
  private long expiryOf(int level) {
    int shift = level * SLOT_BITS;
    long levelStart = tick & -(1L << (shift + SLOT_BITS));
    return levelStart | ((long) Long.numberOfTrailingZeros(occupied[level]) << shift);
  }

  /** The first tick that begins at or after the given moment, or the last that there is. */
  private static long ticksUpTo(long nanos) {
    long whole = nanos >>> TICK_SHIFT;
    return whole << TICK_SHIFT == nanos ? whole : Math.min(whole + 1, LAST_TICK);
  }
}
