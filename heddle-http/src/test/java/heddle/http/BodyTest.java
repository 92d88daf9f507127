package heddle.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class BodyTest {
  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void bytesAreReadWhateverTheBodyIsMadeOf() throws Exception {
    for (int size : new int[] {0, 1, 8191, 8192, 8193, 3 << 20}) {
      byte[] content = random(size);
      assertArrayEquals(content, Body.of(content).bytes());
      assertArrayEquals(content, Body.of(new ByteArrayInputStream(content)).bytes());
      assertArrayEquals(
          content, Body.of(new ByteArrayInputStream(content), size).bytes(size));
      Body again = Body.replayable(size, () -> new ByteArrayInputStream(content));
      assertArrayEquals(again.bytes(), again.bytes());
      assertArrayEquals(content, Body.of(new ByteArrayInputStream(content)).bytes(size));
    }
  }

  /** Gives its content in pieces and notes how much room a reader had made before each came. */
  private static final class ArrivingContent extends InputStream {
    private final byte[] content;
    private final int pieceBytes;
    private int arrived;
    private double mostRoom;

    ArrivingContent(byte[] content, int pieceBytes) {
      this.content = content;
      this.pieceBytes = pieceBytes;
    }

    @Override
    public int read() {
      return arrived < content.length ? content[arrived++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (arrived == content.length) {
        return -1;
      }
      mostRoom = Math.max(mostRoom, target.length / Math.max(8192.0, arrived));
      int count = Math.min(Math.min(length, pieceBytes), content.length - arrived);
      System.arraycopy(content, arrived, target, offset, count);
      arrived += count;
      return count;
    }
  }

  @Test
  void memoryForAnAnnouncedLengthGrowsWithTheContentThatHasArrived() throws Exception {
    for (int pieceBytes : new int[] {1, 1000, 1 << 20}) {
      byte[] content = random(1 << 20);
      var arriving = new ArrivingContent(content, pieceBytes);
      assertArrayEquals(content, Body.of(arriving, content.length).bytes());
      assertTrue(arriving.mostRoom <= 2, "room for " + arriving.mostRoom + " times the content");
    }
  }

  @Test
  void announcedLengthWithoutContentCostsEightKibibytes() {
    var silent = new ArrivingContent(random(1), 1);
    assertThrows(IOException.class, () -> Body.of(silent, 1 << 20).bytes());
    assertTrue(silent.mostRoom <= 1, silent.mostRoom + " times 8 KiB");
    var text = new ArrivingContent(random(1), 1);
    assertThrows(IOException.class, () -> Body.of(text, 1 << 20).string());
    assertTrue(text.mostRoom <= 1, text.mostRoom + " times 8 KiB");
    var copied = new ArrivingContent(random(1), 1);
    assertDoesNotThrow(() -> Body.of(copied, 1 << 20).transferTo(new ByteArrayOutputStream()));
    assertTrue(copied.mostRoom <= 1, copied.mostRoom + " times 8 KiB");
  }

  @Test
  void memoryIsReservedBeforeItIsAllocated() throws IOException {
    List<Integer> reserved = new ArrayList<>();
    class Counted extends Body {
      private final long length;

      Counted(long length) {
        this.length = length;
      }

      @Override
      public long length() {
        return length;
      }

      @Override
      public boolean isReplayable() {
        return true;
      }

      @Override
      public InputStream stream() {
        return new ArrivingContent(random(40_000), 10_000);
      }

      @Override
      public void reserve(int bytes) throws IOException {
        if (bytes > 1 << 20) {
          throw new IOException("no room");
        }
        reserved.add(bytes);
      }
    }

    assertEquals(40_000, new Counted(40_000).bytes().length);
    assertEquals(40_000, reserved.getLast());
    reserved.clear();
    assertEquals(40_000, new Counted(Body.UNKNOWN).bytes().length);
    assertEquals(List.of(8192, 16_384, 32_768, 65_536), reserved);
    assertThrows(
        IOException.class,
        () -> new Counted(3 << 20) {
          @Override
          public InputStream stream() {
            return new ByteArrayInputStream(new byte[3 << 20]);
          }
        }.bytes());
  }

  @Test
  void tooLargeBodyNamesTheLimitAndIsClosed() {
    AtomicBoolean closed = new AtomicBoolean();
    InputStream stream = new ByteArrayInputStream(random(11)) {
      @Override
      public void close() {
        closed.set(true);
      }
    };
    BodyTooLargeException refused =
        assertThrows(BodyTooLargeException.class, () -> Body.of(stream).bytes(10));
    assertTrue(refused.getMessage().contains("limit is 10"), refused.getMessage());
    assertTrue(closed.getAndSet(false));
    assertThrows(BodyTooLargeException.class, () -> Body.of(stream, 11).bytes(10));
    assertTrue(closed.get(), "a stream that was never read is closed too");
    assertThrows(BodyTooLargeException.class, () -> Body.of(random(11)).string(10));
    assertThrows(IllegalArgumentException.class, () -> Body.of(random(1)).bytes(-1));
  }

  @Test
  void bodyThatIsNotOfItsLengthIsAnError() {
    assertThrows(IOException.class, () -> Body.of(new ByteArrayInputStream(random(9)), 10)
        .bytes());
    assertThrows(IOException.class, () -> Body.of(new ByteArrayInputStream(random(11)), 10)
        .bytes());
    assertThrows(IllegalArgumentException.class, () -> Body.of(InputStream.nullInputStream(), -2));
  }

  @Test
  void oneShotBodyOpensOnce() throws Exception {
    Body body = Body.of(new ByteArrayInputStream(random(3)));
    assertFalse(body.isReplayable());
    body.discard();
    IllegalStateException refused = assertThrows(IllegalStateException.class, body::stream);
    assertNotNull(refused.getMessage());
  }

  @Test
  void contentOfKnownLengthIsTransferredThroughABufferNoLargerThanThat() throws Exception {
    for (int size : new int[] {0, 1, 12, 100_000}) {
      byte[] content = random(size);
      AtomicInteger largest = new AtomicInteger();
      InputStream stream = new ByteArrayInputStream(content) {
        @Override
        public int read(byte[] target) {
          largest.accumulateAndGet(target.length, Math::max);
          return read(target, 0, target.length);
        }
      };
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals(size, Body.of(stream, size).transferTo(out));
      assertArrayEquals(content, out.toByteArray());
      // Nothing tells where content ends but a read that finds no more of it.
      int most = Math.max(1, size);
      assertTrue(largest.get() <= most, largest + " bytes of buffer for " + size);
    }
  }

  @Test
  void changingReadBytesLeavesTheBodyAsItIs() throws Exception {
    Body body = Body.of("abc");
    body.bytes()[0] = 'x';
    assertEquals("abc", body.string());
    assertTrue(assertNotNullBuffer(body).isReadOnly());
  }

  private static ByteBuffer assertNotNullBuffer(Body body) {
    ByteBuffer held = body.inMemory();
    assertNotNull(held);
    return held;
  }

  @Test
  void textIsDecodedWithTheCharsetOfTheMediaType() throws Exception {
    byte[] latin1 = "\u00e4".getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(
        "\u00e4", Body.of(latin1, MediaType.parse("a/b;charset=iso-8859-1")).string());
    assertEquals("\ufffd", Body.of(latin1).string());
    assertEquals(
        "\u00e4", Body.of("\u00e4", MediaType.parse("a/b; charset=utf-16")).string());
    MediaType unknown = MediaType.parse("a/b; charset=none-such");
    assertThrows(IllegalArgumentException.class, () -> Body.of("x", unknown));
  }

  @Test
  void fileIsReadAndWrittenFromVirtualAndPlatformThreads(@TempDir Path folder) throws Exception {
    byte[] content = random(300_001);
    Path from = Files.write(folder.resolve("from"), content);
    for (boolean virtual : new boolean[] {true, false}) {
      Path to = folder.resolve("to-" + virtual);
      FutureTask<Long> copy = new FutureTask<>(() -> Body.of(from).transferTo(to));
      Thread thread =
          virtual ? Thread.ofVirtual().start(copy) : Thread.ofPlatform().start(copy);
      assertEquals(content.length, copy.get());
      assertArrayEquals(content, Files.readAllBytes(to));
      thread.join();
    }
    assertEquals(content.length, Body.of(from).length());
    assertTrue(Body.of(from).isReplayable());
    assertThrows(NoSuchFileException.class, () -> Body.of(folder.resolve("none")));
    assertThrows(IOException.class, () -> Body.of(folder));
  }

  @Test
  void filesOfManyVirtualThreadsAreReadByFourThreadsAtMost(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("f"), random(100_000));
    var reads = new java.util.ArrayList<FutureTask<byte[]>>();
    for (int i = 0; i < 50; i++) {
      FutureTask<byte[]> read = new FutureTask<>(() -> Body.of(file).bytes());
      reads.add(read);
      Thread.ofVirtual().start(read);
    }
    for (FutureTask<byte[]> read : reads) {
      assertEquals(100_000, read.get().length);
    }
    long threads = Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("heddle-file-"))
        .peek(thread -> assertTrue(thread.isDaemon()))
        .count();
    assertTrue(threads >= 1 && threads <= 4, "threads: " + threads);
  }

  @Test
  void publisherIsReadWithBoundedDemand() throws Exception {
    AtomicLong asked = new AtomicLong();
    AtomicLong sent = new AtomicLong();
    Flow.Publisher<ByteBuffer> publisher =
        subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
          @Override
          public void request(long n) {
            asked.addAndGet(n);
            for (long i = 0; i < n && sent.get() < 1000; i++) {
              sent.incrementAndGet();
              subscriber.onNext(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            }
            if (sent.compareAndSet(1000, 1001)) {
              subscriber.onComplete();
            }
          }

          @Override
          public void cancel() {}
        });
    Body body = Body.of(publisher, Body.UNKNOWN);
    try (InputStream in = body.stream()) {
      assertEquals(1, in.read());
      assertTrue(asked.get() <= 5, "asked for " + asked);
      assertEquals(2999, in.readAllBytes().length);
    }
    assertThrows(IllegalStateException.class, body::stream);
  }

  @Test
  void publisherOnOtherThreadsIsReadInOrder() throws Exception {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    FutureTask<byte[]> read;
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      read = new FutureTask<>(() -> Body.of(publisher, Body.UNKNOWN).bytes());
      Thread.ofVirtual().start(read);
      while (!publisher.hasSubscribers()) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < 500; i++) {
        byte[] part = random(i);
        expected.write(part);
        publisher.submit(ByteBuffer.wrap(part));
      }
    }
    assertArrayEquals(expected.toByteArray(), read.get());
  }

  @Test
  void failureOfThePublisherReachesTheReader() throws Exception {
    try (SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      InputStream in = Body.of(publisher, Body.UNKNOWN).stream();
      IllegalStateException cause = new IllegalStateException("broken loom");
      publisher.closeExceptionally(cause);
      IOException failure = assertThrows(IOException.class, in::read);
      assertEquals(cause, failure.getCause());
      assertTrue(failure.getMessage().contains("broken loom"));
    }
  }

  @Test
  void closingTheStreamCancelsTheSubscription() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    Flow.Publisher<ByteBuffer> silent =
        subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {
            cancelled.countDown();
          }
        });
    InputStream in = Body.of(silent, Body.UNKNOWN).stream();
    FutureTask<Integer> read = new FutureTask<>(in::read);
    Thread.ofVirtual().start(read);
    in.close();
    cancelled.await();
    Exception failure = assertThrows(Exception.class, read::get);
    assertInstanceOf(IOException.class, failure.getCause());
  }

  @Test
  void publisherThatSendsMoreThanAskedForIsAnError() throws Exception {
    AtomicBoolean cancelled = new AtomicBoolean();
    Flow.Publisher<ByteBuffer> flood = subscriber -> {
      subscriber.onSubscribe(new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {
          cancelled.set(true);
        }
      });
      for (int i = 0; i < 1000 && !cancelled.get(); i++) {
        subscriber.onNext(ByteBuffer.allocate(1));
      }
    };
    InputStream in = Body.of(flood, Body.UNKNOWN).stream();
    assertThrows(IOException.class, in::readAllBytes);
    assertTrue(cancelled.get());
  }

  @Test
  void interruptEndsTheWaitForAPublisherWithTheFlagSet() throws Exception {
    InputStream in = Body.of((Flow.Publisher<ByteBuffer>) subscriber -> {}, Body.UNKNOWN).stream();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread reader = Thread.ofVirtual().start(() -> {
      assertThrows(InterruptedIOException.class, in::read);
      flag.complete(Thread.currentThread().isInterrupted());
    });
    reader.interrupt();
    assertTrue(flag.get());
  }

  @Test
  void closingAResponseClosesItsBody() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    InputStream stream = new ByteArrayInputStream(random(1)) {
      @Override
      public void close() {
        closed.set(true);
      }
    };
    Response.ok(Body.of(stream)).close();
    assertTrue(closed.get());
  }

  @Test
  void writtenContentIsWrittenToAStreamOnTheCallingThread() throws Exception {
    Thread caller = Thread.currentThread();
    Body body = Body.written(out -> {
      assertEquals(caller, Thread.currentThread());
      out.write('a');
      out.write(new byte[] {'b', 'c'});
      out.close(); // which does not end what the content is a part of
    });
    assertTrue(body.isWritten());
    assertEquals(Body.UNKNOWN, body.length());
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    assertEquals(3, body.transferTo(target));
    assertEquals("abc", target.toString(StandardCharsets.US_ASCII));
    assertThrows(IllegalStateException.class, () -> body.transferTo(target));
    assertThrows(IllegalStateException.class, body::stream);
  }

  @Test
  void writtenContentIsReadWhileItIsWritten() throws Exception {
    byte[] content = random(300_000);
    MediaType type = MediaType.OCTET_STREAM;
    Body body = Body.written(type, out -> out.write(content));
    assertEquals(type, body.mediaType());
    assertArrayEquals(content, body.bytes());
  }

  @Test
  void theFailureOfAWriterReachesTheReader() throws Exception {
    InputStream in = Body.written(out -> {
          out.write(1);
          throw new IOException("on purpose");
        })
        .stream();
    assertEquals("on purpose", assertThrows(IOException.class, in::readAllBytes).getMessage());
  }
}
