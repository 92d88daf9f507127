package heddle.web.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.MultipartBody;
import heddle.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7578 and RFC 2046 section 5.1. In the tables a bar is the end of a line. */
class MultipartReaderTest {
  private static final String HEAD = "Content-Disposition: form-data; name=a";
  private static final int[] SIZES = {1, 2, 7, 73, 100_000};

  private static Request request(Body body) {
    return Request.builder(URI.create("http://t/"))
        .method(Method.POST)
        .body(body)
        .build();
  }

  private static MultipartReader reader(byte[] content, int most, String type, FormLimits limits)
      throws IOException {
    Body body = new UnannouncedBody(new PieceByPiece(content, most), MediaType.parse(type));
    return MultipartReader.of(request(body), limits);
  }

  private static byte[] lines(String text) {
    return text.replace("|", "\r\n").getBytes(ISO_8859_1);
  }

  /** All parts as one text: name, file name and content of each. */
  private static String all(byte[] content, int most) throws IOException {
    StringBuilder all = new StringBuilder();
    try (MultipartReader reader =
        reader(content, most, "multipart/form-data; boundary=B", FormLimits.DEFAULT)) {
      for (FormPart part = reader.next(); part != null; part = reader.next()) {
        String octets = new String(part.stream().readAllBytes(), ISO_8859_1);
        all.append(part.name()).append('/').append(part.fileName()).append('=').append(octets);
        all.append(';');
      }
      assertNull(reader.next());
    }
    return all.toString().replace("\r\n", "|");
  }

