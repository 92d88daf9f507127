package heddle.adapters.jdk;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a WebSocket has to send, in order. A virtual thread sends each entry, so that no caller
 * waits; there is none while there is nothing to send. The socket bounds the number of entries: one
 * of text or binary data, one ping or pong, two automatic pongs, of which one is being sent, and
 * one Close frame. Thread-safe.
 */
final class SendQueue {
  private final WebSocket socket;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Queue<Entry> waiting = new ArrayDeque<>(4);
  private boolean sending;

  /** Sends a message or a part of one. */
  @FunctionalInterface
  interface Sending {
    /** Returns false if a Close frame was sent before. */
    boolean run() throws IOException;
  }

  /**
   * @param after run before the future is completed, whatever the outcome
   */
  private record Entry(Sending sending, Runnable after, CompletableFuture<WebSocket> sent) {}

  SendQueue(WebSocket socket) {
    this.socket = socket;
  }

  /** What a send fails with once the output is closed. The message is that of the JDK's client. */
  static IOException outputClosed() {
    return new IOException("Output closed");
  }

  /**
   * Adds an entry.
   *
   * @param after run when it was sent or has failed, before the future is completed
   */
  CompletableFuture<WebSocket> add(Sending sending, Runnable after) {
    Entry entry = new Entry(sending, after, new CompletableFuture<>());
    if (isNext(entry)) {
      start(entry);
    }
    return entry.sent();
  }

  private boolean isNext(Entry entry) {
    lock.lock();
    try {
      if (sending) {
        waiting.add(entry);
        return false;
      }
      sending = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void start(Entry entry) {
    Thread.ofVirtual().name("heddle-jdk-websocket-send").start(() -> run(entry));
  }

  private void run(Entry entry) {
    Throwable failure = send(entry);
    entry.after().run();
    // Before the future is completed: its dependent stages may wait for what is sent next.
    Entry next = next();
    if (next != null) {
      start(next);
    }
    if (failure == null) {
      entry.sent().complete(socket);
    } else {
      entry.sent().completeExceptionally(failure);
    }
  }

  private static @Nullable Throwable send(Entry entry) {
    try {
      return entry.sending().run() ? null : outputClosed();
    } catch (CharacterCodingException e) {
      return new IOException("Malformed text message", e);
    } catch (IOException | RuntimeException | Error e) {
      return Failures.of(e);
    }
  }

  private @Nullable Entry next() {
    lock.lock();
    try {
      Entry next = waiting.poll();
      sending = next != null;
      return next;
    } finally {
      lock.unlock();
    }
  }
}
