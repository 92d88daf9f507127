package heddle.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusExceptionTest {
  private static final Request ASKED = Request.get(URI.create("http://a/users/7?token=secret"));

  /** Content that says whether it was closed. */
  private static final class Content extends Body {
    private final InputStream stream;
    private final @Nullable MediaType mediaType;
    private boolean closed;

    Content(InputStream stream, @Nullable String mediaType) {
      this.stream = stream;
      this.mediaType = mediaType == null ? null : MediaType.parse(mediaType);
    }

    Content(byte[] bytes, @Nullable String mediaType) {
      this(new ByteArrayInputStream(bytes), mediaType);
    }

    @Override
    public long length() {
      return UNKNOWN;
    }

    @Override
    public boolean isReplayable() {
      return false;
    }

    @Override
    public InputStream stream() {
      return stream;
    }

    @Override
    public @Nullable MediaType mediaType() {
      return mediaType;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static InputStream failing(IOException failure) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw failure;
      }

      @Override
      public int read(byte[] buffer, int from, int length) throws IOException {
        throw failure;
      }
    };
  }

  private static Response answer(Status status, Body body) {
    return Response.received(
        ASKED, status, HttpVersion.HTTP_1_1, Headers.of("X-A", "1"), body, Trailers.none());
  }

  private static StatusException failure(Status status, Body body) {
    return assertThrows(StatusException.class, () -> answer(status, body).requireSuccess());
  }

  @Test
  void responsesOfSuccessPassAsTheyAre() throws Exception {
    Content content = new Content("x".getBytes(US_ASCII), null);
    Response response = answer(Status.of(204), content);
    assertSame(response, response.requireSuccess());
    assertFalse(content.closed);
  }

  @Test
  void failureSaysWhatWasAskedAndHowTheContentBegins() {
    Content content = new Content("no\r\n  such\u0007user".getBytes(US_ASCII), "text/plain");
    StatusException failure = failure(Status.NOT_FOUND, content);
    assertEquals(
        "GET http://a:80/users/7 was answered 404 Not Found: no such user", failure.getMessage());
    assertEquals("no\r\n  such\u0007user", failure.excerpt());
    assertEquals(Status.NOT_FOUND, failure.status());
    assertEquals("1", failure.headers().first("X-A"));
    assertSame(ASKED, failure.request());
    assertTrue(content.closed);
  }

  @Test
  void excerptIsBoundedWhateverTheServerSends() {
    InputStream endless = new InputStream() {
      @Override
      public int read() {
        return 'x';
      }

      @Override
      public int read(byte[] buffer, int from, int length) {
        Arrays.fill(buffer, from, from + length, (byte) 'x');
        return length;
      }
    };
    StatusException failure = failure(Status.of(500), new Content(endless, "application/json"));
    assertEquals("x".repeat(8 << 10), failure.excerpt());
    assertTrue(failure.problem().endsWith(": " + "x".repeat(200) + "..."), failure.problem());
  }

  @Test
  void contentThatIsNoTextIsNotShown() {
    StatusException failure = failure(Status.of(500), new Content(new byte[] {1, 2}, "image/png"));
    assertEquals("", failure.excerpt());
    assertEquals(
        "GET http://a:80/users/7 was answered 500 Internal Server Error", failure.getMessage());
  }

  @Test
  void contentThatCannotBeReadDoesNotHideTheStatus() {
    IOException lost = new IOException("lost");
    InputStream broken = failing(lost);
    StatusException failure = failure(Status.of(503), new Content(broken, "text/plain"));
    assertEquals(503, failure.status().code());
    assertSame(lost, failure.getSuppressed()[0]);
  }

  @Test
  void statusAndExcerptSurviveSerialization() throws Exception {
    StatusException failure = failure(Status.NOT_FOUND, Body.of("gone"));
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      StatusException read = (StatusException) in.readObject();
      assertEquals(failure.getMessage(), read.getMessage());
      assertEquals(404, read.status().code());
      assertEquals("gone", read.excerpt());
      assertNull(read.request());
    }
  }
}
