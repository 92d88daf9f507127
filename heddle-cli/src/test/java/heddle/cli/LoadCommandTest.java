package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.jr.ob.JSON;

final class LoadCommandTest {

  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger posted = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.builder()
        .handler(request -> {
          served.incrementAndGet();
          if (request.path().equals("/count")) {
            posted.addAndGet(request.body().bytes().length);
            return Response.ok("");
          }
          return request.path().equals("/hello")
              ? Response.ok("Hello!")
              : Response.of(Status.of(503));
        })
        .start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void closedLoadIsReportedAndWrittenAsJson(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("load.json");
    Ran ran = load("/hello", "-c", "3", "-n", "30", "--json", file.toString());
    assertEquals(0, ran.code(), ran::err);
    assertEquals(30, served.get());
    assertTrue(ran.out().startsWith("30 answered in "), ran::out);
    assertTrue(ran.out().contains("180 bytes") && ran.out().contains("p99.9 "), ran::out);
    Map<String, Object> json = JSON.std.mapFrom(Files.readString(file));
    assertEquals(30, json.get("answered"));
    assertEquals(0, json.get("errors"));
    assertEquals(180, json.get("bodyBytes"));
    assertEquals(List.of(), json.get("errorsByCause"));
    assertEquals(
        List.of(
            "plan",
            "seconds",
            "answered",
            "errors",
            "bodyBytes",
            "requestsPerSecond",
            "latencyMicros",
            "errorsByCause"),
        List.copyOf(json.keySet()));
    assertTrue(json.get("plan").toString().contains("callers=3, requests=30"), json::toString);
    assertTrue(json.get("latencyMicros").toString().contains("p999="), json::toString);
  }

  @Test
  void openLoadTellsHowLateItWasSent(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("load.json");
    Ran ran = load("/hello", "-n", "20", "-r", "400", "--json", file.toString());
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().contains("latency from the intended start"), ran::out);
    assertTrue(ran.out().contains("sent late by"), ran::out);
    Map<String, Object> json = JSON.std.mapFrom(Files.readString(file));
    assertTrue(json.containsKey("sendLagMicros"), json::toString);
    assertTrue(json.get("plan").toString().contains("ratePerSecond=400"), json::toString);
  }

  @Test
  void callersShareAConnectionOverHttp2(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("load.json");
    Ran ran = load("/hello", "--http", "2", "-c", "4", "-n", "20", "--json", file.toString());
    assertEquals(0, ran.code(), ran::err);
    assertEquals(20, served.get());
    String plan = JSON.std.mapFrom(Files.readString(file)).get("plan").toString();
    assertTrue(plan.contains("protocol=HTTP/2, connections=1, streams=4"), plan);
  }

  @Test
  void postedContentArrivesWhole() {
    Ran ran = load("/count", "-c", "2", "-n", "6", "--post", "1000");
    assertEquals(0, ran.code(), ran::err);
    assertEquals(6_000, posted.get());
  }

  @Test
  void loadWithoutOneGoodAnswerFailsAndShowsTheCauses() {
    Ran ran = load("/busy", "-c", "2", "-n", "4");
    ran.assertFailed("no request was answered");
    assertTrue(ran.out().contains("4 failed") && ran.out().contains("status 503"), ran::out);
  }

  @Test
  void placeForTheJsonIsCheckedBeforeTheLoad(@TempDir Path folder) throws IOException {
    load("/hello", "-n", "5", "--json", folder.toString()).assertFailed(folder.toString());
    assertEquals(0, served.get());
  }

  @Test
  void wrongOptionsExitWith2AndSayWhich() {
    load("/hello").assertRefused("-n", "-d");
    load("/hello", "-n", "5", "-d", "1s").assertRefused("mutually exclusive");
    load("/hello", "-n", "0").assertRefused("0");
    load("/hello", "-n", "many").assertRefused("--requests", "many");
    load("/hello", "-d", "soon").assertRefused("--duration", "soon");
    load("/hello", "-n", "5", "-c", "0").assertRefused("0");
    load("/hello", "-n", "5", "--http", "3").assertRefused("--http", "3");
    load("/hello", "-n", "5", "--connections", "0").assertRefused("0");
    load("/hello", "-n", "5", "--post", "-1").assertRefused("-1");
    load("/hello", "-n", "5", "-r", "-3").assertRefused("-3");
    Ran.of("load", "-n", "5").assertRefused("URL");
    Ran.of("load", "http://a b/", "-n", "5").assertRefused("http://a b/");
    assertEquals(0, served.get());
  }

  @Test
  void nothingIsWrittenForWrongOptions(@TempDir Path folder) {
    Path file = folder.resolve("load.json");
    load("/hello", "-n", "0", "--json", file.toString()).assertRefused("0");
    assertFalse(Files.exists(file));
  }

  private Ran load(String path, String... options) {
    String url = "http://127.0.0.1:" + server.port() + path;
    return Ran.of(Stream.concat(Stream.of("load", url), Stream.of(options)).toArray(String[]::new));
  }
}
