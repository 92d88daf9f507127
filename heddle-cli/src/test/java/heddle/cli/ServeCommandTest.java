package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Request;
import heddle.http.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServeCommandTest {

  private static final String LISTENING = "listening on ";

  /** The exit code of a process that SIGTERM ended: 128 and the signal's number. */
  private static final int TERMINATED = 128 + 15;

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "pool:2"})
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process is ended there without a signal")
  void terminationLetsTheRequestThatRunsFinish(String threads) throws Exception {
    Process process = serve("--port", "0", "--threads", threads);
    try (HttpClient client = HttpClient.create();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      assertNotNull(line);
      assertTrue(line.startsWith(LISTENING), line);
      String url = line.substring(LISTENING.length());
      CompletableFuture<Response> slow = client.sendAsync(Request.get(url + "/delay/1500"));
      while (!activity(client, url).contains("\"active\":1")) {
        Thread.onSpinWait();
      }
      // The handle's leaves the process's output open.
      assertTrue(process.toHandle().destroy());
      try (Response response = slow.get(30, TimeUnit.SECONDS)) {
        assertEquals("Hello!", response.string());
      }
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the server goes on");
      assertEquals(TERMINATED, process.exitValue());
      assertEquals(null, lines.readLine());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void portInUseIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "" + taken.getLocalPort();
      Ran.of("serve", "--port", port).assertFailed("127.0.0.1:" + port, "in use", "--port");
    }
  }

  @Test
  void wrongOptionsExitWith2AndSayWhich() {
    Ran.of("serve", "--port", "65536").assertRefused("--port", "65536");
    Ran.of("serve", "--port", "-1").assertRefused("--port");
    Ran.of("serve", "--port", "http").assertRefused("--port", "http");
    Ran.of("serve", "--threads", "pool:0").assertRefused("--threads", "pool:0");
    Ran.of("serve", "--threads", "many").assertRefused("--threads", "many");
    Ran.of("serve", "now").assertRefused("now");
  }

  private static String activity(HttpClient client, String url) throws IOException {
    try (Response response = client.send(Request.get(url + "/active"))) {
      return response.string();
    }
  }

  static Process serve(String... options) throws IOException {
    var command = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        "serve");
    for (String option : options) {
      command.command().add(option);
    }
    return command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
