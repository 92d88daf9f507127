package heddle.web.conditional;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepresentationTest {
  private static final Instant CHANGED = Instant.parse("1994-11-06T08:49:37Z");
  private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";

  private final Representation digits = Representation.of(
          "0123456789".getBytes(US_ASCII), MediaType.TEXT_PLAIN_UTF8)
      .tag(EntityTag.strong("v1"))
      .lastModified(CHANGED)
      .header("Cache-Control", "no-cache")
      .header("Content-Language", "en")
      .build();

  private static Request get(String... fields) {
    return Request.builder(URI.create("http://t/")).headers(Headers.of(fields)).build();
  }

  private static String first(Response response, String name) {
    return response.headers().first(name);
  }

  @Test
  void wholeContentHasItsValidators() throws IOException {
    Response response = digits.respond(get());
    assertEquals(200, response.status().code());
    assertEquals("text/plain; charset=utf-8", first(response, "Content-Type"));
    assertEquals("bytes", first(response, "Accept-Ranges"));
    assertEquals("\"v1\"", first(response, "ETag"));
    assertEquals(DATE, first(response, "Last-Modified"));
    assertEquals("no-cache", first(response, "Cache-Control"));
    assertEquals(10, response.body().length());
    assertEquals("0123456789", response.string());
  }

  @Test
  void notModifiedHasTheFieldsThatUpdateACache() {
    Response response = digits.respond(get("If-None-Match", "\"v1\"", "Range", "bytes=0-1"));
    assertEquals(304, response.status().code());
    assertEquals("\"v1\"", first(response, "ETag"));
    assertEquals("no-cache", first(response, "Cache-Control"));
    assertNull(first(response, "Last-Modified"));
    assertNull(first(response, "Content-Type"));
    assertNull(first(response, "Content-Language"));
    assertEquals(0, response.body().length());
  }

  @Test
  void notModifiedWithoutTagHasItsDate() {
    Representation dated = Representation.of(new byte[1], MediaType.OCTET_STREAM)
        .lastModified(CHANGED)
        .build();
    Response response = dated.respond(get("If-Modified-Since", DATE));
    assertEquals(304, response.status().code());
    assertEquals(DATE, first(response, "Last-Modified"));
  }

  @Test
  void failedConditionIsAnsweredWithoutContent() {
    Response response = digits.respond(get("If-Match", "\"v2\""));
    assertEquals(412, response.status().code());
    assertNull(first(response, "Cache-Control"));
    assertEquals(0, response.body().length());
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=2-4, bytes 2-4/10, 234",
    "bytes=-3, bytes 7-9/10, 789",
    "bytes=8-, bytes 8-9/10, 89",
    "bytes=0-, bytes 0-9/10, 0123456789"
  })
  void oneRangeIsSentAsItIs(String range, String contentRange, String content) throws IOException {
    Response response = digits.respond(get("Range", range));
    assertEquals(206, response.status().code());
    assertEquals(contentRange, first(response, "Content-Range"));
    assertEquals("\"v1\"", first(response, "ETag"));
    assertEquals(content.length(), response.body().length());
    assertEquals(content, response.string());
  }

  @Test
  void unsatisfiableRangesSayTheLength() {
    Response response = digits.respond(get("Range", "bytes=10-"));
    assertEquals(416, response.status().code());
    assertEquals("bytes */10", first(response, "Content-Range"));
    assertNull(first(response, "Cache-Control"));
  }

  @ParameterizedTest
  @CsvSource({"\"v1\", 206", "\"v2\", 200", "W/\"v1\", 200", "'" + DATE + "', 206"})
  void ifRangeDecidesBetweenPartAndWhole(String value, int status) {
    Response response = digits.respond(get("Range", "bytes=0-1", "If-Range", value));
    assertEquals(status, response.status().code());
    assertEquals(status == 206, response.headers().contains("Content-Range"));
  }

  @Test
  void severalRangesAreSentAsParts() throws IOException {
    Response response = digits.respond(get("Range", "bytes=0-1,5-5,-2"));
    assertEquals(206, response.status().code());
    assertNull(first(response, "Content-Range"), "RFC 9110 section 15.3.7.2");
    MediaType type = MediaType.parse(first(response, "Content-Type"));
    assertEquals("multipart/byteranges", type.type() + "/" + type.subtype());
    assertEquals(1, response.headers().all("Content-Type").size());
    String boundary = type.parameter("boundary");
    long length = response.body().length();
    String text = new String(response.bytes(), ISO_8859_1);
    assertEquals(length, text.length());
    String head = "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes ";
    assertEquals(
        "--" + boundary + head + "0-1/10\r\n\r\n01\r\n"
            + "--" + boundary + head + "5-5/10\r\n\r\n5\r\n"
            + "--" + boundary + head + "8-9/10\r\n\r\n89\r\n"
            + "--" + boundary + "--\r\n",
        text);
  }

  @Test
  void headIgnoresRangesAndKnowsTheLength() {
    Request head = get("Range", "bytes=0-1").toBuilder().method(Method.HEAD).build();
    Response response = digits.respond(head);
    assertEquals(200, response.status().code());
    assertEquals(10, response.body().length());
  }

  @Test
  void otherMethodsAreNotAllowed() {
    Response response = digits.respond(get().toBuilder().method(Method.PUT).build());
    assertEquals(405, response.status().code());
    assertEquals("GET, HEAD", first(response, "Allow"));
  }

  @Test
  void lastModifiedIsNeverInTheFuture() {
    Instant now = Instant.parse("2026-01-02T03:04:05Z");
    Representation future = Representation.of(new byte[1], MediaType.OCTET_STREAM)
        .lastModified(now.plusSeconds(1000))
        .build();
    assertEquals(
        "Fri, 02 Jan 2026 03:04:05 GMT", first(future.respond(get(), now), "Last-Modified"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"If-None-Match: \"t\"", "Range: bytes=99-", "X: y"})
  void contentIsOpenedOnlyWhenItIsSent(String field) throws IOException {
    AtomicInteger opened = new AtomicInteger();
    Representation counted = Representation.of(10, offset -> {
          opened.incrementAndGet();
          return new ByteArrayInputStream(new byte[10 - (int) offset]);
        })
        .tag(EntityTag.strong("t"))
        .build();
    String[] parts = field.split(": ", 2);
    Response response = counted.respond(get(parts[0], parts[1]));
    assertEquals(0, opened.get());
    response.bytes();
    assertEquals(response.status().code() == 200 ? 1 : 0, opened.get());
  }

  @Test
  void fileIsSentFromAnOffset(@TempDir Path folder) throws IOException {
    byte[] content = new byte[300_000];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i * 31 >> 3);
    }
    Path file = Files.write(folder.resolve("f"), content);
    Files.setLastModifiedTime(file, FileTime.from(CHANGED));
    Representation served = Representation.of(file, MediaType.OCTET_STREAM).build();
    Response whole = served.respond(get());
    assertEquals(DATE, first(whole, "Last-Modified"));
    assertEquals(
        EntityTag.ofFile(content.length, CHANGED, Instant.now()).toString(), first(whole, "ETag"));
    assertEquals(new String(content, ISO_8859_1), new String(whole.bytes(), ISO_8859_1));
    Response part = served.respond(get("Range", "bytes=199999-200100"));
    assertEquals(
        new String(content, 199_999, 102, ISO_8859_1), new String(part.bytes(), ISO_8859_1));
  }

  @Test
  void fileThatGrowsIsSentAtItsFormerLength(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "0123456789");
    Response response = Representation.of(file, MediaType.OCTET_STREAM).build().respond(get());
    Files.writeString(file, "0123456789abc");
    assertEquals("0123456789", response.string());
  }

  @Test
  void fileThatShrinksFailsTheResponse(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "0123456789");
    Response response = Representation.of(file, MediaType.OCTET_STREAM).build().respond(get());
    Files.writeString(file, "01234");
    assertThrows(IOException.class, response::string);
  }

  @Test
  void whatIsNoFileIsRefused(@TempDir Path folder) {
    assertThrows(
        NoSuchFileException.class, () -> Representation.of(folder, MediaType.OCTET_STREAM));
    assertThrows(
        NoSuchFileException.class,
        () -> Representation.of(folder.resolve("none"), MediaType.OCTET_STREAM));
    assertThrows(IllegalArgumentException.class, () -> Representation.of(-1, offset -> null));
    assertFalse(Files.exists(folder.resolve("none")));
    assertTrue(Files.isDirectory(folder));
  }
}
