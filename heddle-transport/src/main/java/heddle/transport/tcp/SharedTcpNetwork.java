package heddle.transport.tcp;

import heddle.transport.ForwardingNetwork;
import heddle.transport.Network;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One user's share of the network that all users of this process have in common: its loop starts
 * with the first user and ends when the last has closed its share.
 */
final class SharedTcpNetwork implements ForwardingNetwork {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Guarded by LOCK. */
  private static @Nullable TcpNetwork common;

  /** Guarded by LOCK. */
  private static int users;

  private final TcpNetwork network;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SharedTcpNetwork(TcpNetwork network) {
    this.network = network;
  }

  static SharedTcpNetwork acquire() {
    LOCK.lock();
    try {
      TcpNetwork present = common;
      if (present == null) {
        present = TcpNetwork.create();
        common = present;
      }
      users++;
      return new SharedTcpNetwork(present);
    } finally {
      LOCK.unlock();
    }
  }

  @Override
  public Network target() {
    return network;
  }

  /** Gives this share up; the user closes its own channels before. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    TcpNetwork last = release();
    if (last != null) {
      last.close();
    }
  }

  private static @Nullable TcpNetwork release() {
    LOCK.lock();
    try {
      users--;
      if (users > 0) {
        return null;
      }
      TcpNetwork last = common;
      common = null;
      return last;
    } finally {
      LOCK.unlock();
    }
  }
}