  private static List<Arguments> forms() {
    return List.of(
        // one part, several, none
        arguments("--B|" + HEAD + "||x|--B--|", "a/null=x;"),
        arguments("--B|" + HEAD + "||x|--B|" + HEAD + "||y|--B--|", "a/null=x;a/null=y;"),
        arguments("--B--|", ""),
        // nothing, line ends and things like boundaries in the content
        arguments("--B|" + HEAD + "|||--B--|", "a/null=;"),
        arguments("--B|" + HEAD + "||||--B--|", "a/null=|;"),
        arguments("--B|" + HEAD + "||x||y||--B--|", "a/null=x||y|;"),
        arguments("--B|" + HEAD + "||x--B--|y|--B--|", "a/null=x--B--|y;"),
        arguments("--B|" + HEAD + "||x|-B|--A||-|--|--B--|", "a/null=x|-B|--A||-|--;"),
        arguments("--B|" + HEAD + "||\r\r\n\r--B|\r|--B--|", "a/null=\r|\r--B|\r;"),
        arguments("--B|" + HEAD + "||x\n--B--|--B--|", "a/null=x\n--B--;"),
        // preamble and epilogue
        arguments("preamble|more||--B|" + HEAD + "||x|--B--|epilogue|--B|", "a/null=x;"),
        arguments("|--B|" + HEAD + "||x|--B--", "a/null=x;"),
        arguments("-|--B|" + HEAD + "||x|--B--", "a/null=x;"),
        arguments("--B--epilogue", ""),
        // transport padding
        arguments("--B \t |" + HEAD + "||x|--B-- |", "a/null=x;"),
        // Content-Disposition
        arguments("--B|content-disposition:form-data ;  name=\"a\"||x|--B--|", "a/null=x;"),
        arguments("--B|Content-Disposition: Form-Data; NAME=a||x|--B--|", "a/null=x;"),
        arguments("--B|" + HEAD + "; filename=b.txt||x|--B--|", "a/b.txt=x;"),
        arguments("--B|" + HEAD + "; filename=\"\"||x|--B--|", "a/=x;"),
        arguments("--B|" + HEAD + "; filename=\"b c;d=e.txt\"||x|--B--|", "a/b c;d=e.txt=x;"),
        arguments("--B|" + HEAD + "; filename=\"a\\\"b\"||x|--B--|", "a/a\"b=x;"),
        arguments("--B|" + HEAD + "; filename=\"C:\\dir\\f\"||x|--B--|", "a/C:\\dir\\f=x;"),
        arguments("--B|" + HEAD + "; filename=\"%22%0D%0A%41%25\"||x|--B--|", "a/\"|%41%25=x;"),
        // RFC 7578 section 4.2: filename* is not allowed, and ignored
        arguments("--B|" + HEAD + "; filename*=UTF-8''evil.txt||x|--B--|", "a/null=x;"),
        arguments(
            "--B|" + HEAD + "; filename=a.txt; filename*=UTF-8''evil.txt||x|--B--|", "a/a.txt=x;"),
        // other fields
        arguments("--B|Content-Type: text/plain|" + HEAD + "|X: y||x|--B--|", "a/null=x;"),
        arguments("--B|" + HEAD + "|Content-Transfer-Encoding: 8BIT||x|--B--|", "a/null=x;"));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void partsAreReadHoweverTheContentArrives(String text, String expected) throws IOException {
    byte[] content = lines(text);
    for (int size : SIZES) {
      assertEquals(expected, all(content, size), "in pieces of " + size);
    }
  }

  private static List<Arguments> malformedForms() {
    return List.of(
        // cut
        arguments("", "last boundary"),
        arguments("no boundary", "last boundary"),
        arguments("--B", "last boundary"),
        arguments("--B|", "last boundary"),
        arguments("--B|" + HEAD + "", "last boundary"),
        arguments("--B|" + HEAD + "||x", "last boundary"),
        arguments("--B|" + HEAD + "||x|--", "last boundary"),
        arguments("--B|" + HEAD + "||x|--B", "last boundary"),
        arguments("--B|" + HEAD + "||x|--B-", "last boundary"),
        arguments("--B|" + HEAD + "||x|--B|", "last boundary"),
        // boundaries
        arguments("--BB|" + HEAD + "||x|--B--", "boundary is followed"),
        arguments("--B|" + HEAD + "||x|--B-x", "boundary is followed"),
        arguments("--B|" + HEAD + "||x|--B x|--B--", "boundary is followed"),
        arguments("--B\n" + HEAD + "||x|--B--", "boundary is followed"),
        // heads
        arguments("--B||x|--B--", "0 fields Content-Disposition"),
        arguments("--B|X: y||x|--B--", "0 fields Content-Disposition"),
        arguments("--B|" + HEAD + "|" + HEAD + "||x|--B--", "2 fields Content-Disposition"),
        arguments("--B|" + HEAD + "\n||x|--B--", "CRLF"),
        arguments("--B|" + HEAD + "| folded||x|--B--", "not a field"),
        arguments("--B|nonsense||x|--B--", "not a field"),
        arguments("--B|: x||x|--B--", "not a field"),
        arguments("--B|a b: x||x|--B--", "malformed field"),
        arguments("--B|a: \0||x|--B--", "malformed field"),
        arguments("--B|a: x\ry||x|--B--", "malformed field"),
        arguments("--B|Content-Disposition: attachment; name=a||x|--B--", "not form-data"),
        arguments("--B|Content-Disposition: form-data||x|--B--", "no name"),
        arguments("--B|Content-Disposition: form-data; filename=a||x|--B--", "no name"),
        arguments("--B|" + HEAD + "; name=b||x|--B--", "two names"),
        arguments("--B|" + HEAD + "; filename=b; filename=c||x|--B--", "two file names"),
        arguments("--B|" + HEAD + "; filename=\"b||x|--B--", "without its end"),
        arguments("--B|" + HEAD + "; filename=\"b\\\"||x|--B--", "without its end"),
        arguments("--B|" + HEAD + " filename=b||x|--B--", "not ';'"),
        arguments("--B|" + HEAD + "; filename||x|--B--", "not '='"),
        arguments("--B|" + HEAD + "; filename=\u00ff||x|--B--", "value"),
        arguments("--B|" + HEAD + "; filename=\"\u00ff\"||x|--B--", "not UTF-8"),
        arguments(
            "--B|" + HEAD + "|Content-Transfer-Encoding: base64||x|--B--",
            "Content-Transfer-Encoding"),
        arguments(
            "--B|" + HEAD + "|Content-Transfer-Encoding: quoted-printable||x|--B--", "RFC 7578"));
  }

  @ParameterizedTest
  @MethodSource("malformedForms")
  void malformedFormsAreBadRequests(String text, String message) {
    byte[] content = lines(text);
    for (int size : SIZES) {
      FormException refusal = assertThrows(FormException.class, () -> all(content, size));
      assertEquals(400, refusal.status().code());
      assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"a \"",
        "multipart/form-data; boundary=\"a\\\\b\"",
        "multipart/form-data; boundary="
            + "0123456789012345678901234567890123456789012345678901234567890123456789X"
      })
  void boundariesMustBeThoseOfTheRfc(String type) {
    FormException refusal =
        assertThrows(FormException.class, () -> reader(new byte[0], 1, type, FormLimits.DEFAULT));
    assertEquals(400, refusal.status().code());
  }

  @Test
  void otherMediaTypesAreRefused() {
    FormException refusal = assertThrows(
        FormException.class,
        () -> reader(new byte[0], 1, "multipart/mixed; boundary=B", FormLimits.DEFAULT));
    assertEquals(415, refusal.status().code());
    assertThrows(
        FormException.class,
        () -> MultipartReader.of(request(Body.of(new byte[0])), FormLimits.DEFAULT));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8192, 1 << 20})
  void whatMultipartBodyWritesIsReadAgain(int most) throws IOException {
    byte[] binary = new byte[70_000];
    new Random(1).nextBytes(binary);
    String name = "q\"u\r\no%te \u00e4 \\ \uD83E\uDDF5; name=\"x\"";
    MultipartBody form = MultipartBody.builder()
        .boundary("'()+_,-./:=? '0123456789012345678901234567890123456789012345678901234")
        .add("text", "some\r\ntext \u00e4")
        .add(name, "")
        .addFile("file", name, Body.of(binary))
        .addFile("typed", "", Body.of("{}", MediaType.APPLICATION_JSON))
        .build();
    Body body = new UnannouncedBody(new PieceByPiece(form.bytes(), most), form.mediaType());
    try (MultipartReader reader = MultipartReader.of(request(body), FormLimits.DEFAULT)) {
      FormPart part = next(reader);
      assertEquals("text", part.name());
      assertNull(part.fileName());
      assertNull(part.mediaType());
      assertEquals("some\r\ntext \u00e4", part.text(100));
      part = next(reader);
      assertEquals(name, part.name());
      assertEquals("", part.text(0));
      part = next(reader);
      assertEquals(name, part.fileName());
      assertEquals(MediaType.OCTET_STREAM, part.mediaType());
      assertEquals(
          new String(binary, ISO_8859_1), new String(part.stream().readAllBytes(), ISO_8859_1));
      part = next(reader);
      assertEquals("", part.fileName());
      assertEquals("application/json", part.headers().first("Content-Type"));
      assertEquals("{}", part.text(2));
      assertNull(reader.next());
    }
  }

