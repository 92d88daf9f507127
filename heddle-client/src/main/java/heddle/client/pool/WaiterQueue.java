package heddle.client.pool;

import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for a connection of one route, in FIFO order. They are linked through
 * themselves, so that removing a call that gives up takes constant time. Guarded by the route's
 * lock.
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

  /** Removes the call that has waited longest; null if the queue is empty. */
  @Nullable
  Waiter poll() {
    Waiter waiter = first;
    if (waiter != null) {
      remove(waiter);
    }
    return waiter;
  }

  /** Removes a call, if it is still queued. */
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
