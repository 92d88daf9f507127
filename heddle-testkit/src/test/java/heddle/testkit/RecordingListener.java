package heddle.testkit;

import heddle.transport.ChannelListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Remembers what a channel told it, for a test to wait for and look at. */
final class RecordingListener implements ChannelListener {
  private static final long PATIENCE_SECONDS = 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by lock.
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final List<String> calls = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private int ends;
  private int closes;
  private @Nullable IOException cause;

  private volatile int readLimit = Integer.MAX_VALUE;

  /** From now on, one read brings at most this many bytes. */
  void limitReads(int bytes) {
    readLimit = bytes;
  }

  @Override
  public int readLimit() {
    return readLimit;
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    record("bytes", () -> {
      sizes.add(bytes.remaining());
      received.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    });
  }

  @Override
  public void onEnd() {
    record("end", () -> ends++);
  }

  @Override
  public void onClosed(@Nullable IOException why) {
    record("closed", () -> {
      closes++;
      cause = why;
    });
  }

  private void record(String call, Runnable step) {
    lock.lock();
    try {
      calls.add(call);
      threads.add(Thread.currentThread());
      step.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void awaitText(String text) throws InterruptedException {
    await(() -> text().equals(text), "the text \"" + text + "\"");
  }

  void awaitBytes(int count) throws InterruptedException {
    await(() -> received.size() >= count, count + " bytes");
  }

  void awaitEnd() throws InterruptedException {
    await(() -> ends > 0, "the end");
  }

  /** Waits for the close and answers its cause. */
  Optional<IOException> awaitClosed() throws InterruptedException {
    await(() -> closes > 0, "the close");
    lock.lock();
    try {
      return Optional.ofNullable(cause);
    } finally {
      lock.unlock();
    }
  }

  private void await(BooleanSupplier done, String what) throws InterruptedException {
    long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    lock.lock();
    try {
      while (!done.getAsBoolean()) {
        if (left <= 0) {
          throw new AssertionError("waited for " + what + " but got " + calls + ": " + text());
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  byte[] bytes() {
    lock.lock();
    try {
      return received.toByteArray();
    } finally {
      lock.unlock();
    }
  }

  String text() {
    return new String(bytes(), StandardCharsets.ISO_8859_1);
  }

  int received() {
    lock.lock();
    try {
      return received.size();
    } finally {
      lock.unlock();
    }
  }

  List<String> calls() {
    return copy(calls);
  }

  List<Integer> sizes() {
    return copy(sizes);
  }

  List<Thread> threads() {
    return copy(threads);
  }

  private <T> List<T> copy(List<T> list) {
    lock.lock();
    try {
      return List.copyOf(list);
    } finally {
      lock.unlock();
    }
  }
}
