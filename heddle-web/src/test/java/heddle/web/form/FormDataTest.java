package heddle.web.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Form;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.MultipartBody;
import heddle.http.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormDataTest {
  @TempDir
  private Path temporary;

  private static Request request(Body body) {
    return Request.builder(URI.create("http://t/"))
        .method(Method.POST)
        .body(body)
        .build();
  }

  private FormData read(Body body, FormLimits limits) throws IOException {
    return FormData.read(request(body), limits, temporary);
  }

  private long filesLeft() throws IOException {
    try (Stream<Path> files = Files.walk(temporary)) {
      return files.count() - 1;
    }
  }

  @Test
  void fieldsOfEitherKindAreTheSame() throws IOException {
    Form form = Form.of("a", "1", "b", "\u00e4", "a", "2");
    MultipartBody.Builder parts = MultipartBody.builder();
    form.fields().forEach(field -> parts.add(field.name(), field.value()));
    for (Body body : List.of(form.body(), parts.build())) {
      try (FormData data = read(body, FormLimits.DEFAULT)) {
        assertEquals(form, data.fields());
        assertEquals("1", data.first("a"));
        assertEquals(List.of("1", "2"), data.all("a"));
        assertEquals("\u00e4", data.first("b"));
        assertNull(data.first("c"));
        assertEquals(List.of(), data.all("c"));
        assertEquals(List.of(), data.files());
      }
    }
    assertEquals(0, filesLeft());
  }

  @Test
  void filesAreKeptUntilTheFormIsClosed() throws IOException {
    String large = "large ".repeat(50_000);
    MultipartBody body = MultipartBody.builder()
        .add("title", "two files")
        .addFile("f", "../../a.txt", Body.of(large, MediaType.TEXT_PLAIN_UTF8))
        .addFile("f", "b.bin", Body.of(new byte[3]))
        .addFile("empty", "empty.txt", Body.of(new byte[0]))
        .addFile("none", "", Body.of(new byte[0]))
        .build();
    FormData data = read(body, FormLimits.DEFAULT);
    assertEquals("two files", data.first("title"));
    assertEquals(3, data.files().size());
    UploadedFile first = data.file("f");
    assertNotNull(first);
    assertEquals("../../a.txt", first.fileName());
    assertEquals(MediaType.TEXT_PLAIN_UTF8, first.mediaType());
    assertEquals(large.length(), first.size());
    assertEquals(large, Files.readString(first.path()));
    assertTrue(first.path().startsWith(temporary));
    assertEquals(3, Files.size(data.files().get(1).path()));
    assertEquals(0, data.files().get(2).size());
    assertNull(data.file("none"));
    assertNull(data.file("title"));
    Path moved = Files.move(first.path(), temporary.resolve("kept"));
    data.close();
    data.close();
    assertTrue(Files.exists(moved));
    assertEquals(1, filesLeft());
  }

  @Test
  void filesOfAFormThatIsCutAreDeleted() throws IOException {
    byte[] whole = MultipartBody.builder()
        .boundary("B")
        .addFile("f", "a.txt", Body.of(new byte[100_000]))
        .addFile("g", "b.txt", Body.of(new byte[100_000]))
        .build()
        .bytes();
    MediaType type = MediaType.parse("multipart/form-data; boundary=B");
    byte[] cut = Arrays.copyOf(whole, whole.length - 10);
    FormException failure =
        assertThrows(FormException.class, () -> read(Body.of(cut, type), FormLimits.DEFAULT));
    assertEquals(400, failure.status().code());
    assertEquals(0, filesLeft());
    FormLimits limits = FormLimits.builder().maxPartBytes(99_999).build();
    FormException tooLarge =
        assertThrows(FormException.class, () -> read(Body.of(whole, type), limits));
    assertEquals(413, tooLarge.status().code());
    assertEquals(0, filesLeft());
  }

  @Test
  void filesAreDeletedIfTheThreadIsInterrupted() throws Exception {
    MultipartBody body = MultipartBody.builder()
        .addFile("f", "a.txt", Body.of(new byte[300_000]))
        .build();
    byte[] whole = body.bytes();
    MediaType type = body.mediaType();
    FutureTask<Boolean> reading = new FutureTask<>(() -> {
      // Whether the reading or the closing meets the interrupt depends on the threads for files.
      for (int i = 0; i < 50; i++) {
        Thread.currentThread().interrupt();
        try (FormData read = read(Body.of(whole, type), FormLimits.DEFAULT)) {
          assertEquals(1, read.files().size());
        } catch (InterruptedIOException e) {
          // The files of what was read until then are deleted too.
        }
        assertTrue(Thread.interrupted());
      }
      return true;
    });
    Thread.ofVirtual().start(reading);
    assertTrue(reading.get());
    assertEquals(0, filesLeft());
  }

  @Test
  void textInMemoryIsLimitedInAll() throws IOException {
    FormLimits limits = FormLimits.builder().maxTextBytes(20).build();
    MultipartBody fits =
        MultipartBody.builder().add("a", "123456789").add("b", "123456789").build();
    try (FormData data = read(fits, limits)) {
      assertEquals(2, data.fields().fields().size());
    }
    MultipartBody tooLong =
        MultipartBody.builder().add("a", "123456789").add("b", "1234567890").build();
    assertEquals(413, refusal(tooLong, limits));
    FormException named = assertThrows(FormException.class, () -> read(tooLong, limits));
    assertTrue(named.getMessage().contains("20 bytes of text"), named.getMessage());
    MultipartBody longNames =
        MultipartBody.builder().add("n".repeat(11), "").add("m".repeat(10), "").build();
    assertEquals(413, refusal(longNames, limits));
    MultipartBody file =
        MultipartBody.builder().addFile("f", "name", Body.of(new byte[1000])).build();
    try (FormData data = read(file, limits)) {
      assertEquals(1000, data.files().get(0).size());
    }
  }

  @Test
  void textsCountInTheMemoryOfTheRequestAndFilesDoNot() throws IOException {
    MultipartBody form = MultipartBody.builder()
        .add("a", "x".repeat(20_000))
        .addFile("f", "name", Body.of(new byte[500_000]))
        .add("b", "x".repeat(30_000))
        .build();
    UnannouncedBody body =
        new UnannouncedBody(new ByteArrayInputStream(form.bytes()), form.mediaType());
    read(body, FormLimits.DEFAULT).close();
    assertTrue(body.reserved >= 50_000, "counted: " + body.reserved);
    assertTrue(body.reserved < 2 * 50_000, "counted: " + body.reserved);
  }

  private int refusal(Body body, FormLimits limits) {
    return assertThrows(FormException.class, () -> read(body, limits)).status().code();
  }

  @Test
  void otherContentIsRefused() {
    assertEquals(415, refusal(Body.of("{}", MediaType.APPLICATION_JSON), FormLimits.DEFAULT));
    assertEquals(415, refusal(Body.empty(), FormLimits.DEFAULT));
  }

  @Test
  void systemsTemporaryDirectoryIsTheDefault() throws IOException {
    MultipartBody body =
        MultipartBody.builder().addFile("f", "a", Body.of(new byte[1])).build();
    Path path;
    try (FormData data = FormData.read(request(body), FormLimits.DEFAULT)) {
      path = data.files().get(0).path();
      assertTrue(Files.exists(path));
    }
    assertFalse(Files.exists(path.getParent()));
  }
}
