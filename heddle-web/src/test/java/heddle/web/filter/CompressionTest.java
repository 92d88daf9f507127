package heddle.web.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.ExchangeHandler;
import heddle.testwatch.Conditions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CompressionTest {
  private static final String TEXT = "All work and no play. ".repeat(5000);
  private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.US_ASCII);
  private static final String[] GZIP = {"Accept-Encoding", "gzip"};

  private final Compression compression = Compression.defaults();

  /** How a handler may answer with the same content. */
  enum Kind {
    IN_MEMORY,
    STREAM,
    STREAM_OF_KNOWN_LENGTH,
    WRITTEN,
    BEGUN,
    BEGUN_WITH_LENGTH;

    ExchangeHandler handler() {
      return exchange -> switch (this) {
        case IN_MEMORY -> Response.ok(Body.of(BYTES, MediaType.TEXT_PLAIN_UTF8));
        case STREAM -> text(Body.of(new ByteArrayInputStream(BYTES)));
        case STREAM_OF_KNOWN_LENGTH -> text(Body.of(new ByteArrayInputStream(BYTES), BYTES.length));
        case WRITTEN ->
          Response.ok(Body.written(MediaType.TEXT_PLAIN_UTF8, out -> out.write(BYTES)));
        case BEGUN, BEGUN_WITH_LENGTH -> {
          Response head = text(Body.empty());
          if (this == BEGUN_WITH_LENGTH) {
            head = head.toBuilder().header("Content-Length", "" + BYTES.length).build();
          }
          OutputStream out = exchange.begin(head);
          out.write(BYTES, 0, 10);
          out.write(BYTES[10]);
          out.write(BYTES, 11, BYTES.length - 11);
          yield null;
        }
      };
    }
  }

  private static Response text(Body body) {
    return Response.builder(Status.OK)
        .header("Content-Type", "text/plain; charset=utf-8")
        .header("ETag", "\"7\"")
        .header("Accept-Ranges", "bytes")
        .body(body)
        .build();
  }

  private static byte[] unzip(byte[] coded) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(coded)).readAllBytes();
  }

  private static void assertPlain(Response response) {
    assertNull(response.headers().first("Content-Encoding"));
  }

  @ParameterizedTest
  @CsvSource({
    "IN_MEMORY, HTTP_1_1",
    "STREAM, HTTP_1_1",
    "STREAM_OF_KNOWN_LENGTH, HTTP_1_1",
    "WRITTEN, HTTP_1_1",
    "BEGUN, HTTP_1_1",
    "BEGUN_WITH_LENGTH, HTTP_1_1",
    "IN_MEMORY, HTTP_2",
    "STREAM, HTTP_2",
    "STREAM_OF_KNOWN_LENGTH, HTTP_2",
    "WRITTEN, HTTP_2",
    "BEGUN, HTTP_2",
    "BEGUN_WITH_LENGTH, HTTP_2",
  })
  void contentIsCompressedHoweverItIsGiven(Kind kind, HttpVersion version) throws Exception {
    try (Served served = new Served(version, compression, kind.handler())) {
      Response coded = served.get("/", GZIP);
      assertEquals(version, coded.version());
      assertEquals("gzip", coded.headers().first("Content-Encoding"));
      assertEquals("Accept-Encoding", coded.headers().first("Vary"));
      byte[] content = coded.bytes();
      assertTrue(content.length < 2000, () -> content.length + " bytes");
      assertArrayEquals(BYTES, unzip(content));

      Response plain = served.get("/");
      assertPlain(plain);
      assertEquals("Accept-Encoding", plain.headers().first("Vary"));
      assertEquals(TEXT, plain.string());

      // The same fields, but no content.
      try (Response head = served.client.send(served.request(Method.HEAD, "/", GZIP))) {
        assertEquals("gzip", head.headers().first("Content-Encoding"));
        assertFalse(("" + BYTES.length).equals(head.headers().first("Content-Length")));
        assertEquals(0, head.bytes().length);
      }
      Conditions.await("the encoders are closed", () -> compression.openEncoders() == 0);
    }
  }

  @Test
  void shortCompressedContentHasALength() throws Exception {
    try (Served served = new Served(HttpVersion.HTTP_1_1, compression, Kind.IN_MEMORY.handler())) {
      Response coded = served.get("/", GZIP);
      int length = Integer.parseInt(coded.headers().first("Content-Length"));
      assertEquals(length, coded.bytes().length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "zstd"})
  void installedCodingsAreUsed(String name) throws Exception {
    ContentCoding coding = ContentCoding.installed().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
    for (Kind kind : Kind.values()) {
      try (Served served = new Served(HttpVersion.HTTP_1_1, compression, kind.handler())) {
        Response coded = served.get("/", "Accept-Encoding", name);
        assertEquals(name, coded.headers().first("Content-Encoding"));
        ByteBuffer decoded = ByteBuffer.allocate(BYTES.length + 1);
        try (ContentCoding.Decoder decoder = coding.decoder()) {
          assertTrue(decoder.decode(ByteBuffer.wrap(coded.bytes()), decoded));
        }
        assertEquals(ByteBuffer.wrap(BYTES), decoded.flip());
      }
    }
  }

  @Test
  void aStrongTagBecomesWeakAndRangesAreNotOffered() throws Exception {
    try (Served served = new Served(HttpVersion.HTTP_1_1, compression, Kind.STREAM.handler())) {
      Response coded = served.get("/", GZIP);
      assertEquals("W/\"7\"", coded.headers().first("ETag"));
      assertNull(coded.headers().first("Accept-Ranges"));
      coded.bytes();
      Response plain = served.get("/");
      assertEquals("\"7\"", plain.headers().first("ETag"));
      assertEquals("bytes", plain.headers().first("Accept-Ranges"));
      plain.bytes();
    }
  }

  @Test
  void notModifiedHasTheFieldsOfTheCompressedResponse() throws Exception {
    ExchangeHandler handler = exchange ->
        Response.builder(Status.NOT_MODIFIED).header("ETag", "\"7\"").build();
    try (Served served = new Served(HttpVersion.HTTP_1_1, compression, handler)) {
      Response coded = served.get("/", GZIP);
      assertEquals("W/\"7\"", coded.headers().first("ETag"));
      assertEquals("Accept-Encoding", coded.headers().first("Vary"));
      assertPlain(coded);
      assertEquals("\"7\"", served.get("/").headers().first("ETag"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Cache-Control | max-age=9, no-transform",
        "Content-Encoding | zstd",
        "Content-Digest | sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
        "Repr-Digest | sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
      })
  void fieldsForbidCompression(String name, String value) throws Exception {
    assertUnchanged(text(Body.of(BYTES)).toBuilder().header(name, value).build());
  }

  @Test
  void partsErrorsWithoutTypeAndOtherTypesAreSentAsTheyAre() throws Exception {
    assertUnchanged(Response.builder(Status.PARTIAL_CONTENT)
        .header("Content-Type", "text/plain")
        .header("Content-Range", "bytes 0-109999/220000")
        .body(Body.of(BYTES))
        .build());
    assertUnchanged(Response.ok(Body.of(BYTES)));
    assertUnchanged(Response.ok(Body.of(BYTES, MediaType.of("image", "png"))));
    assertUnchanged(Response.builder(Status.OK)
        .header("Content-Type", "text plain")
        .body(Body.of(BYTES))
        .build());
    assertUnchanged(Response.ok(Body.of(new byte[1023], MediaType.TEXT_PLAIN_UTF8)));
    assertUnchanged(Response.of(Status.NO_CONTENT));
    assertUnchanged(Response.of(Status.NOT_FOUND));
  }

  /** As a response that is returned, and as one that is begun. */
  private void assertUnchanged(Response response) throws Exception {
    byte[] content = response.body().bytes();
    ExchangeHandler begins = exchange -> {
      Response head = response.toBuilder()
          .body(Body.empty())
          .header("Content-Length", "" + content.length)
          .build();
      exchange.begin(response.status().mayHaveContent() ? head : response).write(content);
      return null;
    };
    for (ExchangeHandler handler : List.<ExchangeHandler>of(exchange -> response, begins)) {
      try (Served served = new Served(HttpVersion.HTTP_1_1, compression, handler)) {
        Response answer = served.get("/", GZIP);
        assertEquals(
            response.headers().first("Content-Encoding"),
            answer.headers().first("Content-Encoding"));
        assertEquals(response.headers().first("ETag"), answer.headers().first("ETag"));
        assertNull(answer.headers().first("Vary"));
        assertArrayEquals(content, answer.bytes());
      }
    }
  }

  @Test
  void errorsWithContentAreCompressedToo() throws Exception {
    ExchangeHandler handler = exchange ->
        Response.builder(Status.INTERNAL_SERVER_ERROR).body(Body.of(TEXT)).build();
    try (Served served = new Served(HttpVersion.HTTP_1_1, compression, handler)) {
      Response answer = served.get("/", GZIP);
      assertEquals(500, answer.status().code());
      assertArrayEquals(BYTES, unzip(answer.bytes()));
    }
  }

  @Test
  void varyIsExtended() throws Exception {
    ExchangeHandler handler = exchange ->
        Response.ok(Body.of(TEXT)).toBuilder().header("Vary", "Origin").build();
    try (Served served = new Served(HttpVersion.HTTP_1_1, compression, handler)) {
      assertEquals(
          List.of("Origin", "Accept-Encoding"), served.get("/", GZIP).headers().all("Vary"));
    }
    assertEquals(
        List.of("*"),
        Vary.on(heddle.http.HeaderName.ORIGIN, heddle.http.Headers.of("Vary", "*"))
            .all("Vary"));
  }

  /** Writes two events, the second when the client has had the first. */
  private static ExchangeHandler events(String kind, CountDownLatch received) {
    return exchange -> {
      MediaType type = MediaType.parse("text/event-stream");
      switch (kind) {
        case "written":
          return Response.ok(Body.written(type, out -> writeEvents(out, received)));
        case "begun":
          writeEvents(
              exchange.begin(Response.builder(Status.OK)
                  .header("Content-Type", type.toString())
                  .build()),
              received);
          return null;
        default:
          PipedInputStream in = new PipedInputStream();
          PipedOutputStream out = new PipedOutputStream(in);
          Thread.ofVirtual().start(() -> {
            try (out) {
              writeEvents(out, received);
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
          return Response.builder(Status.OK)
              .header("Content-Type", type.toString())
              .body(Body.of(in))
              .build();
      }
    };
  }

  private static void writeEvents(OutputStream out, CountDownLatch received) throws IOException {
    out.write("data: 1\n\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
    try {
      received.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    out.write("data: 2\n\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  @ParameterizedTest
  @CsvSource({
    "written, HTTP_1_1", "begun, HTTP_1_1", "stream, HTTP_1_1",
    "written, HTTP_2", "begun, HTTP_2", "stream, HTTP_2",
  })
  void whatIsFlushedCanBeReadAtOnce(String kind, HttpVersion version) throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    try (Served served = new Served(version, compression, events(kind, received));
        Response answer = served.get("/", GZIP)) {
      assertEquals("gzip", answer.headers().first("Content-Encoding"));
      GZIPInputStream in = new GZIPInputStream(answer.body().stream());
      assertEquals("data: 1\n\n", new String(in.readNBytes(9), StandardCharsets.US_ASCII));
      received.countDown();
      assertEquals("data: 2\n\n", new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void aHandlerThatFailsBeforeAnythingIsSentIsAnswered500(HttpVersion version) throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.begin(text(Body.empty())).write(new byte[5000]);
      throw new IOException("on purpose");
    };
    try (Served served = new Served(version, compression, handler)) {
      Response answer = served.get("/", GZIP);
      assertEquals(500, answer.status().code());
      assertPlain(answer);
      assertEquals(0, compression.openEncoders());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void aResponseThatFailsMidwayIsCut(HttpVersion version) throws Exception {
    List<ExchangeHandler> handlers = List.of(
        exchange -> {
          OutputStream out = exchange.begin(text(Body.empty()));
          out.write(BYTES);
          out.flush();
          throw new IOException("on purpose");
        },
        exchange -> Response.ok(Body.written(MediaType.TEXT_PLAIN_UTF8, out -> {
          out.write(BYTES);
          out.flush();
          throw new IOException("on purpose");
        })),
        // Content that is shorter than announced.
        exchange -> text(Body.of(new ByteArrayInputStream(BYTES), BYTES.length + 1)),
        exchange -> {
          OutputStream out = exchange.begin(text(Body.empty()).toBuilder()
              .header("Content-Length", "" + (BYTES.length + 1))
              .build());
          out.write(BYTES);
          out.flush();
          return null;
        });
    for (ExchangeHandler handler : handlers) {
      try (Served served = new Served(version, compression, handler)) {
        assertThrows(IOException.class, () -> {
          Response answer = served.get("/", GZIP);
          if (answer.status().code() == 500) {
            throw new IOException("nothing was sent");
          }
          answer.bytes();
        });
        Conditions.await("the encoders are closed", () -> compression.openEncoders() == 0);
      }
    }
  }

  @Test
  void moreContentThanAnnouncedIsRefused() throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(
          text(Body.empty()).toBuilder().header("Content-Length", "2000").build());
      out.write(new byte[2000]);
      assertThrows(IOException.class, () -> out.write(1));
      return null;
    };
    try (Served served = new Served(HttpVersion.HTTP_1_1, compression, handler)) {
      assertEquals(500, served.get("/", GZIP).status().code());
    }
  }

  @Test
  void contentThatIsNotSentIsClosed() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    Supplier<InputStream> stream = () -> new FilterInputStream(new ByteArrayInputStream(BYTES)) {
      @Override
      public void close() {
        closed.set(true);
      }
    };
    try (Served served =
        new Served(HttpVersion.HTTP_1_1, compression, exchange -> text(Body.of(stream.get())))) {
      served.client.send(served.request(Method.HEAD, "/", GZIP)).close();
      Conditions.await("the body is closed", closed::get);
    }
  }

  @Test
  void aboveTheMostEncodersContentIsSentAsItIs() throws Exception {
    Compression one = Compression.builder().maxEncoders(1).build();
    CountDownLatch received = new CountDownLatch(1);
    ExchangeHandler events = events("written", received);
    ExchangeHandler handler = exchange -> exchange.request().path().equals("/events")
        ? events.handle(exchange)
        : Kind.IN_MEMORY.handler().handle(exchange);
    try (Served served = new Served(HttpVersion.HTTP_1_1, one, handler)) {
      Response held = served.get("/events", GZIP);
      InputStream in = held.body().stream();
      in.readNBytes(1);
      assertEquals(1, one.openEncoders());
      Response other = served.get("/", GZIP);
      assertPlain(other);
      assertEquals("Accept-Encoding", other.headers().first("Vary"));
      assertEquals(TEXT, other.string());
      received.countDown();
      in.transferTo(new ByteArrayOutputStream());
      Conditions.await("the encoder is closed", () -> one.openEncoders() == 0);
      assertEquals("gzip", served.get("/", GZIP).headers().first("Content-Encoding"));
    }
  }

  @Test
  void usersChooseTypesLengthAndCodings() throws Exception {
    Compression own = Compression.builder()
        .codings(List.of(Compression.gzip()))
        .minimumLength(10)
        .mediaTypes(type -> type.type().equals("image"))
        .build();
    ExchangeHandler handler = exchange -> Response.ok(
        Body.of(new byte[10], MediaType.parse(exchange.request().path().substring(1))));
    try (Served served = new Served(HttpVersion.HTTP_1_1, own, handler)) {
      String all = "br, zstd, gzip";
      assertEquals(
          "gzip",
          served.get("/image/png", "Accept-Encoding", all).headers().first("Content-Encoding"));
      assertPlain(served.get("/text/plain", "Accept-Encoding", all));
    }
    Compression.Builder builder = Compression.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.codings(List.of()));
    assertThrows(IllegalArgumentException.class, () -> builder.minimumLength(-1));
    assertThrows(IllegalArgumentException.class, () -> builder.maxEncoders(0));
  }

  @ParameterizedTest
  @CsvSource({
    "text/event-stream, true",
    "application/json, true",
    "application/problem+json, true",
    "image/svg+xml, true",
    "application/xhtml+xml, true",
    "font/ttf, true",
    "font/woff2, false",
    "image/jpeg, false",
    "application/zip, false",
    "application/json+zip, false",
    "video/mp4, false",
    "application/octet-stream, false",
  })
  void typesThatBecomeShorterAreCompressible(String type, boolean compressible) {
    assertEquals(compressible, Compression.isCompressible(MediaType.parse(type)));
  }
}
