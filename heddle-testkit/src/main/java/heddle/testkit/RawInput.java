package heddle.testkit;

import heddle.transport.ChannelListener;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Collects what a channel delivers, for one thread to wait for and take. */
final class RawInput implements ChannelListener {
  private final EventLoop loop;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by lock.
  private byte[] bytes = new byte[256];
  private int from;
  private int to;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException cause;
  private @Nullable Thread reader;

  RawInput(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void onBytes(ByteBuffer came) {
    lock.lock();
    try {
      int count = came.remaining();
      makeRoom(count);
      came.get(bytes, to, count);
      to += count;
      wakeReader();
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom(int count) {
    if (bytes.length - to >= count) {
      return;
    }
    int held = to - from;
    byte[] target = bytes.length - held >= count && from > bytes.length / 2
        ? bytes
        : new byte[Math.max(2 * bytes.length, held + count)];
    System.arraycopy(bytes, from, target, 0, held);
    bytes = target;
    from = 0;
    to = held;
  }

  @Override
  public void onEnd() {
    lock.lock();
    try {
      ended = true;
      wakeReader();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    lock.lock();
    try {
      closed = true;
      cause = why;
      wakeReader();
    } finally {
      lock.unlock();
    }
  }

  private void wakeReader() {
    if (reader != null) {
      loop.unpark(reader);
    }
  }

  /**
   * Waits until {@code done} holds or nothing more can come.
   *
   * @param done looks at this object through its methods
   */
  void await(BooleanSupplier done, Deadline deadline, String what) throws IOException {
    reader(Thread.currentThread());
    try {
      Waiting.until(() -> isOver() || done.getAsBoolean(), loop, deadline, "waiting for " + what);
    } finally {
      reader(null);
    }
  }

  /** Waits until the channel is closed, an end of the stream notwithstanding. */
  void awaitClosed(Deadline deadline) throws IOException {
    reader(Thread.currentThread());
    try {
      Waiting.until(this::isClosed, loop, deadline, "waiting for the close");
    } finally {
      reader(null);
    }
  }

  private void reader(@Nullable Thread thread) {
    lock.lock();
    try {
      reader = thread;
    } finally {
      lock.unlock();
    }
  }

  /** What has come and has not been taken. */
  byte[] received() {
    lock.lock();
    try {
      return Arrays.copyOfRange(bytes, from, to);
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return to - from;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the first bytes; as many must be there. */
  byte[] take(int count) {
    lock.lock();
    try {
      byte[] taken = Arrays.copyOfRange(bytes, from, from + count);
      from += count;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing more will come. */
  boolean isOver() {
    lock.lock();
    try {
      return ended || closed;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** What broke the channel, if anything did. */
  @Nullable
  IOException cause() {
    lock.lock();
    try {
      return cause;
    } finally {
      lock.unlock();
    }
  }

  /** How the stream stands, for the message of a failure. */
  String state() {
    lock.lock();
    try {
      if (closed) {
        return cause == null
            ? "the connection was closed on this side"
            : "the connection broke: " + cause;
      }
      return ended ? "the peer ended the stream" : "the connection is open";
    } finally {
      lock.unlock();
    }
  }
}
