package heddle.adapters.aws;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Publishes the content of a response to one subscriber, on the reading thread. At most one buffer
 * is read beyond the requested ones, so that the end is signalled without a request.
 */
final class ContentPublisher implements Publisher<ByteBuffer> {
  /** The maximum size of a buffer. The minimum below is used if no bytes are available. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final int LEAST_BYTES = 8 * 1024;

  /**
   * The subscriber has cancelled. Only the caller's future fails, the subscriber gets no signal.
   */
  static final class CancelledException extends Exception {
    private static final long serialVersionUID = 1L;

    CancelledException() {
      super("the subscriber cancelled", null, false, false);
    }
  }

  private final boolean hasContent;
  private final AtomicReference<@Nullable Receiver> receiver = new AtomicReference<>();

  /** The publishing thread; null before it starts. */
  private volatile @Nullable Thread publishing;

  /** The body that is being published. */
  private volatile @Nullable Body reading;

  /** Why publishing stopped before the end of the content. */
  private volatile @Nullable Throwable ended;

  /** Whether {@code onSubscribe} has returned, so that further signals are allowed. */
  private volatile boolean ready;

  /**
   * @param hasContent false for a response without content, whatever its fields say
   */
  ContentPublisher(boolean hasContent) {
    this.hasContent = hasContent;
  }

  // ---- the subscriber's side

  /** Accepts one subscriber. A second one fails with an {@link IllegalStateException}. */
  @Override
  public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    Receiver mine = new Receiver(subscriber);
    if (!receiver.compareAndSet(null, mine)) {
      refuse(subscriber, new IllegalStateException("the content of a response is published once"));
      return;
    }
    subscriber.onSubscribe(mine);
    ready = true;
    Throwable because = ended;
    if (because != null && publishing == null) {
      mine.tellFailure(because);
    }
    wake();
  }

  private static void refuse(Subscriber<? super ByteBuffer> subscriber, Throwable reason) {
    subscriber.onSubscribe(new Subscription() {
      @Override
      public void request(long count) {}

      @Override
      public void cancel() {}
    });
    subscriber.onError(reason);
  }

  private void wake() {
    Thread thread = publishing;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Closes the body, on which the publishing thread may be waiting. */
  private void giveUp() {
    Body open = reading;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        ended = e;
      }
    }
  }

  /** The subscriber, and its demand. */
  private final class Receiver implements Subscription {
    /** Null once cancelled, because the reference must be dropped (Reactive Streams 3.13). */
    private volatile @Nullable Subscriber<? super ByteBuffer> subscriber;

    private final AtomicLong wanted = new AtomicLong();
    private volatile boolean cancelled;
    private volatile @Nullable RuntimeException misuse;

    /** Whether the last signal was given, by any thread. */
    private final AtomicBoolean told = new AtomicBoolean();

    Receiver(Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long count) {
      if (count <= 0) {
        misuse = new IllegalArgumentException(
            "request(" + count + "): the count must be positive (Reactive Streams 3.9)");
        giveUp();
      } else {
        wanted.accumulateAndGet(count, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
      }
      wake();
    }

    @Override
    public void cancel() {
      cancelled = true;
      subscriber = null;
      giveUp();
      wake();
    }

    void tellFailure(Throwable failure) {
      Subscriber<? super ByteBuffer> present = subscriber;
      if (present != null && told.compareAndSet(false, true)) {
        present.onError(failure);
      }
    }

    void tellEnd() {
      Subscriber<? super ByteBuffer> present = subscriber;
      if (present != null && told.compareAndSet(false, true)) {
        present.onComplete();
      }
    }
  }

  // ---- the publishing side

  /**
   * Publishes a whole body on the calling thread, waiting for demand of the subscriber.
   *
   * @throws CancelledException if the subscriber cancels
   * @throws IOException if the content cannot be read to its end, or {@link #end} was called
   */
  void publish(Body body) throws IOException, CancelledException {
    publishing = Thread.currentThread();
    Receiver to = awaitSubscriber();
    if (hasContent) {
      reading = body;
      try {
        if (body.inMemory() == null) {
          publishStream(body, to);
        } else if (body.length() > 0) {
          publish(ByteBuffer.wrap(body.bytes()), to);
        }
      } catch (IOException e) {
        check(to);
        throw e;
      }
    }
    check(to);
    to.tellEnd();
  }

  private void publishStream(Body body, Receiver to) throws IOException, CancelledException {
    try (InputStream content = body.stream()) {
      for (ByteBuffer next = read(content); next != null; next = read(content)) {
        publish(next, to);
      }
    }
  }

  private static @Nullable ByteBuffer read(InputStream content) throws IOException {
    byte[] bytes = new byte[Math.clamp(content.available(), LEAST_BYTES, MOST_BYTES)];
    int count = content.read(bytes);
    return count < 0 ? null : ByteBuffer.wrap(bytes, 0, count);
  }

  private void publish(ByteBuffer next, Receiver to) throws IOException, CancelledException {
    awaitDemand(to);
    to.wanted.updateAndGet(had -> had == Long.MAX_VALUE ? had : had - 1);
    Subscriber<? super ByteBuffer> subscriber = to.subscriber;
    if (subscriber != null) {
      subscriber.onNext(next);
    }
  }

  private Receiver awaitSubscriber() throws IOException {
    while (true) {
      checkEnded();
      Receiver present = receiver.get();
      if (present != null && ready) {
        return present;
      }
      LockSupport.park(this);
    }
  }

  private void awaitDemand(Receiver to) throws IOException, CancelledException {
    while (true) {
      check(to);
      if (to.wanted.get() > 0) {
        return;
      }
      LockSupport.park(this);
    }
  }

  private void check(Receiver to) throws IOException, CancelledException {
    checkEnded();
    if (to.cancelled) {
      throw new CancelledException();
    }
    RuntimeException misused = to.misuse;
    if (misused != null) {
      throw misused;
    }
  }

  private void checkEnded() throws IOException {
    Throwable because = ended;
    if (because != null) {
      throw new IOException(because.getMessage(), because);
    }
  }

  /** Stops publishing before the end of the content. From any thread. */
  void end(Throwable because) {
    ended = because;
    wake();
  }

  /** Fails the subscriber, if there is one. Called on the publishing thread. */
  void fail(Throwable failure) {
    ended = failure;
    publishing = null;
    Receiver present = receiver.get();
    if (present != null && ready) {
      present.tellFailure(failure);
    }
  }
}