  private static FormPart next(MultipartReader reader) throws IOException {
    return Objects.requireNonNull(reader.next());
  }

  @Test
  void partsThatAreNotReadAreSkippedAndOver() throws IOException {
    byte[] content =
        lines("--B|" + HEAD + "||" + "x".repeat(20_000) + "|--B|" + HEAD + "||second|--B--|");
    try (MultipartReader reader =
        reader(content, 100, "multipart/form-data; boundary=B", FormLimits.DEFAULT)) {
      InputStream first = next(reader).stream();
      assertEquals('x', first.read());
      FormPart second = next(reader);
      assertThrows(IOException.class, first::read);
      assertEquals("second", second.text(100));
      assertEquals(-1, second.stream().read());
      assertEquals(-1, second.stream().read());
      assertNull(reader.next());
    }
  }

  @Test
  void failureIsThrownAgain() throws IOException {
    byte[] content = lines("--B|nonsense||x|--B|" + HEAD + "||y|--B--|");
    try (MultipartReader reader =
        reader(content, 100, "multipart/form-data; boundary=B", FormLimits.DEFAULT)) {
      FormException first = assertThrows(FormException.class, reader::next);
      assertEquals(first, assertThrows(FormException.class, reader::next));
    }
  }

  @ParameterizedTest
  @CsvSource({"maxBytes, 413", "maxParts, 413", "maxPartBytes, 413", "maxHeadBytes, 413", "none, 0"
  })
  void limitsAreKept(String limit, int status) throws IOException {
    byte[] content = lines("--B|" + HEAD + "||12345|--B|" + HEAD + "||12|--B--|");
    FormLimits exact = new FormLimits(content.length, 2, 5, HEAD.length() + 4, 1);
    FormLimits limits =
        switch (limit) {
          case "maxBytes" -> new FormLimits(content.length - 3, 2, 5, HEAD.length() + 4, 1);
          case "maxParts" -> new FormLimits(content.length, 1, 5, HEAD.length() + 4, 1);
          case "maxPartBytes" -> new FormLimits(content.length, 2, 4, HEAD.length() + 4, 1);
          case "maxHeadBytes" -> new FormLimits(content.length, 2, 5, HEAD.length() + 3, 1);
          default -> exact;
        };
    for (int size : SIZES) {
      MultipartReader reader = reader(content, size, "multipart/form-data; boundary=B", limits);
      if (status == 0) {
        assertNotNull(reader.next());
        assertNotNull(reader.next());
        assertNull(reader.next());
      } else {
        FormException refusal = assertThrows(FormException.class, () -> {
          while (reader.next() != null) {
            // Parts are skipped, and counted.
          }
        });
        assertEquals(status, refusal.status().code());
        assertTrue(refusal.getMessage().contains(limit), refusal.getMessage());
      }
    }
  }

