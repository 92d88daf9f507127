package heddle.adapters.apache4;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.http.nio.IOControl;

/** Suspends the input or the output of an exchange. Thread-safe. */
final class Gate implements IOControl {
  private final AsyncConnection connection;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private boolean suspended;
  private boolean stopped;

  Gate(AsyncConnection connection) {
    this.connection = connection;
  }

  /** Waits while it is suspended. */
  void await() throws SocketException, InterruptedIOException {
    lock.lock();
    try {
      while (suspended && !stopped) {
        changed.await();
      }
      if (stopped) {
        throw new SocketException("Socket closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while an exchange was suspended");
    } finally {
      lock.unlock();
    }
  }

  private void set(boolean newSuspended, boolean newStopped) {
    lock.lock();
    try {
      suspended = newSuspended;
      stopped = stopped || newStopped;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waiting. */
  void stop() {
    set(false, true);
  }

  @Override
  public void requestInput() {
    set(false, false);
  }

  @Override
  public void suspendInput() {
    set(true, false);
  }

  @Override
  public void requestOutput() {
    set(false, false);
  }

  @Override
  public void suspendOutput() {
    set(true, false);
  }

  @Override
  public void shutdown() {
    connection.shutdown();
  }
}
