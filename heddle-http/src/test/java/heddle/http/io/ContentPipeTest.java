package heddle.http.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content between the thread that writes it and the one that sends it. */
@Timeout(60)
final class ContentPipeTest {
  private final ContentPipe pipe = new ContentPipe();

  @Test
  void contentLargerThanThePipeIsUnchanged() throws Exception {
    byte[] content = new byte[1_000_003];
    new Random(7).nextBytes(content);
    Thread writer = Thread.ofVirtual().start(() -> {
      try {
        for (int at = 0; at < content.length; at += 70_001) {
          pipe.output().write(content, at, Math.min(70_001, content.length - at));
        }
        pipe.end();
      } catch (IOException e) {
        pipe.fail(e);
      }
    });
    assertEquals(content[0] & 0xFF, pipe.input().read());
    byte[] rest = pipe.input().readAllBytes();
    writer.join();
    assertEquals(content.length - 1, rest.length);
    byte[] whole = new byte[content.length];
    whole[0] = content[0];
    System.arraycopy(rest, 0, whole, 1, rest.length);
    assertArrayEquals(content, whole);
    assertEquals(-1, pipe.input().read());
  }

  @Test
  void writeFailsAfterTheReaderHasClosed() throws Exception {
    pipe.output().write(new byte[10], 0, 10);
    pipe.input().close();
    assertFalse(pipe.hasRefused());
    assertThrows(IOException.class, () -> pipe.output().write(new byte[1], 0, 1));
    assertTrue(pipe.hasRefused());
  }

  @Test
  void readerFailsWithWhatTheWriterThrewThoughMoreIsThere() throws Exception {
    pipe.output().write(new byte[10], 0, 10);
    IllegalStateException broken = new IllegalStateException("the loom is broken");
    pipe.fail(broken);
    IOException failure = assertThrows(IOException.class, () -> pipe.input().read());
    assertSame(broken, failure.getCause());
  }

  @Test
  void theReaderFailsWithTheWritersExceptionItself() throws Exception {
    IOException broken = new IOException("disk full");
    pipe.fillWith(
        out -> {
          throw broken;
        },
        "writer");
    assertSame(broken, assertThrows(IOException.class, () -> pipe.input().read()));
    assertSame(broken, pipe.failure());
  }

  @Test
  void aWriterFailsWithTheReasonForWhichTheReaderLeft() throws Exception {
    IOException lost = new IOException("the connection was lost");
    FutureTask<Void> writing = new FutureTask<>(() -> {
      pipe.output().write(new byte[1_000_000]);
      return null;
    });
    Thread.ofVirtual().start(writing);
    assertEquals(0, pipe.input().read());
    pipe.abandon(lost);
    Throwable failure = assertThrows(ExecutionException.class, writing::get).getCause();
    assertSame(lost, failure.getCause());
    assertTrue(pipe.hasRefused());
    assertSame(lost, assertThrows(IOException.class, () -> pipe.input().read()).getCause());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptEndsTheWaitingAndStays(boolean writes) throws Exception {
    pipe.output().write(new byte[writes ? 64 * 1024 : 0]);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> {
      if (writes) {
        pipe.output().write(1);
      } else {
        pipe.input().read();
      }
    });
    assertTrue(Thread.interrupted());
  }

  @Test
  void offersAreTakenWithoutWaitingUpToTheCapacity() throws Exception {
    ByteBuffer content = ByteBuffer.allocate(100_000);
    assertEquals(64 * 1024, pipe.offer(content));
    assertEquals(0, pipe.offer(content));
    assertEquals(64 * 1024, pipe.input().read(new byte[100_000]));
    assertEquals(100_000 - 64 * 1024, pipe.offer(content));
    pipe.end();
    assertEquals(100_000 - 64 * 1024, pipe.input().readAllBytes().length);
  }

  /** Writes numbered bytes when it is asked, as many as are taken. */
  private static final class Numbers implements ContentPipe.Producer {
    private final ContentPipe pipe = new ContentPipe(this);
    private final ByteBuffer content;
    private int asked;

    Numbers(int size) {
      byte[] bytes = new byte[size];
      for (int i = 0; i < size; i++) {
        bytes[i] = (byte) i;
      }
      content = ByteBuffer.wrap(bytes);
    }

    @Override
    public boolean produce() {
      asked++;
      var unused = pipe.offer(content);
      if (!content.hasRemaining()) {
        pipe.end();
      }
      return false;
    }
  }

  @Test
  void aProducerWritesIntoTheReadersArrayAndIsAskedForTheRest() throws Exception {
    Numbers numbers = new Numbers(200_000);
    byte[] target = new byte[150_000];
    assertEquals(150_000, numbers.pipe.input().read(target));
    assertArrayEquals(Arrays.copyOf(numbers.content.array(), 150_000), target);
    assertEquals(1, numbers.asked);
    assertEquals(50_000, numbers.pipe.input().readAllBytes().length);
  }

  @ParameterizedTest
  @CsvSource({"1000,true", "999,false", "1001,false"})
  void aProducersWholeContentIsTakenAtOnce(int room, boolean fits) throws Exception {
    Numbers numbers = new Numbers(1000);
    assertEquals(fits, numbers.pipe.takeWhole(ByteBuffer.allocate(room)));
    assertArrayEquals(numbers.content.array(), numbers.pipe.input().readAllBytes());
  }

  @Test
  void aProducerIsAskedAgainOnlyWhenItIsWoken() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CompletableFuture<Void> first = new CompletableFuture<>();
    AtomicReference<ContentPipe> made = new AtomicReference<>();
    ContentPipe slow = new ContentPipe(() -> {
      if (asked.incrementAndGet() == 2) {
        made.get().offer(ByteBuffer.wrap(new byte[] {7}));
        made.get().end();
      }
      first.complete(null);
      return false;
    });
    made.set(slow);
    FutureTask<byte[]> reading = new FutureTask<>(() -> slow.input().readAllBytes());
    Thread.ofVirtual().start(reading);
    first.join();
    slow.wake();
    assertArrayEquals(new byte[] {7}, reading.get());
    assertEquals(2, asked.get());
  }

  @Test
  void aProducerThatWantsToBeIsAskedAgainAfterAPause() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicReference<ContentPipe> made = new AtomicReference<>();
    made.set(new ContentPipe(() -> {
      if (asked.incrementAndGet() == 3) {
        made.get().end();
      }
      return true;
    }));
    assertEquals(-1, made.get().input().read());
  }

  @Test
  void whatAProducerThrowsFailsTheReader() throws Exception {
    IllegalStateException thrown = new IllegalStateException("no");
    ContentPipe failing = new ContentPipe(() -> {
      throw thrown;
    });
    IOException failure = assertThrows(IOException.class, () -> failing.input().read());
    assertSame(thrown, failure.getCause());
    assertSame(thrown, failing.failure());
  }

  @Test
  void contentThatIsNotWantedIsProducedToItsEnd() throws Exception {
    Numbers numbers = new Numbers(300_000);
    try (InputStream opened = numbers.pipe.input()) {
      assertEquals(0, opened.read());
    }
    assertEquals(0, numbers.pipe.offer(ByteBuffer.allocate(1)));
    numbers.pipe.finish();
    assertFalse(numbers.content.hasRemaining());
  }
}
