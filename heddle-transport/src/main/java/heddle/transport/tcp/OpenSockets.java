package heddle.transport.tcp;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open sockets of a loop, linked to each other, so that one costs no memory here. Safe for use
 * by many threads.
 */
final class OpenSockets {
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as the links are. */
  private @Nullable ReadyHandler first;

  /** Adds one that was not added before. */
  void add(ReadyHandler socket) {
    lock.lock();
    try {
      ReadyHandler second = first;
      socket.next = second;
      if (second != null) {
        second.previous = socket;
      }
      first = socket;
    } finally {
      lock.unlock();
    }
  }

  /** Removes one; does nothing if it is not there. */
  void remove(ReadyHandler socket) {
    lock.lock();
    try {
      ReadyHandler before = socket.previous;
      ReadyHandler after = socket.next;
      if (before != null) {
        before.next = after;
      } else if (first == socket) {
        first = after;
      }
      if (after != null && after.previous == socket) {
        after.previous = before;
      }
      // It keeps its link to the next, which forEach may be about to follow.
      socket.previous = null;
    } finally {
      lock.unlock();
    }
  }

  /** Calls the action, without the lock, for each that is there now and at its turn. */
  void forEach(Consumer<ReadyHandler> action) {
    ReadyHandler socket = first();
    while (socket != null) {
      action.accept(socket);
      socket = next(socket);
    }
  }

  private @Nullable ReadyHandler first() {
    lock.lock();
    try {
      return first;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable ReadyHandler next(ReadyHandler socket) {
    lock.lock();
    try {
      return socket.next;
    } finally {
      lock.unlock();
    }
  }
}