  @Test
  void announcedLengthIsRefusedBeforeItArrives() {
    MultipartBody form = MultipartBody.builder().add("a", "x".repeat(100)).build();
    FormLimits limits = FormLimits.builder().maxBytes(100).build();
    FormException refusal =
        assertThrows(FormException.class, () -> MultipartReader.of(request(form), limits));
    assertEquals(413, refusal.status().code());
  }

  @Test
  void textIsInTheCharsetOfThePart() throws IOException {
    String type = "|Content-Type: text/plain; charset=";
    byte[] content = lines("--B|" + HEAD + type + "iso-8859-1||\u00e4|--B|" + HEAD + type
        + "nonsense||x|--B|" + HEAD + "||\u00e4|--B|" + HEAD + "||123|--B--");
    try (MultipartReader reader =
        reader(content, 100, "multipart/form-data; boundary=B", FormLimits.DEFAULT)) {
      assertEquals("\u00e4", next(reader).text(10));
      assertEquals(415, refusal(next(reader), 10));
      assertEquals(400, refusal(next(reader), 10));
      assertEquals(413, refusal(next(reader), 2));
    }
  }

  private static int refusal(FormPart part, int maxBytes) {
    return assertThrows(FormException.class, () -> part.text(maxBytes)).status().code();
  }

  /** Every line of the content but for one octet is the boundary. */
  @Test
  void contentLikeABoundaryIsReadInOnePass() throws IOException {
    String almost = "\r\n--" + "0123456789".repeat(6) + "012345678";
    byte[] content = ("--0123456789012345678901234567890123456789012345678901234567890123456789\r\n"
            + HEAD + "\r\n\r\n" + almost.repeat(40_000)
            + "\r\n--0123456789012345678901234567890123456789012345678901234567890123456789--")
        .getBytes(UTF_8);
    String type = "multipart/form-data; boundary=" + "0123456789".repeat(7);
    try (MultipartReader reader = reader(content, 1 << 20, type, FormLimits.DEFAULT)) {
      assertEquals(almost.length() * 40_000, next(reader).stream().readAllBytes().length);
      assertNull(reader.next());
    }
  }
}
