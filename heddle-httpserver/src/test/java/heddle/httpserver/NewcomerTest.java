package heddle.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that was written for the JDK's server runs on ours with no line changed. */
@Timeout(120)
class NewcomerTest {
  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> get(String port, String path) throws Exception {
    URI uri = URI.create("http://localhost:" + port + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  @Test
  void aProgramAndItsFilesAreServedUntilItStops(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("page.html"), "<p>A page</p>");
    Files.createDirectory(directory.resolve("inner"));
    Process program = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Newcomer.class.getName(),
            directory.toRealPath().toString())
        .start();
    try (BufferedReader log = program.errorReader(StandardCharsets.UTF_8)) {
      String[] line = log.readLine().split(" ");
      assertEquals(PlainServer.class.getName(), line[2]);
      assertEquals("Hello, world!", get(line[0], "/world").body());

      HttpResponse<String> page = get(line[1], "/page.html");
      assertEquals("<p>A page</p>", page.body());
      assertEquals("text/html", page.headers().firstValue("content-type").orElse(""));
      assertTrue(get(line[1], "/").body().contains("page.html"));
      assertEquals(404, get(line[1], "/missing").statusCode());
      assertEquals(301, get(line[1], "/inner").statusCode());
      assertTrue(program.isAlive(), "the main method has ended long ago");

      assertEquals(204, get(line[1], "/stop").statusCode());
      assertTrue(program.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, program.exitValue());
      String requests = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(requests.contains("\"GET /page.html HTTP/1.1\" 200"), requests);
      assertFalse(requests.contains("Exception"), requests);
    } finally {
      program.destroyForcibly();
      client.close();
    }
  }
}
