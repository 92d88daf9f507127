package heddle.bench.searchnode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts the node in its own process, like a race. */
class SearchNodeTest {

  private static final String LISTENING = "listening on ";
  private static final int DOCUMENTS = 50;

  @TempDir
  private Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void whoeverWaitsForTheRefreshFindsItsDocument() throws Exception {
    Process process = start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI node = awaitAddress(lines);
      Thread.ofVirtual().start(() -> drain(lines));
      List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
      for (int i = 0; i < DOCUMENTS; i++) {
        all.add(client.sendAsync(document(node), BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> each : all) {
        HttpResponse<String> response = each.get(60, TimeUnit.SECONDS);
        assertEquals(201, response.statusCode());
        assertTrue(response.body().contains("\"result\":\"created\""), response::body);
        assertTrue(!response.body().contains("\"forced_refresh\":true"), response::body);
      }
      HttpRequest count = HttpRequest.newBuilder(node.resolve("/races/_count")).build();
      String counted = client.send(count, BodyHandlers.ofString()).body();
      assertTrue(counted.startsWith("{\"count\":" + DOCUMENTS + ","), counted);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            SearchNodeMain.class.getName(),
            folder.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static HttpRequest document(URI node) {
    return HttpRequest.newBuilder(node.resolve("/races/_doc?refresh=wait_for"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{\"text\":\"abc\"}"))
        .build();
  }

  private static URI awaitAddress(BufferedReader lines) throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(LISTENING)) {
        return URI.create(line.substring(LISTENING.length()));
      }
      said.append(line).append('\n');
    }
    throw new IOException("the node ended: " + said);
  }

  /** Its log must not block it. */
  private static void drain(BufferedReader lines) {
    try (lines) {
      lines.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      System.err.println("the node's log cannot be read: " + e);
    }
  }
}
