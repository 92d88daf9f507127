package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.routes.ExperimentRoutes;
import heddle.server.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GetCommandTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.builder().handler(new ExperimentRoutes()).start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void bodyGoesToStandardOutput() {
    assertEquals(0, get("/hello"), this::errors);
    assertEquals("Hello!", text(out));
    assertEquals("", errors());
  }

  @Test
  void includeShowsStatusAndFieldsFirst() {
    assertEquals(0, get("/hello", "-i"), this::errors);
    assertTrue(text(out).startsWith("HTTP/1.1 200 OK\n"), () -> text(out));
    assertTrue(text(out).endsWith("\n\nHello!"), () -> text(out));
  }

  @Test
  void bodyMakesThePostThatIsEchoed() {
    assertEquals(0, get("/echo", "-b", "warp and weft"), this::errors);
    assertEquals("warp and weft", text(out));
  }

  @Test
  void failExitsWith22WithoutOutput() {
    assertEquals(22, get("/nowhere", "--fail"), this::errors);
    assertEquals("", text(out));
    assertTrue(errors().contains("404"), this::errors);
  }

  @Test
  void errorStatusIsACompleteAnswerWithoutFail() {
    assertEquals(0, get("/nowhere"), this::errors);
  }

  @Test
  void timeoutFailsWithOneLine() {
    assertEquals(1, get("/delay/3600000", "--timeout", "0.1"));
    assertEquals(1, errors().lines().count(), this::errors);
    assertEquals("", text(out));
  }

  @Test
  void outputFileIsWrittenWhenComplete(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("answer");
    assertEquals(0, get("/hello", "-o", file.toString()), this::errors);
    assertEquals("Hello!", Files.readString(file));
    assertEquals(List.of(file), list(folder));
  }

  @Test
  void outputFileStaysAsItWasWhenTheCallFails(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("answer");
    Files.writeString(file, "before");
    assertEquals(1, get("/delay/3600000", "--timeout", "0.1", "-o", file.toString()));
    assertEquals("before", Files.readString(file));
    assertEquals(List.of(file), list(folder));
  }

  @Test
  void malformedUrlFailsWithOneLine() {
    assertEquals(1, run("get", "http://a b/"));
    assertEquals(1, errors().lines().count(), this::errors);
  }

  @Test
  void wrongOptionsExitWith2AndSayWhich() {
    assertEquals(2, get("/hello", "--timeout", "soon"));
    assertTrue(errors().contains("--timeout") && errors().contains("soon"), this::errors);
    assertEquals(2, get("/hello", "-H", "no colon"));
    assertEquals(2, get("/hello", "--colour"));
    assertEquals(2, run("get"));
    assertEquals(2, run());
  }

  @Test
  void versionNamesTheBuild() {
    assertEquals(0, run("--version"));
    assertTrue(text(out).matches("(?s)heddle \\d+\\.\\d+.*"), () -> text(out));
    assertFalse(text(out).contains("${"), () -> text(out));
  }

  private int get(String path, String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "get";
    arguments[1] = "http://127.0.0.1:" + server.port() + path;
    System.arraycopy(options, 0, arguments, 2, options.length);
    return run(arguments);
  }

  private int run(String... arguments) {
    var terminal = new Terminal(
        new ByteArrayInputStream(new byte[0]),
        out,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false);
    return Main.run(terminal, arguments);
  }

  private String errors() {
    return text(err);
  }

  private static List<Path> list(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
