package heddle.web.form;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Form;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.MultipartBody;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forms through a server, over both versions. */
@Timeout(60)
class ServedFormsTest {
  private static final FormLimits LIMITS =
      FormLimits.builder().maxBytes(4 << 20).build();

  private HttpServer server;
  private HttpClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.builder().handler(ServedFormsTest::answer).start();
    client = HttpClient.builder().build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static Response answer(Request request) throws IOException {
    try (FormData form = FormData.read(request, LIMITS)) {
      StringBuilder text = new StringBuilder();
      form.fields().fields().forEach(field -> text.append(field).append('\n'));
      form.files().forEach(file -> text.append(file.fileName()).append(' ').append(file.size()));
      return Response.ok(text.toString());
    } catch (FormException e) {
      return Response.builder(e.status()).body(Body.of(e.problem())).build();
    }
  }

  private String post(HttpVersion version, Body body) throws IOException {
    return post(server, version, body);
  }

  private String post(HttpServer server, HttpVersion version, Body body) throws IOException {
    Request request = Request.builder("http://localhost:" + server.port() + "/")
        .method(Method.POST)
        .version(version)
        .body(body)
        .build();
    try (Response response = client.send(request)) {
      return response.status().code() + " " + response.string();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HTTP_1_0")
  void formsArrive(HttpVersion version) throws IOException {
    assertEquals(
        "200 Field[name=a, value=\u00e4 b]\n",
        post(version, Form.of("a", "\u00e4 b").body()));
    MultipartBody upload = MultipartBody.builder()
        .add("a", "1")
        .addFile("f", "large.bin", Body.of(InputStream.nullInputStream(), 0))
        .addFile("g", "more.bin", Body.of(new byte[3_000_000]))
        .build();
    assertEquals("200 Field[name=a, value=1]\nlarge.bin 0more.bin 3000000", post(version, upload));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HTTP_1_0")
  void formsThatCannotBeReadAreRefusedAndTheConnectionGoesOn(HttpVersion version)
      throws IOException {
    MultipartBody large = MultipartBody.builder()
        .addFile("f", "large.bin", Body.of(new byte[5_000_000]))
        .build();
    assertEquals("413", post(version, large).substring(0, 3));
    assertEquals(
        "400", post(version, Body.of("a=%".getBytes(US_ASCII), Form.MEDIA_TYPE)).substring(0, 3));
    MediaType multipart = MediaType.parse("multipart/form-data; boundary=B");
    assertEquals(
        "400", post(version, Body.of("--B".getBytes(US_ASCII), multipart)).substring(0, 3));
    assertEquals("415", post(version, Body.of("text")).substring(0, 3));
    assertEquals("200", post(version, Form.of().body()).substring(0, 3));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HTTP_1_0")
  void textsThatTheMemoryBudgetHasNoRoomForAreRefused(HttpVersion version) throws IOException {
    try (HttpServer small = HttpServer.builder()
        .handler(ServedFormsTest::answer)
        .memoryBudget(1 << 20)
        .start()) {
      MultipartBody text = MultipartBody.builder().add("a", "x".repeat(600_000)).build();
      assertEquals("503", post(small, version, text).substring(0, 3));
      MultipartBody file = MultipartBody.builder()
          .addFile("f", "large.bin", Body.of(new byte[3_000_000]))
          .build();
      assertEquals("200 large.bin 3000000", post(small, version, file));
    }
  }
}
