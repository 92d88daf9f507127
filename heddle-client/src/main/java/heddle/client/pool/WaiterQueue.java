package heddle.client.pool;

import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for a connection of one route, first come, first served; linked through
 * themselves, so that one that gives up leaves at once however long the queue is. Guarded by the
 * route's lock.
 */
final class WaiterQueue {
  private @Nullable Waiter first;
  private @Nullable Waiter last;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return first == null;
  }

  void add(Waiter waiter) {
    waiter.previous = last;
    if (last == null) {
      first = waiter;
    } else {
      last.next = waiter;
    }
    last = waiter;
    waiter.queued = true;
    size++;
  }

  /** Takes the one out that has waited longest. */
  @Nullable
  Waiter poll() {
    Waiter waiter = first;
    if (waiter != null) {
      remove(waiter);
    }
    return waiter;
  }

  /** Takes one out, if it is still in. */
  void remove(Waiter waiter) {
    if (!waiter.queued) {
      return;
    }
    Waiter next = waiter.next;
    Waiter previous = waiter.previous;
    if (next == null) {
      last = previous;
    } else {
      next.previous = previous;
    }
    if (previous == null) {
      first = next;
    } else {
      previous.next = next;
    }
    waiter.next = null;
    waiter.previous = null;
    waiter.queued = false;
    size--;
  }
}
