package heddle.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** What is to be done when: in the order of time, then of submission. Guarded by its owner. */
final class Agenda {
  /** Something to do at a time. */
  static final class Entry {
    final long atNanos;
    final long sequence;
    final Runnable task;
    volatile boolean withdrawn;

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

  /** Takes out all whose time has come. */
  List<Entry> takeDue(long now) {
    List<Entry> due = new ArrayList<>();
    while (!entries.isEmpty() && entries.first().atNanos <= now) {
      due.add(entries.removeFirst());
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
}
