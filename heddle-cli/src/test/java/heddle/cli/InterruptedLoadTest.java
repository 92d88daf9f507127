package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.load.cluster.json.Json;
import heddle.server.HttpServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class InterruptedLoadTest {

  @Test
  @Timeout(120)
  void processThatIsToldToEndLeavesAPartialReport(@TempDir Path folder) throws Exception {
    CountDownLatch served = new CountDownLatch(20);
    Path file = folder.resolve("load.json");
    try (HttpServer server = HttpServer.builder()
        .handler(request -> {
          served.countDown();
          return Response.ok("Hello!");
        })
        .start()) {
      Process load = new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path"),
              "heddle.cli.Main",
              "load",
              "http://127.0.0.1:" + server.port() + "/",
              "-c",
              "2",
              "-d",
              "10m",
              "--json",
              file.toString())
          .redirectError(folder.resolve("err").toFile())
          .redirectOutput(folder.resolve("out").toFile())
          .start();
      try {
        assertTrue(served.await(60, TimeUnit.SECONDS), "the load sent nothing");
        // SIGTERM, which ends the process in the same way as Ctrl-C does.
        load.toHandle().destroy();
        assertTrue(load.waitFor(60, TimeUnit.SECONDS), "the load goes on");
      } finally {
        load.destroyForcibly();
      }
    }
    String out = Files.readString(folder.resolve("out"), StandardCharsets.UTF_8);
    assertTrue(out.contains("PARTIAL") && out.contains("answered in"), out);
    Map<String, Object> json = Json.object(Files.readString(file));
    assertEquals(true, json.get("partial"));
    assertTrue((Integer) json.get("answered") > 0, json::toString);
  }
}
