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
 * Hands the content of a response to its subscriber as that asks for it. Content that has arrived
 * is handed over by whoever asks; other content by a virtual thread, which lives while it is asked
 * for something. At most one buffer is read beyond those, so that the end is told without being
 * asked for.
 */
final class Delivery<T> implements Flow.Subscription {
  /** That nothing more is handed over because the subscriber wanted nothing more. */
  static final class CancelledException extends IOException {
    private static final long serialVersionUID = 1L;

    CancelledException() {
      super("the subscriber cancelled its subscription before it had made a body");
    }
  }

  /** The most that one buffer holds, and the least that is asked of a body where nothing waits. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final int LEAST_BYTES = 8 * 1024;

  private final Body body;
  private final Signals signals;
  private final Consumer<@Nullable Throwable> over;

  /** Null once nothing more is told: it is not to be held any longer (Reactive Streams 3.13). */
  private volatile @Nullable BodySubscriber<T> subscriber;

  private final AtomicLong wanted = new AtomicLong();

  /** Above 0 while somebody hands over; more when there is news for whoever does. */
  private final AtomicInteger work = new AtomicInteger();

  private volatile boolean cancelled;

  /** Why nothing more is handed over although the content is not at its end. */
  private volatile @Nullable Throwable failure;

  // Of whoever hands over.
  private final boolean arrived;
  private final boolean sized;
  private @Nullable ByteBuffer whole;
  private @Nullable InputStream content;
  private @Nullable ByteBuffer next;
  private boolean begun;
  private boolean done;

  /**
   * @param sized whether the head says how much there is: that there is nothing is told unasked
   *     then, and otherwise as any content is, whether or not it has come with the head
   * @param signals runs what is told the subscriber of content that arrives later
   * @param over told once when nothing more is handed over: why, where the content was not at its
   *     end
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

  /** Begins; what the subscriber throws when it is told of its subscription is thrown here. */
  void start() {
    work.set(1); // Nobody hands over before the subscriber knows its subscription.
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
          "request(" + count + "): ask for more than nothing (Reactive Streams 3.9)"));
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

  /** The rest is not to be handed over, and the subscriber told why. From any thread. */
  void fail(Throwable because) {
    if (failure == null) {
      failure = because;
    }
    giveUp();
    proceed();
  }

  /** Ends the reading that whoever hands over may wait in. */
  private void giveUp() {
    try {
      body.close();
    } catch (IOException e) {
      // The connection is given up all the same, and nobody wants to read what is left.
      return;
    }
  }

  // ---- handing over

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

  /** Until there is no news. */
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
      // Where the body was given up, that is why reading fails.
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
