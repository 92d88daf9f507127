package heddle.client.pool;

import org.jspecify.annotations.Nullable;

/**
 * Elements in the order in which they were added, linked through themselves: an element is in one
 * list at most, and removing it takes constant time. Guarded by the route's lock.
 */
final class IntrusiveList<T extends IntrusiveList.Element<T>> {
  /** What can be in a list; the links are guarded by the route's lock, too. */
  abstract static class Element<T> {
    @Nullable
    T next;

    @Nullable
    T previous;
  }

  private @Nullable T first;
  private @Nullable T last;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return first == null;
  }

  @Nullable
  T first() {
    return first;
  }

  @Nullable
  T last() {
    return last;
  }

  void add(T element) {
    element.previous = last;
    if (last == null) {
      first = element;
    } else {
      last.next = element;
    }
    last = element;
    size++;
  }

  /** Removes the first element; null if the list is empty. */
  @Nullable
  T poll() {
    T polled = first;
    if (polled != null) {
      remove(polled);
    }
    return polled;
  }

  /** Removes an element, if it is in the list. */
  void remove(T element) {
    T next = element.next;
    T previous = element.previous;
    if (previous == null && element != first) {
      return;
    }
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
    element.next = null;
    element.previous = null;
    size--;
  }
}
