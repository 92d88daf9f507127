package heddle.client.coding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.coding.Coded.Arriving;
import heddle.client.coding.Coding.Inflaters;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.ContentCoding;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of inflaters is not the heap's: each one that is made is freed. */
@Timeout(60)
class InflatersTest {
  private static final byte[] TEXT = "warp and weft ".repeat(5000).getBytes(UTF_8);

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger alive = new AtomicInteger();

  private final Inflaters counted = raw -> {
    made.incrementAndGet();
    alive.incrementAndGet();
    return new Inflater(raw) {
      private final AtomicBoolean ended = new AtomicBoolean();

      @Override
      public void end() {
        super.end();
        if (ended.compareAndSet(false, true)) {
          alive.decrementAndGet();
        }
      }
    };
  };

  private final ContentCoding gzip = made("gzip", () -> new GzipDecoder(counted));
  private final ContentCoding deflate = made("deflate", () -> new DeflateDecoder(counted));

  private static ContentCoding made(String name, Supplier<ContentCoding.Decoder> decoders) {
    return new ContentCoding() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Decoder decoder() {
        return decoders.get();
      }
    };
  }

  private static Body decoded(Body coded, ContentCoding... codings) {
    return new DecodedBody(coded, List.of(codings), DecodingLimits.DEFAULTS);
  }

  private static Body arriving(byte[] coded) {
    return new Arriving(coded, new Random(1));
  }

  @Test
  void noneIsMadeBeforeAnythingIsRead() throws Exception {
    Body body = decoded(arriving(Coded.gzip(TEXT)), gzip);
    body.stream();
    assertEquals(0, made.get());
    body.close();
    assertEquals(0, made.get());
  }

  @Test
  void theEndFreesThemWithoutAClose() throws Exception {
    Body body = decoded(arriving(Coded.gzip(Coded.zlib(TEXT))), deflate, gzip);
    assertArrayEquals(TEXT, body.stream().readAllBytes());
    assertEquals(2, made.get());
    assertEquals(0, alive.get());
  }

  @Test
  void manyMembersShareOne() throws Exception {
    byte[] member = Coded.gzip(TEXT);
    decoded(arriving(Coded.concat(member, member, member)), gzip).bytes();
    assertEquals(1, made.get());
    assertEquals(0, alive.get());
  }

  @Test
  void closingTheBodyOrItsStreamInTheMiddleFreesThem() throws Exception {
    byte[] coded = Coded.gzip(Coded.zlib(TEXT));
    for (boolean stream : new boolean[] {true, false}) {
      Body body = decoded(arriving(coded), deflate, gzip);
      InputStream in = body.stream();
      in.readNBytes(10);
      assertEquals(2, alive.get());
      (stream ? in : body).close();
      assertEquals(0, alive.get());
      assertThrows(IOException.class, in::read);
      body.close();
      in.close();
    }
  }

  @Test
  void failuresFreeThem() {
    byte[] coded = Coded.gzip(TEXT);
    byte[] damaged = coded.clone();
    damaged[damaged.length - 5] ^= 1;
    for (byte[] bad : List.of(damaged, Arrays.copyOf(coded, coded.length - 1))) {
      InputStream in = open(decoded(arriving(bad), gzip));
      assertThrows(IOException.class, in::readAllBytes);
    }
    InputStream bomb = open(decoded(arriving(Coded.gzip(new byte[8 << 20])), gzip));
    assertThrows(IOException.class, bomb::readAllBytes);
    assertEquals(3, made.get());
    assertEquals(0, alive.get());
  }

  private static InputStream open(Body body) {
    try {
      return body.stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void closingFreesThemWhileAReaderWaits() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    byte[] half = Arrays.copyOf(Coded.gzip(TEXT), 40);
    InputStream silent = new InputStream() {
      private int at;

      @Override
      public int read() throws IOException {
        if (at < half.length) {
          return half[at++] & 0xFF;
        }
        waiting.countDown();
        try {
          closed.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        throw new IOException("closed beneath");
      }

      @Override
      public int read(byte[] target, int offset, int count) throws IOException {
        target[offset] = (byte) read();
        return 1;
      }

      @Override
      public void close() {
        closed.countDown();
      }
    };
    Body body = decoded(Body.of(silent), gzip);
    InputStream in = body.stream();
    FutureTask<Throwable> reading =
        new FutureTask<>(() -> assertThrows(IOException.class, in::readAllBytes));
    Thread.ofVirtual().start(reading);
    waiting.await();
    assertEquals(1, alive.get());
    body.close();
    assertEquals(0, alive.get(), "freed before the reader has noticed");
    reading.get();
  }

  @Test
  void manyThreadsThatCloseWhileOthersReadDoNoHarm() throws Exception {
    byte[] coded = Coded.gzip(TEXT);
    for (int round = 0; round < 300; round++) {
      Body body = decoded(arriving(coded), gzip);
      InputStream in = body.stream();
      FutureTask<Integer> reading = new FutureTask<>(() -> {
        int read = 0;
        try {
          while (in.read() >= 0) {
            read++;
          }
        } catch (IOException e) {
          assertEquals("the body is closed", e.getMessage());
        }
        return read;
      });
      Thread.ofPlatform().start(reading);
      Thread.onSpinWait();
      body.close();
      reading.get();
      assertEquals(0, alive.get());
    }
  }

  @Test
  void nothingHoldsThoseOfABodyThatWasForgotten() throws Exception {
    List<WeakReference<Inflater>> references = new ArrayList<>();
    forget(references);
    assertEquals(1, references.size());
    // The JDK frees an inflater's memory when nothing refers to it.
    while (references.getFirst().get() != null) {
      System.gc();
      Thread.onSpinWait();
    }
    assertTrue(references.getFirst().refersTo(null));
  }

  private static void forget(List<WeakReference<Inflater>> references) throws IOException {
    Inflaters noted = raw -> {
      Inflater inflater = new Inflater(raw);
      references.add(new WeakReference<>(inflater));
      return inflater;
    };
    Body body = decoded(arriving(Coded.gzip(TEXT)), made("gzip", () -> new GzipDecoder(noted)));
    assertEquals('w', body.stream().read());
  }
}
