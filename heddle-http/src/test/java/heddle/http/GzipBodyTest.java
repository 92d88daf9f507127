package heddle.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.io.EncodingInput;
import heddle.http.io.EncodingInput.Encoding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class GzipBodyTest {
  private static byte[] unzip(byte[] coded) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(coded))) {
      return in.readAllBytes();
    }
  }

  @Test
  void contentComesBackWhateverItsSizeAndHoweverItIsRead() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int size : new int[] {0, 1, 8191, 8192, 8193, 100_000, 1 << 20}) {
      byte[] content = new byte[size];
      random.nextBytes(content);
      // Half of it can be compressed, the rest cannot.
      Arrays.fill(content, 0, size / 2, (byte) 'x');
      Body body = GzipBody.of(Body.of(content));
      assertArrayEquals(content, unzip(body.bytes()), () -> "seed " + seed);
      ByteArrayOutputStream pieces = new ByteArrayOutputStream();
      try (InputStream in = body.stream()) {
        byte[] piece = new byte[1 + random.nextInt(50_000)];
        for (int n; (n = in.read(piece, 0, 1 + random.nextInt(piece.length))) >= 0; ) {
          pieces.write(piece, 0, n);
        }
      }
      assertArrayEquals(content, unzip(pieces.toByteArray()), () -> "seed " + seed);
    }
  }

  @Test
  void repetitionsTakeLittleRoomAndEqualContentGivesEqualOctets() throws Exception {
    Body body = GzipBody.of(Body.of(new byte[1 << 20]));
    byte[] coded = body.bytes();
    assertTrue(coded.length < 2000, () -> coded.length + " bytes");
    assertArrayEquals(coded, body.bytes());
    assertEquals(Body.UNKNOWN, body.length());
  }

  @Test
  void compressSaysSoInTheRequest() throws Exception {
    Request request = Request.builder("http://a/")
        .method(Method.POST)
        .header("Content-Length", "5")
        .header("X-Other", "1")
        .body(Body.of("hello"))
        .build();
    Request coded = GzipBody.compress(request);
    assertEquals("gzip", coded.headers().first(HeaderName.CONTENT_ENCODING));
    assertFalse(coded.headers().contains(HeaderName.CONTENT_LENGTH));
    assertEquals("text/plain; charset=utf-8", coded.headers().first(HeaderName.CONTENT_TYPE));
    assertEquals("1", coded.headers().first("X-Other"));
    assertEquals("hello", new String(unzip(coded.body().bytes()), UTF_8));
    assertTrue(coded.body().isReplayable());
  }

  @Test
  void requestWithoutContentStaysAndCodedContentIsNotCodedAgain() throws Exception {
    Request get = Request.get("http://a/");
    assertSame(get, GzipBody.compress(get));
    Request coded = GzipBody.compress(Request.post("http://a/", Body.of("x")));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> GzipBody.compress(coded));
    assertTrue(refused.getMessage().contains("gzip"), refused.getMessage());
  }

  @Test
  void streamThatCanBeReadOnceIsClosedWithTheBody() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    InputStream stream = new ByteArrayInputStream(new byte[100]) {
      @Override
      public void close() {
        closed.set(true);
      }
    };
    Body body = GzipBody.of(Body.of(stream));
    assertFalse(body.isReplayable());
    InputStream in = body.stream();
    assertEquals(0x1F, in.read());
    in.close();
    assertTrue(closed.get());
    in.readNBytes(9);
    assertThrows(IOException.class, in::readAllBytes, "what is compressed afterwards is lost");
  }

  @Test
  void encoderIsClosedAtTheEndAndWithTheStreamAndAfterAFailure() throws Exception {
    AtomicInteger open = new AtomicInteger();
    Encoding counted = target -> {
      open.incrementAndGet();
      return new FilterOutputStream(target) {
        @Override
        public void close() throws IOException {
          open.decrementAndGet();
          super.close();
        }
      };
    };
    byte[] content = "hello".getBytes(UTF_8);
    InputStream whole = new EncodingInput(new ByteArrayInputStream(content), counted, false);
    assertEquals(0, open.get(), "none is made before anything is read");
    assertArrayEquals(content, whole.readAllBytes());
    assertEquals(0, open.get());
    whole.close();
    InputStream half = new EncodingInput(new ByteArrayInputStream(content), counted, false);
    assertEquals('h', half.read());
    assertEquals(1, open.get());
    half.close();
    half.close();
    assertEquals(0, open.get());
    InputStream lost = new EncodingInput(
        new SequenceInputStream(new ByteArrayInputStream(content), failing()), counted, false);
    assertThrows(UncheckedIOException.class, lost::readAllBytes);
    lost.close();
    assertEquals(0, open.get());
  }

  private static InputStream failing() {
    return new InputStream() {
      @Override
      public int read() {
        throw new UncheckedIOException(new IOException("lost"));
      }
    };
  }

  /** Without a buffer a reader of single bytes would get nothing but the marks of flushes. */
  @Test
  void promptContentIsReadByteByByte() throws IOException {
    byte[] content = "hello".repeat(5_000).getBytes(UTF_8);
    Body gzip = GzipBody.of(Body.duplex(() -> new ByteArrayInputStream(content)));
    assertTrue(gzip.isDuplex());
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try (InputStream in = gzip.stream()) {
      for (int octet = in.read(); octet >= 0; octet = in.read()) {
        read.write(octet);
        assertTrue(read.size() < content.length, "it does not end");
      }
    }
    assertArrayEquals(content, unzip(read.toByteArray()));
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 6})
  void contentOfAnotherLengthThanAnnouncedFails(long length) {
    Body body = GzipBody.of(Body.of(new ByteArrayInputStream(new byte[5]), length));
    IOException failure = assertThrows(IOException.class, body::bytes);
    assertTrue(failure.getMessage().contains(length + " bytes"), failure::getMessage);
  }

  @Test
  void contentInMemoryIsCompressedByTheThreadThatSendsIt() throws Exception {
    Body body = GzipBody.of(Body.of("Hello"));
    assertTrue(body.isWritten());
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    assertEquals(body.bytes().length, body.transferTo(target));
    assertArrayEquals(body.bytes(), target.toByteArray());
    assertFalse(GzipBody.of(Body.of(new ByteArrayInputStream(new byte[1]))).isWritten());
  }

  @Test
  void whatAWriterFlushesCanBeRead() throws Exception {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    Body body = GzipBody.of(Body.written(out -> {
      out.write("first".getBytes(UTF_8));
      out.flush();
      InputStream in = new GZIPInputStream(new ByteArrayInputStream(target.toByteArray()));
      assertEquals("first", new String(in.readNBytes(5), UTF_8));
      out.write(", second".getBytes(UTF_8));
    }));
    assertTrue(body.isWritten());
    long count = body.transferTo(target);
    assertEquals(target.size(), count);
    assertEquals("first, second", new String(unzip(target.toByteArray()), UTF_8));
  }

  @Test
  void aFailingWriterFreesTheEncoderAndWritesNoEnd() {
    AtomicBoolean closed = new AtomicBoolean();
    Body body = new CodedBody(
        Body.written(out -> {
          out.write(1);
          out.flush();
          throw new IOException("on purpose");
        }),
        target -> new FilterOutputStream(target) {
          @Override
          public void close() throws IOException {
            closed.set(true);
            out.write('!'); // the end of the coded content
          }
        });
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    IOException failure = assertThrows(IOException.class, () -> body.transferTo(target));
    assertEquals("on purpose", failure.getMessage());
    assertTrue(closed.get());
    assertArrayEquals(new byte[] {1}, target.toByteArray());
  }
}
