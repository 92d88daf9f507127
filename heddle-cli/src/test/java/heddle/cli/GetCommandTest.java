package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.routes.ExperimentRoutes;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GetCommandTest {

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    // Some tests abandon a request.
    server = HttpServer.builder()
        .handler(new ExperimentRoutes())
        .closeTimeout(Duration.ZERO)
        .start();
  }

  @Test
  void bodyGoesToStandardOutput() {
    assertEquals(new Ran(0, "Hello!", ""), get("/hello"));
  }

  @Test
  void includeShowsStatusAndFieldsFirst() {
    Ran ran = get("/hello", "-i");
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().startsWith("HTTP/1.1 200 OK\n"), ran::out);
    assertTrue(ran.out().endsWith("\n\nHello!"), ran::out);
  }

  @Test
  void headShowsTheFieldsOfABodyThatDoesNotCome() {
    Ran ran = get("/hello", "-X", "HEAD", "-i");
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().startsWith("HTTP/1.1 200 OK\n"), ran::out);
    assertTrue(ran.out().contains("Content-Length: 6\n"), ran::out);
    assertTrue(ran.out().endsWith("\n\n"), ran::out);
    assertEquals(new Ran(0, "", ""), get("/hello", "-X", "HEAD"));
  }

  @Test
  void bodyMakesThePostThatIsEchoed(@TempDir Path folder) throws IOException {
    assertEquals(new Ran(0, "warp and weft", ""), get("/echo", "--body", "warp and weft"));
    Path file = Files.writeString(folder.resolve("content"), "from a file");
    assertEquals(new Ran(0, "from a file", ""), get("/echo", "--body", "@" + file));
    Ran ran = Ran.withInput("from the input", "get", url("/echo"), "--body", "@-");
    assertEquals(new Ran(0, "from the input", ""), ran);
  }

  @Test
  void failExitsWith22WithoutOutput(@TempDir Path folder) throws IOException {
    Ran ran = get("/nowhere", "--fail", "-o", folder.resolve("answer").toString());
    assertEquals(22, ran.code());
    assertEquals("", ran.out());
    assertEquals(1, ran.err().lines().count(), ran::err);
    assertTrue(ran.err().contains("404"), ran::err);
    assertEquals(List.of(), list(folder));
    assertEquals(new Ran(0, "Hello!", ""), get("/hello", "--fail"));
  }

  @Test
  void errorStatusIsACompleteAnswerWithoutFail() {
    Ran ran = get("/nowhere");
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().contains("there is no /nowhere here"), ran::out);
  }

  @Test
  void timeoutFailsWithOneLine() {
    Ran ran = get("/delay/3600000", "--timeout", "0.1");
    ran.assertFailed("GET http://127.0.0.1:" + server.port(), "AWAIT_HEAD", "--timeout");
    assertEquals("", ran.out());
  }

  @Test
  void silenceOfTheServerIsBoundedByItself() {
    Ran ran = get("/delay/3600000", "--silence", "0.1");
    ran.assertFailed("GET http://127.0.0.1:" + server.port(), "nothing for 100 ms", "--silence");
  }

  @Test
  void outputFileIsWrittenWhenComplete(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("answer");
    assertEquals(new Ran(0, "", ""), get("/hello", "-o", file.toString()));
    assertEquals("Hello!", Files.readString(file));
    assertEquals(List.of(file), list(folder));
  }

  @Test
  void outputFileStaysAsItWasWhenTheCallFails(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("answer"), "before");
    get("/delay/3600000", "--timeout", "0.1", "-o", file.toString()).assertFailed("AWAIT_HEAD");
    assertEquals("before", Files.readString(file));
    assertEquals(List.of(file), list(folder));
  }

  @Test
  void placeThatCannotBeWrittenToIsNamed(@TempDir Path folder) {
    get("/hello", "-o", folder.toString()).assertFailed(folder.toString(), "folder");
    Path lost = folder.resolve("no/such/answer");
    get("/hello", "-o", lost.toString()).assertFailed(lost.toString(), "does not exist");
  }

  @Test
  void wrongOptionsExitWith2AndSayWhich(@TempDir Path folder) {
    get("/hello", "--timeout", "soon").assertRefused("--timeout", "soon");
    get("/hello", "--timeout", "0").assertRefused("--timeout", "out of range");
    get("/hello", "-H", "no colon").assertRefused("-H 'no colon' is not NAME: VALUE");
    get("/hello", "-H", "na me: x").assertRefused("-H 'na me: x'");
    get("/hello", "-X", "G ET").assertRefused("-X G ET");
    get("/hello", "--body", "@" + folder.resolve("absent")).assertRefused("absent");
    get("/hello", "--colour").assertRefused("--colour");
    Ran.of("get").assertRefused("URL");
    Ran.of().assertRefused("Usage: heddle");
  }

  @Test
  void versionNamesTheBuild() {
    Ran ran = Ran.of("--version");
    assertEquals(0, ran.code());
    assertTrue(ran.out().matches("(?s)heddle \\d+\\.\\d+.*"), ran::out);
    assertFalse(ran.out().contains("${"), ran::out);
  }

  private Ran get(String path, String... options) {
    return Ran.of(
        Stream.concat(Stream.of("get", url(path)), Stream.of(options)).toArray(String[]::new));
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }
}
