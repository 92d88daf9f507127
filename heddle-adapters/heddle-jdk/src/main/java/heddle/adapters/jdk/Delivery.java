package heddle.adapters.jdk;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the content of a response to its subscriber on demand. Content that arrived with the
 * head is delivered by the requesting thread, other content by a virtual thread that lives while
 * there is demand. At most one buffer is read ahead, so that the end is signalled without a
 * request.
 */
final class Delivery<T> implements Flow.Subscription {
  /** Delivery ended because the subscriber cancelled. */
  static final class CancelledException extends IOException {
    private static final long serialVersionUID = 1L;

    CancelledException() {
      super("the subscriber cancelled its subscription before it had made a body");
    }
  }

  /** The maximum size of a buffer. The minimum below is used if no bytes are available. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final int LEAST_BYTES = 8 * 1024;

  private final Body body;
  private final Signals signals;
  private final Consumer<@Nullable Throwable> over;

  /** Null after the last signal, because the reference must be dropped (Reactive Streams 3.13). */
  private volatile @Nullable BodySubscriber<T> subscriber;

  private final AtomicLong wanted = new AtomicLong();

  /** Above 0 while a thread delivers; incremented to make that thread look again. */
  private final AtomicInteger work = new AtomicInteger();

  private volatile boolean cancelled;

  /** Why delivery stopped before the end of the content. */
  private volatile @Nullable Throwable failure;

  // Used by the delivering thread.
  private final boolean arrived;
  private final boolean sized;
  private @Nullable ByteBuffer whole;
  private @Nullable InputStream content;
  private @Nullable ByteBuffer next;
  private boolean begun;
  private boolean done;

  /**
   * @param sized whether the length is known from the head. If so, empty content completes without
   *     demand; otherwise only on demand, even if it arrived with the head
   * @param signals runs the subscriber's signals for content that arrives after the head
   * @param over called once when delivery ends, with the failure, or null at the end of the content
   */
  Delivery(
      Body body,
      BodySubscriber<T> subscriber,
      boolean sized,
      Signals signals,
      Consumer<@Nullable Throwable> over) {
    this.body = body;
    this.subscriber = subscriber;
    this.sized = sized;
    this.over = over;
    this.whole = body.inMemory();
    this.arrived = whole != null;
    this.signals = arrived ? Signals.DIRECT : signals;
  }

  /** Begins delivery. Throws what the subscriber's {@code onSubscribe} throws. */
  void start() {
    work.set(1); // No delivery before onSubscribe has returned.
    BodySubscriber<T> told = subscriber;
    if (told != null) {
      told.onSubscribe(this);
    }
    handOver();
  }

  // ---- the subscriber's side

  @Override
  public void request(long count) {
    if (count <= 0) {
      fail(new IllegalArgumentException(
          "request(" + count + "): the count must be positive (Reactive Streams 3.9)"));
    } else {
      wanted.accumulateAndGet(count, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
      proceed();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    giveUp();
    proceed();
  }

  /** Stops delivery and fails the subscriber. From any thread. */
  void fail(Throwable because) {
    if (failure == null) {
      failure = because;
    }
    giveUp();
    proceed();
  }

  /** Closes the body, on which the delivering thread may be waiting. */
  private void giveUp() {
    try {
      body.close();
    } catch (IOException e) {
      // The connection is closed anyway, and the rest is not needed.
      return;
    }
  }

  // ---- delivering

  private void proceed() {
    if (work.getAndIncrement() == 0) {
      handOver();
    }
  }

  private void handOver() {
    if (arrived) {
      handOverAll();
    } else {
      Thread.ofVirtual().name("heddle-jdk-body").start(this::handOverAll);
    }
  }

  /** Repeats until there is nothing new. */
  private void handOverAll() {
    int seen = 1;
    while (seen != 0) {
      handOverWanted();
      seen = work.addAndGet(-seen);
    }
  }

  private void handOverWanted() {
    while (!done) {
      Throwable because = failure;
      if (cancelled) {
        end(new CancelledException());
      } else if (because != null) {
        endWith(because);
      } else if (next == null) {
        if (!begun && wanted.get() == 0 && (whole == null || !sized)) {
          return;
        }
        read();
      } else if (wanted.get() == 0) {
        return;
      } else {
        handOver(List.of(next));
      }
    }
  }

  private void read() {
    begun = true;
    try {
      next = arrived ? takeWhole() : readMore();
      if (next == null && !cancelled && failure == null) {
        complete();
      }
    } catch (IOException | RuntimeException e) {
      // If the body was closed here, reading fails because of that.
      if (!cancelled && failure == null) {
        failure = Failures.of(e);
      }
    }
  }

  private @Nullable ByteBuffer takeWhole() {
    ByteBuffer all = whole;
    whole = null;
    return all == null || !all.hasRemaining() ? null : all;
  }

  private @Nullable ByteBuffer readMore() throws IOException {
    InputStream open = content;
    if (open == null) {
      open = body.stream();
      content = open;
    }
    byte[] bytes = new byte[Math.clamp(open.available(), LEAST_BYTES, MOST_BYTES)];
    int count = open.read(bytes);
    return count < 0 ? null : ByteBuffer.wrap(bytes, 0, count).asReadOnlyBuffer();
  }

  private void handOver(List<ByteBuffer> buffers) {
    next = null;
    wanted.updateAndGet(had -> had == Long.MAX_VALUE ? had : had - 1);
    BodySubscriber<T> told = subscriber;
    try {
      if (told != null) {
        signals.run(() -> told.onNext(buffers));
      }
    } catch (RuntimeException | Error e) {
      giveUp();
      endWith(e);
    }
  }

  // ---- the end

  private void complete() {
    BodySubscriber<T> told = subscriber;
    Throwable thrown = null;
    try {
      if (told != null) {
        signals.run(told::onComplete);
      }
    } catch (RuntimeException | Error e) {
      thrown = e;
    }
    end(thrown);
  }

  private void endWith(Throwable because) {
    BodySubscriber<T> told = subscriber;
    try {
      if (told != null) {
        signals.run(() -> told.onError(because));
      }
    } catch (RuntimeException | Error e) {
      because.addSuppressed(e);
    }
    end(because);
  }

  private void end(@Nullable Throwable because) {
    done = true;
    subscriber = null;
    next = null;
    giveUp();
    over.accept(because);
  }
}
