package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServeCommandTest {

  private static final String LISTENING = "listening on ";

  /** The exit code of a process that SIGTERM ended: 128 and the signal's number. */
  private static final int TERMINATED = 128 + 15;

  @ParameterizedTest
  @CsvSource({"heddle,virtual", "heddle,pool:2", "jdk,pool:2"})
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process is ended there without a signal")
  void terminationLetsTheRequestThatRunsFinish(String program, String threads) throws Exception {
    Process process = serve("--port", "0", "--program", program, "--threads", threads);
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
      assertEquals("Hello!", slow.get(30, TimeUnit.SECONDS).string());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the server goes on");
      assertEquals(TERMINATED, process.exitValue());
      assertEquals(null, lines.readLine());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "others have 127.0.0.1 alone without a set-up")
  void addressesShareAPortAndACertificate() throws Exception {
    Process process = serve(
        "--port",
        "0",
        "--address",
        "127.0.0.2",
        "--address",
        "127.0.0.3",
        "--tls",
        "--program",
        "jdk",
        "--print-active");
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String first = lines.readLine().substring(LISTENING.length());
      String second = lines.readLine().substring(LISTENING.length());
      assertTrue(first.startsWith("https://127.0.0.2:"), first);
      assertEquals(first.replace("127.0.0.2", "127.0.0.3"), second);
      assertTrue(lines.readLine().startsWith("certificate "));
      for (String each : List.of(first, second)) {
        assertEquals("Hello!", Ran.of("get", "-k", each + "/hello").out());
      }
      assertEquals("active 0", lines.readLine());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void documentsWaitForTheNextRefresh() throws Exception {
    Process process = serve("--port", "0", "--program", "search", "--refresh", "50ms");
    try (HttpClient client = HttpClient.create();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String url = lines.readLine().substring(LISTENING.length());
      Request document = Request.post(
          url + "/races/_doc?refresh=wait_for",
          Body.of("{\"text\":\"abc\"}", MediaType.APPLICATION_JSON));
      try (Response response = client.send(document)) {
        assertEquals(201, response.status().code());
      }
      try (Response response = client.send(Request.get(url + "/races/_count"))) {
        assertTrue(response.string().contains("\"count\":1"));
      }
      assertTrue(activity(client, url).contains("\"peak\":1"));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void portInUseIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "" + taken.getLocalPort();
      Ran.of("serve", "--port", port)
          .assertFailed("127.0.0.1:" + port + ": Address already in use; --port");
    }
  }

  @Test
  void wrongOptionsExitWith2AndSayWhich() {
    Ran.of("serve", "--port", "65536").assertRefused("--port", "65536");
    Ran.of("serve", "--port", "-1").assertRefused("--port");
    Ran.of("serve", "--port", "http").assertRefused("--port", "http");
    Ran.of("serve", "--threads", "pool:0").assertRefused("--threads", "pool:0");
    Ran.of("serve", "--threads", "many").assertRefused("--threads", "many");
    Ran.of("serve", "--program", "nginx").assertRefused("--program", "nginx");
    Ran.of("serve", "--address", "0.0.0.0").assertRefused("0.0.0.0", "--public");
    Ran.of("serve", "--address", "localhost").assertRefused("localhost", "127.0.0.2");
    Ran.of("serve", "--address", "127.0.0.1", "--address", "127.0.0.1").assertRefused("twice");
    Ran.of("serve", "--refresh", "often").assertRefused("often");
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
