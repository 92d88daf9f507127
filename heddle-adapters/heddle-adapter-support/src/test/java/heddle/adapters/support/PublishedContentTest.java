package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is requested from a publisher, what it gets, and what its reader gets. */
@Timeout(60)
class PublishedContentTest {
  /** Publishes given buffers on request, and records its signals. */
  private static final class Publisher implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
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

  private static InputStream stream(Publisher publisher) throws IOException {
    return new PublishedContent(publisher, Body.UNKNOWN, false).stream();
  }

  @Test
  void asManyAreRequestedAsWereReadAndFourAhead() throws Exception {
    Publisher publisher = new Publisher().with(20, (byte) 1);
    try (InputStream input = stream(publisher)) {
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
    try (InputStream input = stream(publisher)) {
      assertEquals(7, input.read());
    }
  }

  @Test
  void arrivedContentIsReadBeforeTheEndAndNothingAfterIt() throws Exception {
    Publisher publisher = new Publisher().with(3, (byte) 1);
    try (InputStream input = stream(publisher)) {
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
    PublishedContent content = new PublishedContent(publisher, Body.UNKNOWN, false);
    try (InputStream input = content.stream()) {
      publisher.subscriber().onError(failure);
      assertEquals(1, input.read());
      assertEquals(failure, assertThrows(IOException.class, input::read).getCause());
      assertEquals(failure, content.failure());
    }
    assertEquals(0, publisher.cancelled);
  }

  /** Else half of it would be sent as if it were all. */
  @Test
  void abandonedContentDoesNotEnd() throws Exception {
    Publisher publisher = new Publisher().with(1, (byte) 1);
    InputStream input = stream(publisher);
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
    try (InputStream input = stream(publisher)) {
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
    Flow.Publisher<ByteBuffer> none = late.subscribers::add;
    new PublishedContent(none, Body.UNKNOWN, false).stream().close();
    late.subscriber().onSubscribe(late);
    assertEquals(1, late.cancelled);
    assertEquals(0, late.asked);
  }

  @Test
  void tooManyUnrequestedBuffersFailAndAreCancelled() throws Exception {
    Publisher publisher = new Publisher();
    try (InputStream input = stream(publisher)) {
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
      implements Flow.Publisher<ByteBuffer> {
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
      Blocking blocking = new Blocking(read, new AtomicInteger(), most);
      try (InputStream input = new PublishedContent(blocking, Body.UNKNOWN, true).stream()) {
        assertEquals(1, input.read());
        read.countDown();
        assertEquals(-1, input.read());
      }
      assertEquals(1, most.get());
    }
  }

  @Test
  void anInterruptEndsTheWaitingAndStays() throws Exception {
    try (InputStream input = stream(new Publisher())) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, input::read);
      assertTrue(Thread.interrupted());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatThePublisherThrowsIsReported(boolean blocks) throws Exception {
    IllegalStateException thrown = new IllegalStateException("no");
    PublishedContent atSubscribe = new PublishedContent(
        subscriber -> {
          throw thrown;
        },
        Body.UNKNOWN,
        blocks);
    assertSame(thrown, assertThrows(IllegalStateException.class, atSubscribe::stream));
    assertSame(thrown, atSubscribe.failure());
    AtomicInteger cancelled = new AtomicInteger();
    PublishedContent atRequest = new PublishedContent(
        subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
          @Override
          public void request(long count) {
            throw thrown;
          }

          @Override
          public void cancel() {
            cancelled.incrementAndGet();
          }
        }),
        Body.UNKNOWN,
        blocks);
    try (InputStream input = atRequest.stream()) {
      assertSame(thrown, assertThrows(IOException.class, input::read).getCause());
    }
    assertSame(thrown, atRequest.failure());
    assertEquals(1, cancelled.get());
  }

  @Test
  void contentIsPublishedForEachAttempt() throws Exception {
    Publisher publisher = new Publisher().with(2, (byte) 1);
    PublishedContent content = new PublishedContent(publisher, Body.UNKNOWN, false);
    assertTrue(content.isReplayable());
    content.stream().close();
    content.stream().close();
    assertEquals(2, publisher.subscribers.size());
    assertEquals(2, publisher.cancelled);
  }
}
