package heddle.adapters.support;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the content of a response to one subscriber as it requests it. Content that arrived with
 * the head is delivered by the requesting thread, other content by a virtual thread that lives
 * while there is demand. At most one buffer is read ahead, so that the end is signalled without a
 * request. Thread-safe.
 *
 * @param <T> what the subscriber gets for a buffer
 */
public final class ContentDelivery<T> implements Flow.Publisher<T> {
  /** Delivery ended because the subscriber has cancelled its subscription. */
  public static final class CancelledException extends IOException {
    private static final long serialVersionUID = 1L;

    CancelledException() {
      super("the subscriber cancelled its subscription before the end of the content");
    }
  }

  /** The maximum size of a buffer. The minimum below is used if no bytes are available. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final int LEAST_BYTES = 8 * 1024;

  private final Body body;
  private final Function<ByteBuffer, T> item;
  private final boolean readsAhead;
  private final UnaryOperator<Throwable> translated;
  private final Consumer<@Nullable Throwable> over;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final Demand demand = new Demand();

  /** Null after the last signal, because the reference must be dropped (Reactive Streams 3.13). */
  private volatile Flow.@Nullable Subscriber<? super T> subscriber;

  private final AtomicLong wanted = new AtomicLong();

  /**
   * Above 0 while a thread delivers; incremented to make that thread look again. It is 1 until
   * {@code onSubscribe} has returned, because no other signal may be given before.
   */
  private final AtomicInteger work = new AtomicInteger(1);

  private volatile boolean cancelled;

  /** Why delivery stopped before the end of the content. */
  private volatile @Nullable Throwable failure;

  // Used by the delivering thread.
  private final boolean arrived;
  private @Nullable ByteBuffer whole;
  private @Nullable InputStream content;
  private @Nullable ByteBuffer next;
  private boolean begun;
  private boolean done;

  /**
   * @param item converts a buffer, which belongs to the subscriber unless it is read-only
   * @param readsAhead whether the first buffer is read before there is demand, so that empty
   *     content completes without demand
   * @param translated returns the exception for the subscriber when reading has failed
   * @param over called once when delivery to a subscriber ends, after its last signal, with the
   *     failure, or null at the end of the content
   */
  public ContentDelivery(
      Body body,
      Function<ByteBuffer, T> item,
      boolean readsAhead,
      UnaryOperator<Throwable> translated,
      Consumer<@Nullable Throwable> over) {
    this.body = body;
    this.item = item;
    this.readsAhead = readsAhead;
    this.translated = translated;
    this.over = over;
    this.whole = body.inMemory();
    this.arrived = whole != null;
  }

  // ---- the subscriber's side

  /**
   * Begins delivery. A second subscriber fails with an {@link IllegalStateException}.
   *
   * @throws RuntimeException what the subscriber's {@code onSubscribe} throws
   */
  @Override
  public void subscribe(Flow.Subscriber<? super T> given) {
    Objects.requireNonNull(given, "subscriber");
    if (!taken.compareAndSet(false, true)) {
      refuse(given);
      return;
    }
    subscriber = given;
    given.onSubscribe(demand);
    deliver();
  }

  private static void refuse(Flow.Subscriber<?> second) {
    second.onSubscribe(new Flow.Subscription() {
      @Override
      public void request(long count) {}

      @Override
      public void cancel() {}
    });
    second.onError(
        new IllegalStateException("the content of a response can be subscribed to only once"));
  }

  private final class Demand implements Flow.Subscription {
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
  }

  /**
   * Stops delivery and fails the subscriber, or one that subscribes later. From any thread. Does
   * nothing if delivery has ended.
   */
  public void fail(Throwable because) {
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
      deliver();
    }
  }

  private void deliver() {
    if (arrived) {
      deliverAll();
    } else {
      Thread.ofVirtual().name("heddle-content").start(this::deliverAll);
    }
  }

  /** Repeats until there is nothing new. */
  private void deliverAll() {
    int seen = 1;
    while (seen != 0) {
      deliverWanted();
      seen = work.addAndGet(-seen);
    }
  }

  private void deliverWanted() {
    while (!done) {
      Throwable because = failure;
      if (cancelled) {
        end(new CancelledException());
      } else if (because != null) {
        endWith(because);
      } else if (next == null) {
        if (!begun && !readsAhead && wanted.get() == 0) {
          return;
        }
        read();
      } else if (wanted.get() == 0) {
        return;
      } else {
        deliver(next);
      }
    }
  }

  private void read() {
    begun = true;
    try {
      next = arrived ? takeWhole() : readMore();
      if (next == null && !cancelled && failure == null) {
        end(signal(Flow.Subscriber::onComplete));
      }
    } catch (IOException | RuntimeException e) {
      // If the body was closed here, reading fails because of that.
      if (!cancelled && failure == null) {
        failure = translated.apply(e);
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
    return count < 0 ? null : ByteBuffer.wrap(bytes, 0, count);
  }

  private void deliver(ByteBuffer buffer) {
    next = null;
    wanted.updateAndGet(had -> had == Long.MAX_VALUE ? had : had - 1);
    Throwable thrown = signal(to -> to.onNext(item.apply(buffer)));
    if (thrown != null) {
      giveUp();
      endWith(thrown);
    }
  }

  // ---- the end

  private void endWith(Throwable because) {
    Throwable thrown = signal(to -> to.onError(because));
    if (thrown != null) {
      because.addSuppressed(thrown);
    }
    end(because);
  }

  /** Calls the subscriber, and returns what it throws. */
  private @Nullable Throwable signal(Consumer<Flow.Subscriber<? super T>> call) {
    Flow.Subscriber<? super T> to = subscriber;
    try {
      if (to != null) {
        call.accept(to);
      }
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  private void end(@Nullable Throwable because) {
    done = true;
    subscriber = null;
    next = null;
    giveUp();
    over.accept(because);
  }
}
