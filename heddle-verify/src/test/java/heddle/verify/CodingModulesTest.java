package heddle.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import heddle.brotli.BrotliCoding;
import heddle.client.HttpClient;
import heddle.client.coding.ContentCodings;
import heddle.client.settings.DecodingLimits;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.MalformedMessageException;
import heddle.http.failure.MessageTooLargeException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testwatch.ClassPath;
import heddle.zstd.ZstdCoding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the content codings of all modules do. */
@Timeout(120)
final class CodingModulesTest {
  private static final int MIB = 1 << 20;
  private static final byte[] TEXT = "The heddles lift the warp. ".repeat(10).getBytes(UTF_8);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  static List<ContentCoding> codings() {
    return List.of(new BrotliCoding(), new ZstdCoding());
  }

  /** Content with compressible and incompressible parts. */
  private static byte[] content(Random random, int size) {
    byte[] content = new byte[size];
    random.nextBytes(content);
    for (int from = 0; from < size; from += 1 + random.nextInt(5000)) {
      int to = Math.min(size, from + random.nextInt(3000));
      Arrays.fill(content, from, to, (byte) random.nextInt());
      from = to;
    }
    return content;
  }

  private static byte[] encoded(ContentCoding coding, byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream encoder = coding.encoder(out)) {
      encoder.write(content);
    }
    return out.toByteArray();
  }

  /** A body that delivers a random number of bytes per read, at most {@code most}. */
  private Body arriving(byte[] coded, int most) {
    return Body.of(new FilterInputStream(new ByteArrayInputStream(coded)) {
      @Override
      public int read(byte[] target, int offset, int count) throws IOException {
        return super.read(target, offset, Math.min(count, 1 + random.nextInt(most)));
      }
    });
  }

  /** The body as a client gives it to its user, if the response names this list of codings. */
  private static Body decoded(Body coded, String names, DecodingLimits limits) throws IOException {
    Response response = Response.builder(Status.OK)
        .header(HeaderName.CONTENT_ENCODING, names)
        .body(coded)
        .build();
    return new ContentCodings(limits, codings())
        .intercept(Request.get("http://a/"), request -> response)
        .body();
  }

  private static Body decoded(Body coded, ContentCoding coding) throws IOException {
    return decoded(coded, coding.name(), DecodingLimits.DEFAULTS);
  }

  @Test
  void clientsUseThemByTheirBeingOnTheClassPath() throws Exception {
    assertEquals(
        List.of("br", "zstd"),
        ContentCoding.installed().stream().map(ContentCoding::name).toList());
    try (MockServer server = MockServer.start();
        HttpClient client = HttpClient.create();
        HttpClient without = HttpClient.builder()
            .contentCodings(DecodingLimits.DEFAULTS, List.of())
            .build();
        HttpClient plain = HttpClient.builder().plain().build()) {
      for (ContentCoding coding : codings()) {
        MockResponse coded = MockResponse.ok(encoded(coding, TEXT));
        server.answer("/", coded.header("Content-Encoding", coding.name()));
        assertArrayEquals(TEXT, client.get(server.url("/")).bytes());
        assertEquals("br, zstd, gzip, deflate", server.takeRequest().header("Accept-Encoding"));
        assertArrayEquals(encoded(coding, TEXT), without.get(server.url("/")).bytes());
        assertEquals("gzip, deflate", server.takeRequest().header("Accept-Encoding"));
        assertArrayEquals(encoded(coding, TEXT), plain.get(server.url("/")).bytes());
        assertEquals(null, server.takeRequest().header("Accept-Encoding"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"brotli4j, zstd", "zstd-jni, br"})
  void oneWhoseLibraryIsMissingIsLeftOut(String library, String other) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = ClassPath.without(library)) {
      thread.setContextClassLoader(loader);
      Class<?> type = loader.loadClass(ContentCoding.class.getName());
      List<?> installed = (List<?>) type.getMethod("installed").invoke(null);
      assertEquals(1, installed.size());
      assertEquals(other, type.getMethod("name").invoke(installed.getFirst()));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @ParameterizedTest
  @MethodSource("codings")
  void contentComesBackHoweverItArrives(ContentCoding coding) throws Exception {
    for (int size : new int[] {0, 1, 100, 16_383, 16_384, 70_000, 300_000, 3_000_000}) {
      byte[] content = content(random, size);
      byte[] coded = encoded(coding, content);
      for (int most : new int[] {1, 100, 20_000}) {
        if (most > 1 || size <= 70_000) {
          Body body = decoded(arriving(coded, most), coding);
          assertEquals(Body.UNKNOWN, body.length());
          assertArrayEquals(content, inPieces(body), () -> size + " bytes, seed " + seed);
        }
      }
    }
  }

  /** Reads in pieces of random sizes, now and then one byte. */
  private byte[] inPieces(Body body) throws IOException {
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    byte[] piece = new byte[20_000];
    try (InputStream in = body.stream()) {
      while (true) {
        boolean single = random.nextInt(4) == 0;
        int n = single ? in.read() : in.read(piece, 5, 1 + random.nextInt(piece.length - 5));
        if (n < 0) {
          assertEquals(-1, in.read(), "the end stays the end");
          return pieces.toByteArray();
        }
        if (single) {
          pieces.write(n);
        } else {
          pieces.write(piece, 5, n);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("codings")
  void contentThatIsCutShortIsAnErrorWhereverItIsCut(ContentCoding coding) throws Exception {
    for (byte[] content : List.of(TEXT, new byte[0], content(random, 5_000))) {
      byte[] coded = encoded(coding, content);
      for (int length = 0; length < coded.length; length++) {
        Body body = decoded(arriving(Arrays.copyOf(coded, length), 50), coding);
        MalformedMessageException failure =
            assertThrows(MalformedMessageException.class, body::bytes);
        assertTrue(
            failure.getMessage().contains("it is truncated (byte " + length), failure.getMessage());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("codings")
  void damagedContentFailsByNameOrEnds(ContentCoding coding) throws Exception {
    byte[] content = content(random, 3_000);
    byte[] coded = encoded(coding, content);
    int noticed = 0;
    for (int round = 0; round < 3_000; round++) {
      byte[] damaged = coded.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        byte[] made = decoded(arriving(damaged, 500), coding).bytes();
        // Brotli has no checksum.
        if (coding.name().equals("zstd")) {
          assertArrayEquals(content, made, () -> "seed " + seed);
        }
      } catch (MalformedMessageException e) {
        noticed++;
      }
    }
    assertTrue(noticed > 0, () -> "seed " + seed);
  }

  @ParameterizedTest
  @MethodSource("codings")
  void contentOfAnotherKindIsRefused(ContentCoding coding) throws Exception {
    byte[] page = "<html><body>Not found</body></html>".getBytes(UTF_8);
    Body body = decoded(Body.of(page), coding);
    String message = assertThrows(MalformedMessageException.class, body::bytes).getMessage();
    assertTrue(message.contains("cannot be decoded as " + coding.name()), message);
  }

  @ParameterizedTest
  @MethodSource("codings")
  void bombsAreRefused(ContentCoding coding) throws Exception {
    byte[] bomb = encoded(coding, new byte[128 * MIB]);
    assertTrue(bomb.length < 128 * MIB / 10_000, () -> bomb.length + " bytes");
    long read = 0;
    Body body = decoded(Body.of(bomb), coding);
    try (InputStream in = body.stream()) {
      byte[] chunk = new byte[8192];
      for (int n; (n = in.read(chunk)) >= 0; read += n) {
        // What is read counts.
      }
      throw new AssertionError("all could be read");
    } catch (MessageTooLargeException e) {
      long most = MIB + 100L * bomb.length;
      assertTrue(read >= MIB && read <= most, read + " bytes");
      assertTrue(e.getMessage().contains("maxRatio"), e.getMessage());
    }
    DecodingLimits few = DecodingLimits.builder().maxBytes(1000).build();
    Body limited = decoded(Body.of(bomb), coding.name(), few);
    assertThrows(MessageTooLargeException.class, limited::bytes);
  }

  @ParameterizedTest
  @MethodSource("codings")
  void dataAfterTheEndIsAnErrorOnceTheContentIsRead(ContentCoding coding) throws Exception {
    for (byte[] content : List.of(TEXT, new byte[0])) {
      byte[] coded = encoded(coding, content);
      byte[] more = Arrays.copyOf(coded, coded.length + 9);
      for (int most : new int[] {1, 1000}) {
        try (InputStream in = decoded(arriving(more, most), coding).stream()) {
          assertArrayEquals(content, in.readNBytes(content.length));
          IOException failure = assertThrows(MalformedMessageException.class, in::read);
          assertTrue(failure.getMessage().contains("follows its end"), failure.getMessage());
        }
      }
    }
  }

  @Test
  void layersAreUndoneInTheirOrderAndCounted() throws Exception {
    byte[] content = content(random, 100_000);
    ContentCoding br = new BrotliCoding();
    ContentCoding zstd = new ZstdCoding();
    byte[] both = encoded(zstd, encoded(br, content));
    assertArrayEquals(
        content,
        decoded(arriving(both, 999), "br, zstd", DecodingLimits.DEFAULTS).bytes());
    assertThrows(
        MalformedMessageException.class,
        () -> decoded(Body.of(both), "zstd, br", DecodingLimits.DEFAULTS).bytes());
    MessageTooLargeException refused = assertThrows(
        MessageTooLargeException.class,
        () -> decoded(Body.of(both), "gzip, br, zstd", DecodingLimits.DEFAULTS));
    assertTrue(refused.getMessage().contains("coded 3 times"), refused.getMessage());
    // Each layer alone stays within a large ratio; both together do not.
    byte[] bomb = encoded(br, encoded(zstd, new byte[256 * MIB]));
    DecodingLimits wide = DecodingLimits.builder().maxRatio(40_000).build();
    Body body = decoded(Body.of(bomb), "zstd, br", wide);
    assertThrows(MessageTooLargeException.class, () -> drain(body.stream()));
  }

  private static void drain(InputStream in) throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  @ParameterizedTest
  @MethodSource("codings")
  void requestsAreEncodedWhileTheyAreSent(ContentCoding coding) throws Exception {
    byte[] content = content(random, 200_000);
    Request coded = coding.compress(Request.post("http://a/", Body.of(content)));
    assertEquals(coding.name(), coded.headers().first(HeaderName.CONTENT_ENCODING));
    assertTrue(coded.body().isReplayable());
    for (int i = 0; i < 2; i++) {
      byte[] made = inPieces(coded.body());
      assertTrue(made.length < content.length, () -> made.length + " bytes");
      assertArrayEquals(content, decoded(Body.of(made), coding).bytes(), () -> "seed " + seed);
    }
    assertArrayEquals(
        new byte[0],
        decoded(Body.of(coding.compress(Body.empty()).bytes()), coding).bytes());
  }

  /** A full-duplex peer answers what it has got before more is written. */
  @ParameterizedTest
  @MethodSource("codings")
  void whatIsWrittenToADuplexCallCanBeDecodedAtOnce(ContentCoding coding) throws Exception {
    AtomicBoolean askedForMore = new AtomicBoolean();
    InputStream content = new InputStream() {
      private boolean given;

      @Override
      public int read() {
        throw new AssertionError("it is read in chunks");
      }

      @Override
      public int read(byte[] target, int offset, int count) {
        askedForMore.set(given);
        given = true;
        System.arraycopy(TEXT, 0, target, offset, TEXT.length);
        return askedForMore.get() ? -1 : TEXT.length;
      }
    };
    ByteBuffer target = ByteBuffer.allocate(1000);
    try (InputStream in = coding.compress(Body.duplex(() -> content)).stream();
        ContentCoding.Decoder decoder = coding.decoder()) {
      byte[] chunk = new byte[1000];
      int n = in.read(chunk);
      assertFalse(decoder.decode(ByteBuffer.wrap(chunk, 0, n), target));
    }
    assertFalse(askedForMore.get());
    assertArrayEquals(TEXT, Arrays.copyOf(target.array(), target.position()));
  }

  @ParameterizedTest
  @MethodSource("codings")
  void manyThreadsUseOneCoding(ContentCoding coding) throws Exception {
    List<FutureTask<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      byte[] content = content(new Random(seed + i), 100_000 + i);
      FutureTask<Void> thread = new FutureTask<>(() -> {
        for (int round = 0; round < 10; round++) {
          byte[] coded = coding.compress(Body.of(content)).bytes();
          assertArrayEquals(content, decoded(Body.of(coded), coding).bytes(), "seed " + seed);
        }
        return null;
      });
      threads.add(thread);
      Thread.ofVirtual().start(thread);
    }
    for (FutureTask<Void> thread : threads) {
      thread.get();
    }
  }

  private record Large(String name, int window, byte[] coded) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Contents that fill the largest windows. */
  static Stream<Large> large() throws IOException {
    byte[] content = new byte[20 * MIB];
    new Random(1).nextBytes(content);
    for (int at = MIB; at < content.length; at += MIB) {
      System.arraycopy(content, 0, content, at, MIB);
    }
    ByteArrayOutputStream br = new ByteArrayOutputStream();
    Encoder.Parameters largest = new Encoder.Parameters().setWindow(24).setQuality(2);
    try (OutputStream encoder = new BrotliOutputStream(br, largest)) {
      encoder.write(content);
    }
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    try (var encoder = new ZstdOutputStreamNoFinalizer(zstd, 1)) {
      encoder.setLong(23);
      encoder.write(content);
    }
    return Stream.of(
        new Large("br", 16 * MIB, br.toByteArray()),
        new Large("zstd", 8 * MIB, zstd.toByteArray()));
  }

  @ParameterizedTest
  @MethodSource("large")
  @EnabledOnOs(OS.LINUX)
  void nativeMemoryIsFreedAtTheEndAfterAFailureAndWhenClosed(Large large) throws Exception {
    byte[] cut = Arrays.copyOf(large.coded, large.coded.length - 1);
    byte[] chunk = new byte[256 << 10];
    DecodingLimits limits = DecodingLimits.builder().maxRatio(10_000).build();
    List<InputStream> opened = new ArrayList<>(); // Not freed as garbage.
    long before = 0;
    int rounds = 3 * 240 * MIB / large.window;
    for (int round = -3; round < rounds; round++) {
      if (round == 0) {
        before = residentBytes();
      }
      int kind = Math.floorMod(round, 3);
      byte[] coded = kind == 0 ? cut : large.coded;
      InputStream in = decoded(Body.of(coded), large.name, limits).stream();
      opened.add(in);
      int read = 0;
      try {
        for (int n; (n = in.read(chunk)) >= 0 && (kind != 1 || read < 18 * MIB); ) {
          read += n;
        }
        assertTrue(kind != 0, "it was cut");
      } catch (HttpException e) {
        assertEquals(0, kind, e::toString);
      }
      assertTrue(read >= 17 * MIB, read + " bytes");
      if (kind == 1) {
        in.close();
      }
    }
    long grown = residentBytes() - before;
    assertEquals(rounds + 3, opened.size());
    assertTrue(
        grown < 120 * MIB,
        () -> grown / MIB + " MiB were not freed; 240 MiB is what one of three kinds holds");
  }

  private static long residentBytes() throws IOException {
    String status = Files.readString(Path.of("/proc/self/status"));
    return 1024 * Long.parseLong(status.replaceFirst("(?s).*VmRSS:\\s*(\\d+) kB.*", "$1"));
  }
}
