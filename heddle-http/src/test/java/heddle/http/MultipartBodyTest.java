package heddle.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class MultipartBodyTest {
  private static MultipartBody.Builder form() {
    return MultipartBody.builder().boundary("XX");
  }

  private static InputStream stream(String content) {
    return new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
  }

  /** Counts how many of the streams that it makes are open. */
  private static final class OpenStreams {
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger opened = new AtomicInteger();

    InputStream of(String content) {
      open.incrementAndGet();
      opened.incrementAndGet();
      return new FilterInputStream(stream(content)) {
        private boolean closed;

        @Override
        public void close() {
          if (!closed) {
            closed = true;
            open.decrementAndGet();
          }
        }
      };
    }
  }

  @Test
  void partsStandBetweenBoundariesInTheirOrder(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("report.txt"), "content");
    MultipartBody body = form()
        .add("title", "Zürich")
        .add("meta", Body.of("{}", MediaType.APPLICATION_JSON))
        .addFile("report", file, MediaType.TEXT_PLAIN_UTF8)
        .addFile("raw", "r.bin", Body.of(new byte[] {1, 2}))
        .build();
    String expected = "--XX\r\n"
        + "Content-Disposition: form-data; name=\"title\"\r\n\r\nZürich\r\n"
        + "--XX\r\nContent-Disposition: form-data; name=\"meta\"\r\n"
        + "Content-Type: application/json\r\n\r\n{}\r\n"
        + "--XX\r\nContent-Disposition: form-data; name=\"report\"; filename=\"report.txt\"\r\n"
        + "Content-Type: text/plain; charset=utf-8\r\n\r\ncontent\r\n"
        + "--XX\r\nContent-Disposition: form-data; name=\"raw\"; filename=\"r.bin\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n\1\2\r\n"
        + "--XX--\r\n";
    assertEquals(expected, new String(body.bytes(), StandardCharsets.UTF_8));
    assertEquals(expected.getBytes(StandardCharsets.UTF_8).length, body.length());
    assertTrue(body.isReplayable());
    assertEquals(expected, new String(body.bytes(), StandardCharsets.UTF_8), "a second time");
    assertEquals(
        "multipart/form-data; boundary=XX",
        Request.post("http://a/", body).headers().first(HeaderName.CONTENT_TYPE));
  }

  @Test
  void anyBufferSizeGivesTheSameOctets() throws Exception {
    MultipartBody body = form()
        .add("a", "1".repeat(5000))
        .add("b", "")
        .add("c", Body.of(stream("s"), 1))
        .build();
    try (InputStream in = body.stream()) {
      byte[] one = new byte[(int) body.length()];
      for (int at = 0; at < one.length; ) {
        int n = at % 2 == 0 ? in.read(one, at, Math.min(7, one.length - at)) : 1;
        if (at % 2 != 0) {
          one[at] = (byte) in.read();
        }
        at += n;
      }
      assertEquals(-1, in.read());
      MultipartBody same = form()
          .add("a", "1".repeat(5000))
          .add("b", "")
          .add("c", Body.of("s".getBytes(UTF_8)))
          .build();
      assertArrayEquals(same.bytes(), one);
    }
  }

  @Test
  void namesCannotAddParametersOrFields() throws Exception {
    String hostile = "a\"; filename=\"x\r\nContent-Type: text/html\r\n\r\n--XX--";
    MultipartBody body =
        form().addFile(hostile, "f\"\r\n.txt", Body.of(new byte[0])).build();
    String text = body.string();
    assertTrue(
        text.contains("name=\"a%22; filename=%22x%0D%0AContent-Type: text/html%0D%0A%0D%0A--XX--\";"
            + " filename=\"f%22%0D%0A.txt\"\r\n"),
        text);
    assertEquals(2, text.split("--XX--", -1).length - 1, "one in the name, one at the end");
    assertEquals(6, text.lines().count());
  }

  @Test
  void namesThatNoEscapeCanCarryAreRefused() {
    for (String name : new String[] {"a\0b", "\u001b", "\u007f", "a\\"}) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> form().add(name, "x"));
      assertTrue(refused.getMessage().contains("name of a part"), refused.getMessage());
      assertThrows(
          IllegalArgumentException.class, () -> form().addFile("f", name, Body.of(new byte[0])));
    }
    form().add("a\\b\tc", "a backslash elsewhere, and a tab, are as in browsers");
  }

  @Test
  void halfASurrogatePairBecomesTheReplacementCharacter() throws Exception {
    String text = form().add("n\ud83d", "v\ud83d").build().string();
    assertTrue(text.contains("name=\"n\ufffd\"\r\n\r\nv\ufffd\r\n"), text);
  }

  @Test
  void boundaryIsAnotherOneEachTimeAndLegal() {
    String one = MultipartBody.builder().add("a", "b").build().mediaType().parameter("boundary");
    String two = MultipartBody.builder().add("a", "b").build().mediaType().parameter("boundary");
    assertNotEquals(one, two);
    assertTrue(one.matches("heddle-[0-9a-f]{32}"), one);
  }

  @Test
  void boundariesAreThoseOfTheStandard() throws Exception {
    String legal = "'()+_,-./:=? 09azAZ";
    MultipartBody body = MultipartBody.builder().boundary(legal).add("a", "b").build();
    assertTrue(body.string().startsWith("--" + legal + "\r\n"));
    assertEquals(
        "multipart/form-data; boundary=\"" + legal + "\"",
        Request.post("http://a/", body).headers().first(HeaderName.CONTENT_TYPE));
    for (String illegal : new String[] {"", "a ", "a\r\nb", "a\"b", "é", "a;b", "x".repeat(71)}) {
      assertThrows(IllegalArgumentException.class, () -> form().boundary(illegal), illegal);
    }
    form().boundary("x".repeat(70));
  }

  @Test
  void contentWithTheGivenBoundaryIsRefused() {
    IllegalStateException refused = assertThrows(
        IllegalStateException.class, () -> form().add("note", "x\r\n--XX\r\n").build());
    assertTrue(refused.getMessage().contains("note"), refused.getMessage());
    form().add("note", "XX, without its dashes, is content").build();
  }

  @Test
  void lengthIsKnownAndBodyReplayableWhereAllPartsAre() throws Exception {
    MultipartBody once = form().add("a", "b").add("s", Body.of(stream("x"), 1)).build();
    assertFalse(once.isReplayable());
    assertEquals(once.length(), once.bytes().length);
    IllegalStateException again = assertThrows(IllegalStateException.class, once::stream);
    assertTrue(again.getMessage().contains("only once"), again.getMessage());
    MultipartBody unknown = form()
        .add("a", "b")
        .add("s", Body.replayable(Body.UNKNOWN, () -> stream("x")))
        .build();
    assertEquals(Body.UNKNOWN, unknown.length());
    assertTrue(unknown.isReplayable());
    assertArrayEquals(unknown.bytes(), unknown.bytes());
  }

  @Test
  void partThatIsNotOfItsLengthIsAnErrorThatNamesIt() {
    for (int length : new int[] {2, 4}) {
      // The other part makes up for it, so that the whole has the length that was said.
      MultipartBody body = form()
          .add("one", Body.of(stream("abc"), length))
          .add("other", Body.of(stream("abc"), 6 - length))
          .build();
      IOException failure = assertThrows(IOException.class, body::bytes);
      assertTrue(failure.getMessage().startsWith("the part one "), failure.getMessage());
    }
  }

  @Test
  void partsAreOpenedOneAfterTheOtherAndClosed() throws Exception {
    OpenStreams streams = new OpenStreams();
    MultipartBody body = form()
        .add("a", Body.replayable(100, () -> streams.of("a".repeat(100))))
        .add("b", Body.replayable(1, () -> streams.of("b")))
        .build();
    try (InputStream in = body.stream()) {
      assertEquals(0, streams.opened.get(), "nothing is opened before it is read");
      in.readNBytes((int) body.length());
      assertEquals(2, streams.opened.get());
    }
    assertEquals(0, streams.open.get());
    InputStream half = body.stream();
    half.readNBytes(60);
    assertEquals(1, streams.open.get());
    half.close();
    assertEquals(0, streams.open.get());
    assertThrows(IOException.class, half::read);
  }

  @Test
  void closingClosesStreamsThatNobodyHasRead() throws Exception {
    OpenStreams streams = new OpenStreams();
    MultipartBody body = form()
        .add("a", Body.of(streams.of("a")))
        .add("b", Body.of(streams.of("b")))
        .build();
    body.close();
    assertEquals(0, streams.open.get());
  }

  @Test
  void formWithoutPartsAndFilesThatAreMissingAreRefused(@TempDir Path folder) {
    assertThrows(IllegalStateException.class, () -> form().build());
    assertThrows(NoSuchFileException.class, () -> form()
        .addFile("f", folder.resolve("none"), MediaType.OCTET_STREAM));
  }

  @Test
  void textHasNoMediaTypeOfItsOwn() throws Exception {
    assertNull(Body.of(new byte[1]).mediaType());
    assertFalse(form().add("a", "b").build().string().contains("Content-Type"));
  }
}
