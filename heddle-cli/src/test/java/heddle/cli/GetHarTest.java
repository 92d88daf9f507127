package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.har.HarReplay;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** heddle get --har writes a recording of what was sent and received. */
final class GetHarTest {

  @TempDir
  private Path folder;

  private Path file;

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("calls.har");
    server = HttpServer.builder()
        .handler(GetHarTest::answer)
        .closeTimeout(Duration.ZERO)
        .start();
  }

  private static Response answer(Request request) {
    return request.path().equals("/moved")
        ? Response.builder(Status.FOUND).header("Location", "/seen").build()
        : Response.ok("seen " + request.target());
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private Ran recorded(String url, String... options) {
    String[] all = new String[options.length + 4];
    System.arraycopy(options, 0, all, 4, options.length);
    all[0] = "get";
    all[1] = url;
    all[2] = "--har";
    all[3] = file.toString();
    return Ran.of(all);
  }

  private List<String> entries() throws IOException {
    return HarReplay.of(file).unused().stream().map(Object::toString).toList();
  }

  @Test
  void exchangesAreRecordedAndCanBeReplayed() throws IOException {
    Ran ran = recorded(url("/moved?a=1"), "-L", "-u", "ann:hidden");
    assertEquals("seen /seen", ran.out(), ran::toString);
    assertEquals(
        List.of(
            "entry 0 (GET " + url("/moved?a=1") + ", 302)",
            "entry 1 (GET " + url("/seen") + ", 200)"),
        entries());
    assertFalse(Files.readString(file).contains("YW5uOmhpZGRlbg"));
    try (HttpClient client =
        HttpClient.builder().interceptor(HarReplay.of(file)).build()) {
      assertEquals("seen /seen", client.get(url("/moved?a=1")).string());
    }
  }

  @Test
  void failureIsRecorded() throws IOException {
    String url = url("/");
    server.close();
    assertEquals(1, recorded(url).code());
    assertEquals(List.of("entry 0 (GET " + url + ", 0)"), entries());
    assertTrue(Files.readString(file).contains("ConnectFailedException"));
  }

  @Test
  void fileThatCannotBeWrittenIsAFailure() {
    file = folder.resolve("missing").resolve("calls.har");
    recorded(url("/")).assertFailed("cannot write to " + file);
  }

  @Test
  void signaturesInUrlsAreMaskedInWhatVerboseTells() {
    Ran ran = Ran.of("get", url("/?sig=hidden"), "-v");
    assertTrue(ran.err().contains("> GET /?sig=*** HTTP/1.1\n"), ran::err);
    assertTrue(ran.err().contains(" bytes of content received, "), ran::err);
  }
}
