package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is requested from a publisher, what it gets, and what its reader gets. */
@Timeout(60)
class PublishedInputTest {
  /** Publishes given buffers on request, and records its signals. */
  private static final class Publisher implements BodyPublisher, Flow.Subscription {
    private final List<Flow.Subscriber<? super ByteBuffer>> subscribers = new ArrayList<>();
    private final ArrayDeque<ByteBuffer> items = new ArrayDeque<>();
    private long asked;
    private int cancelled;

    Publisher with(int count, byte... bytes) {
      for (int i = 0; i < count; i++) {
        items.add(ByteBuffer.wrap(bytes));
      }
      return this;
    }

    Flow.Subscriber<? super ByteBuffer> subscriber() {
      return subscribers.getFirst();
    }

    @Override
    public long contentLength() {
      return -1;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      subscribers.add(subscriber);
      subscriber.onSubscribe(this);
    }

    @Override
    public void request(long count) {
      asked += count;
      for (long i = 0; i < count && !items.isEmpty(); i++) {
        subscriber().onNext(items.remove());
      }
    }

    @Override
    public void cancel() {
      cancelled++;
    }
  }

  @Test
  void asManyAreRequestedAsWereReadAndFourAhead() throws Exception {
    Publisher publisher = new Publisher().with(20, (byte) 1);
    try (PublishedInput input = PublishedInput.of(publisher, false)) {
      assertEquals(4, publisher.asked);
      for (int i = 1; i <= 8; i++) {
        assertEquals(1, input.read());
        assertEquals(4 + i, publisher.asked);
      }
    }
  }

  @Test
  void emptyBuffersAreReadPast() throws Exception {
    Publisher publisher = new Publisher().with(20).with(1, (byte) 7);
    try (PublishedInput input = PublishedInput.of(publisher, false)) {
      assertEquals(7, input.read());
    }
  }

  @Test
  void arrivedContentIsReadBeforeTheEndAndNothingAfterIt() throws Exception {
    Publisher publisher = new Publisher().with(3, (byte) 1);
    try (PublishedInput input = PublishedInput.of(publisher, false)) {
      publisher.subscriber().onComplete();
      publisher.subscriber().onNext(ByteBuffer.wrap(new byte[] {2}));
      assertEquals(
          List.of(1, 1, 1, -1, -1),
          List.of(input.read(), input.read(), input.read(), input.read(), input.read()));
    }
    assertEquals(0, publisher.cancelled);
  }

  @Test
  void arrivedContentIsReadBeforeTheFailure() throws Exception {
    Publisher publisher = new Publisher().with(1, (byte) 1);
    IOException failure = new IOException("disk full");
    try (PublishedInput input = PublishedInput.of(publisher, false)) {
      publisher.subscriber().onError(failure);
      assertEquals(1, input.read());
      assertEquals(failure, assertThrows(IOException.class, input::read).getCause());
      assertEquals(failure, input.failure());
    }
    assertEquals(0, publisher.cancelled);
  }

  /** Else half of it would be sent as if it were all. */
  @Test
  void abandonedContentDoesNotEnd() throws Exception {
    Publisher publisher = new Publisher().with(1, (byte) 1);
    PublishedInput input = PublishedInput.of(publisher, false);
    input.close();
    assertThrows(IOException.class, input::read);
    assertEquals(1, publisher.cancelled);
    input.close();
    assertEquals(1, publisher.cancelled);
  }

  @Test
  void aSecondSubscriptionIsCancelled() throws Exception {
    Publisher publisher = new Publisher().with(1, (byte) 1);
    Publisher second = new Publisher();
    try (PublishedInput input = PublishedInput.of(publisher, false)) {
      publisher.subscriber().onSubscribe(second);
      assertEquals(1, second.cancelled);
      assertEquals(0, second.asked);
      assertEquals(1, input.read());
      assertEquals(0, publisher.cancelled);
    }
  }

  @Test
  void aSubscriptionAfterTheEndIsCancelled() throws Exception {
    Publisher late = new Publisher();
    BodyPublisher none = new BodyPublisher() {
      @Override
      public long contentLength() {
        return -1;
      }

      @Override
      public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        late.subscribers.add(subscriber);
      }
    };
    PublishedInput.of(none, false).close();
    late.subscriber().onSubscribe(late);
    assertEquals(1, late.cancelled);
    assertEquals(0, late.asked);
  }

  @Test
  void tooManyUnrequestedBuffersFailAndAreCancelled() throws Exception {
    Publisher publisher = new Publisher();
    try (PublishedInput input = PublishedInput.of(publisher, false)) {
      for (int i = 0; i < 256; i++) {
        publisher.subscriber().onNext(ByteBuffer.wrap(new byte[1]));
      }
      assertEquals(0, publisher.cancelled);
      publisher.subscriber().onNext(ByteBuffer.wrap(new byte[1]));
      assertEquals(1, publisher.cancelled);
      IOException failure = assertThrows(IOException.class, input::read);
      assertTrue(failure.getMessage().contains("256 buffers"), failure.getMessage());
    }
  }

  /** Publishes one byte, and waits until that was read. */
  private record Blocking(CountDownLatch read, AtomicInteger asking, AtomicInteger most)
      implements BodyPublisher {
    @Override
    public long contentLength() {
      return -1;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      subscriber.onSubscribe(new Flow.Subscription() {
        private final AtomicBoolean begun = new AtomicBoolean();

        @Override
        public void request(long count) {
          most.accumulateAndGet(asking.incrementAndGet(), Math::max);
          if (begun.compareAndSet(false, true)) {
            subscriber.onNext(ByteBuffer.wrap(new byte[] {1}));
            try {
              read.await();
            } catch (InterruptedException e) {
              subscriber.onError(e);
            }
          } else {
            subscriber.onComplete();
          }
          asking.decrementAndGet();
        }

        @Override
        public void cancel() {}
      });
    }
  }

  @Test
  void oneThreadAtATimeAsksAPublisherThatBlocks() throws Exception {
    for (int i = 0; i < 20; i++) {
      CountDownLatch read = new CountDownLatch(1);
      AtomicInteger most = new AtomicInteger();
      try (PublishedInput input =
          PublishedInput.of(new Blocking(read, new AtomicInteger(), most), true)) {
        assertEquals(1, input.read());
        read.countDown();
        assertEquals(-1, input.read());
      }
      assertEquals(1, most.get());
    }
  }

  @Test
  void anInterruptEndsTheWaitingAndStays() throws Exception {
    try (PublishedInput input = PublishedInput.of(new Publisher(), false)) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, input::read);
      assertTrue(Thread.interrupted());
    }
  }
}
