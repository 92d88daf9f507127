package heddle.adapters.apache5;

import heddle.client.HttpClient;
import heddle.client.spi.ExchangeListener;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One call, which any thread may end: by an interrupt while its thread waits for the response,
 * afterwards by closing the response. The interrupt never outlives the wait.
 */
final class CallScope {
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private @Nullable Thread waiting;
  private boolean interrupted;
  private boolean ended;
  private @Nullable Response response;

  /**
   * Makes the call on this thread.
   *
   * @throws SocketException if it was ended before there was a response
   */
  Response send(HttpClient client, Request request, ExchangeListener listener) throws IOException {
    enter();
    Response received = null;
    IOException failure = null;
    boolean cut = true;
    try {
      received = client.send(request, listener);
    } catch (IOException e) {
      failure = e;
    } finally {
      cut = leave(received);
    }
    if (cut) {
      if (received != null) {
        received.close();
      }
      throw ended(failure);
    }
    if (failure != null) {
      throw failure;
    }
    if (received == null) {
      throw new IllegalStateException("a call ended with neither a response nor a failure");
    }
    return received;
  }

  /** The exception for a thread whose call was ended, as of a socket that another thread closed. */
  static SocketException ended(@Nullable IOException because) {
    SocketException told = new SocketException("Socket closed");
    if (because != null) {
      told.initCause(because);
    }
    return told;
  }

  private void enter() throws SocketException {
    lock.lock();
    try {
      if (ended) {
        throw ended(null);
      }
      waiting = Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  /** Called when the thread stops waiting. Returns whether the call was ended meanwhile. */
  private boolean leave(@Nullable Response received) {
    lock.lock();
    try {
      waiting = null;
      response = received;
      if (interrupted) {
        interrupted = false;
        Thread.interrupted();
      }
      return ended;
    } finally {
      lock.unlock();
    }
  }

  boolean isEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the call. From any thread; idempotent. */
  void end() {
    Response open;
    lock.lock();
    try {
      ended = true;
      Thread thread = waiting;
      if (thread != null && thread != Thread.currentThread() && !thread.isInterrupted()) {
        interrupted = true;
        thread.interrupt();
      }
      open = response;
      response = null;
    } finally {
      lock.unlock();
    }
    if (open != null) {
      closeQuietly(open);
    }
  }

  private static void closeQuietly(Response open) {
    try {
      open.close();
    } catch (IOException e) {
      // The connection is lost, which is intended: the rest will not be read.
    }
  }
}
