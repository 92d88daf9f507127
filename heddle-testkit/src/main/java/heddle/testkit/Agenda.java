package heddle.testkit;

import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Scheduled tasks, in the order of time, then of submission. Guarded by its owner. */
final class Agenda {
  /** A task to run at a time. */
  static final class Entry {
    final long atNanos;
    final long sequence;
    final Runnable task;
    volatile boolean withdrawn;
    volatile boolean taken;

    Entry(long atNanos, long sequence, Runnable task) {
      this.atNanos = atNanos;
      this.sequence = sequence;
      this.task = task;
    }
  }

  private static final Comparator<Entry> BY_TIME = Comparator.<Entry>comparingLong(
          entry -> entry.atNanos)
      .thenComparingLong(entry -> entry.sequence);

  private final TreeSet<Entry> entries = new TreeSet<>(BY_TIME);
  private long changes;

  Entry add(long atNanos, Runnable task) {
    Entry entry = new Entry(atNanos, ++changes, task);
    entries.add(entry);
    return entry;
  }

  void withdraw(Entry entry) {
    changes++;
    entry.withdrawn = true;
    entries.remove(entry);
  }

  /** Takes out all entries that are due. */
  List<Entry> takeDue(long now) {
    List<Entry> due = new ArrayList<>();
    while (!entries.isEmpty() && entries.first().atNanos <= now) {
      Entry entry = entries.removeFirst();
      entry.taken = true;
      due.add(entry);
    }
    return due;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  int size() {
    return entries.size();
  }

  /** The time of the first entry; there must be one. */
  long firstNanos() {
    return entries.first().atNanos;
  }

  /** Grows with each change. */
  long changes() {
    return changes;
  }

  void clear() {
    entries.clear();
  }

  /** A timer; while armed, it is one entry of its loop's agenda. */
  static final class AgendaTimer implements Timer {
    /** A loop with an agenda and a lock that guards it. */
    interface Keeper {
      void locked(Runnable step);

      /** Under the lock. */
      Agenda.Entry schedule(long atNanos, Runnable task);

      /** Under the lock. */
      void withdraw(Agenda.Entry entry);
    }

    private final Keeper keeper;
    private final Runnable onFire;

    /** Changed under the keeper's lock. */
    private volatile Agenda.@Nullable Entry entry;

    /** Guarded by the keeper's lock. */
    private boolean cancelled;

    AgendaTimer(Keeper keeper, Runnable onFire) {
      this.keeper = keeper;
      this.onFire = onFire;
    }

    @Override
    public void arm(long atNanos) {
      keeper.locked(() -> {
        withdraw();
        if (!cancelled && atNanos != Deadline.NEVER_NANOS) {
          entry = keeper.schedule(atNanos, onFire);
        }
      });
    }

    @Override
    public void cancel() {
      keeper.locked(() -> {
        withdraw();
        cancelled = true;
      });
    }

    @Override
    public long dueNanos() {
      Entry armed = entry;
      return armed == null || armed.taken ? Deadline.NEVER_NANOS : armed.atNanos;
    }

    private void withdraw() {
      Entry armed = entry;
      if (armed != null) {
        keeper.withdraw(armed);
        entry = null;
      }
    }
  }
}
