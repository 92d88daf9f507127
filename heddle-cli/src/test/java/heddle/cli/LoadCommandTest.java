package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.http.Status;
import heddle.load.cluster.json.Json;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoadCommandTest {

  private static final String BARS = "  (?:up to|above) +[0-9.]+ +([0-9,]+)  █*";

  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger posted = new AtomicInteger();
  private final AtomicReference<String> lastEcho = new AtomicReference<>("");

  @AutoClose
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
          if (request.path().equals("/echo")) {
            lastEcho.set(request.method() + " " + request.headers().first("X-One") + " "
                + new String(request.body().bytes(), StandardCharsets.UTF_8));
            return Response.ok("");
          }
          return request.path().equals("/hello")
              ? Response.ok("Hello!")
              : Response.of(Status.of(503));
        })
        .start();
  }

  @Test
  void closedLoadIsReportedAndWrittenAsJson(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("load.json");
    Ran ran = load("/hello", "-c", "3", "-n", "30", "--json", file.toString());
    assertEquals(0, ran.code(), ran::err);
    assertEquals(30, served.get());
    assertTrue(ran.out().startsWith("30 answered in "), ran::out);
    assertTrue(ran.out().contains("180 bytes") && ran.out().contains("p99.9 "), ran::out);
    Map<String, Object> json = Json.object(Files.readString(file));
    assertEquals(30, json.get("answered"));
    assertEquals(0, json.get("errors"));
    assertEquals(180, json.get("bodyBytes"));
    assertEquals(List.of(), json.get("errorsByCause"));
    assertEquals(true, json.get("valid"));
    assertEquals(false, json.get("partial"));
    assertEquals(
        List.of(
            "format",
            "version",
            "target",
            "plan",
            "segment",
            "host",
            "processes",
            "begin",
            "partial",
            "cutShort",
            "valid",
            "doubts",
            "seconds",
            "answered",
            "errors",
            "dropped",
            "bodyBytes",
            "requestsPerSecond",
            "latencyMicros",
            "serviceMicros",
            "sendLagMicros",
            "errorsByCause",
            "goals",
            "generator",
            "sent",
            "sendingSeconds",
            "histograms"),
        List.copyOf(json.keySet()));
    assertTrue(
        json.get("plan").toString().contains("callers=3, think={meanSeconds=0.0"), json::toString);
    assertTrue(json.get("latencyMicros").toString().contains("p999="), json::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100})
  void numberOfRequestsAloneIsEnough(int number) {
    Ran ran = load("/hello", "-n", "" + number);
    assertEquals(0, ran.code(), ran::err);
    assertEquals(number, served.get());
  }

  @Test
  void latenciesAreDrawnAsAHistogramWhoseCountsAddUp() {
    Ran ran = load("/hello", "-n", "2000", "-c", "2");
    assertEquals(11, ran.out().lines().filter(line -> line.matches(BARS)).count(), ran::out);
    assertTrue(ran.out().contains("█".repeat(40)), ran::out);
    long sum = ran.out()
        .lines()
        .map(Pattern.compile(BARS)::matcher)
        .filter(Matcher::matches)
        .mapToLong(bar -> Long.parseLong(bar.group(1).replace(",", "")))
        .sum();
    assertEquals(2000, sum, ran::out);
  }

  @Test
  void answersAreCountedByStatus(@TempDir Path folder) throws IOException {
    Path list = Files.writeString(
        folder.resolve("list"), "GET /hello\n\nGET /busy\n\nGET /hello\n\nGET /hello\n");
    Ran ran = load("/", "-c", "1", "-n", "40", "--replay", list.toString());
    List<String> table = ran.out()
        .lines()
        .dropWhile(line -> !line.equals("answers by status"))
        .limit(4)
        .map(line -> line.strip().replaceAll(" +", " "))
        .toList();
    assertEquals(
        List.of("answers by status", "status 2xx 30 75.0%", "status 503 10 25.0%", "10 failed"),
        table,
        ran::out);
  }

  @Test
  void quietLoadTellsNoMoreThanALine() {
    Ran ran = load("/hello", "-c", "3", "-n", "30", "--quiet");
    assertEquals(0, ran.code(), ran::toString);
    assertEquals(1, ran.out().lines().count(), ran::out);
    assertTrue(ran.out().startsWith("30 answered, ") && ran.out().contains("p99 "), ran::out);
    Ran behind = load("/hello", "-n", "100", "-r", "1000000", "--max-lag", "0.000001", "--quiet");
    assertTrue(behind.out().startsWith("INVALID: "), behind::out);
    Ran rate = paced("-n", "20", "-q", "400");
    assertTrue(rate.out().contains("sent late by"), rate::out);
  }

  @Test
  void openLoadTellsHowLateItWasSent(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("load.json");
    Ran ran = paced("-n", "20", "-r", "400", "--json", file.toString());
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().contains("latency from the intended start"), ran::out);
    assertTrue(ran.out().contains("sent late by"), ran::out);
    Map<String, Object> json = Json.object(Files.readString(file));
    assertTrue(json.containsKey("sendLagMicros"), json::toString);
    assertTrue(json.get("plan").toString().contains("rate=[{from=400.0, to=400.0"), json::toString);
  }

  @Test
  void generatorThatFallsBehindExitsWith98AndSaysSo(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("load.json");
    Ran ran = load(
        "/hello", "-n", "100", "-r", "1000000", "--max-lag", "0.000001", "--json", file.toString());
    assertEquals(98, ran.code(), ran::toString);
    assertTrue(ran.out().contains("INVALID: one request in a hundred was sent"), ran::out);
    assertEquals(false, Json.object(Files.readString(file)).get("valid"));
  }

  @Test
  void missedGoalExitsWith99AndEachIsTold() {
    Ran ran = load("/hello", "-n", "50", "--slo", "p99<1ns", "--slo", "errors<=0%");
    assertEquals(99, ran.code(), ran::toString);
    assertTrue(ran.out().contains("p99<1ns missed: "), ran::out);
    assertTrue(ran.out().contains("errors<=0% met: 0.000%"), ran::out);
    assertEquals(0, load("/hello", "-n", "50", "--slo", "p99<1m").code());
    assertEquals(99, load("/busy", "-n", "5", "--slo", "errors<50%").code());
  }

  @Test
  void fieldsMethodAndContentAreSentAsAsked() {
    Ran ran = load("/echo", "-n", "1", "-m", "PUT", "-H", "X-One: a", "-b", "text");
    assertEquals(0, ran.code(), ran::err);
    assertEquals("PUT a text", lastEcho.get());
    assertEquals(0, load("/echo", "-n", "1", "-b", "more").code());
    assertEquals("POST null more", lastEcho.get());
  }

  @Test
  void listOfRequestsIsReplayedInTurn(@TempDir Path folder) throws IOException {
    Path list = Files.writeString(
        folder.resolve("list"),
        """
        GET /hello

        POST /echo
        X-One: b
        = content
        """);
    Ran ran = load("/", "-n", "6", "-c", "2", "--replay", list.toString());
    assertEquals(0, ran.code(), ran::err);
    assertEquals("POST b content", lastEcho.get());
    Files.writeString(list, "GET /hello\n\nnonsense\n");
    load("/", "-n", "6", "--replay", list.toString()).assertRefused("list:3:", "GET /hello");
  }

  @Test
  void figuresAreWrittenAsCsvAndAsAnIntervalLog(@TempDir Path folder) throws IOException {
    Path csv = folder.resolve("load.csv");
    Path hlog = folder.resolve("load.hlog");
    Ran ran = paced("-n", "30", "-r", "1000", "--csv", csv.toString(), "--hdr", hlog.toString());
    assertEquals(0, ran.code(), ran::toString);
    List<String> lines = Files.readAllLines(csv);
    assertEquals(2, lines.size());
    assertEquals(lines.get(0).split(",", -1).length, lines.get(1).split(",", -1).length);
    assertTrue(lines.get(0).startsWith("seconds,answered,errors,"), lines::toString);
    String log = Files.readString(hlog);
    for (String tag : List.of("response", "service", "lag")) {
      assertTrue(log.contains("Tag=" + tag + ","), log);
    }
  }

  @Test
  void stagesThinkTimeBatchesAndHoldingAreRun() {
    Ran stages = paced("--stages", "200@100ms,200-400@50ms", "--arrivals", "poisson");
    assertEquals(0, stages.code(), stages::toString);
    Ran thinking = load("/hello", "-c", "2", "-n", "6", "--think", "exp:1ms", "--strand", "pool:2");
    assertEquals(0, thinking.code(), thinking::toString);
    Ran batches = load("/hello", "--batch", "10", "-n", "25");
    assertTrue(batches.out().contains("3 batches of 10"), batches::toString);
    Ran held = load("/hello", "--hold", "5", "-d", "100ms");
    assertEquals(0, held.code(), held::toString);
    assertTrue(held.out().contains("of 5 at once"), held::toString);
    Ran costs = Ran.of("load", "--calibrate", "-d", "100ms", "-r", "500", "-c", "2");
    assertTrue(costs.out().contains("closed, 2 callers on virtual: "), costs::toString);
    assertTrue(costs.out().contains("open, 500 a second on virtual: "), costs::toString);
  }

  @Test
  void callersShareAConnectionOverHttp2(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("load.json");
    Ran ran = load("/hello", "--http", "2", "-c", "4", "-n", "20", "--json", file.toString());
    assertEquals(0, ran.code(), ran::err);
    assertEquals(20, served.get());
    String plan = Json.object(Files.readString(file)).get("target").toString();
    assertTrue(plan.contains("protocol=HTTP/2, connections=1, streams=4"), plan);
  }

  @Test
  void segmentsOfALoadSendEachLineOfAListAsOftenAsTheWholeDoes(@TempDir Path folder)
      throws IOException {
    Path list = Files.writeString(folder.resolve("list"), "GET /hello\n\nPOST /count\n= four\n");
    for (String segment : List.of("1/3", "2/3", "3/3")) {
      Ran ran = load(
          "/",
          "-n",
          "20",
          "-c",
          "4",
          "--replay",
          list.toString(),
          "--segment",
          segment,
          "--start-at",
          "+10ms");
      assertEquals(0, ran.code(), ran::toString);
      assertTrue(
          ran.out().contains("segment " + segment + " of the load, measured from 2"), ran::out);
    }
    assertEquals(20, served.get());
    assertEquals(40, posted.get());
  }

  @Test
  void wrongSegmentsAndTimesExitWith2AndSayWhy() {
    load("/hello", "-n", "5", "--segment", "0/4").assertRefused("0/4", "2/4");
    load("/hello", "-n", "5", "--segment", "5/4").assertRefused("5/4");
    load("/hello", "-n", "5", "--segment", "index:4/4").assertRefused("5/4");
    load("/hello", "-n", "5", "--segment", "half").assertRefused("half", "2/4");
    load("/hello", "-n", "5", "-c", "3", "--segment", "1/4").assertRefused("4 callers", "not 3");
    load("/hello", "-n", "3", "--segment", "1/4").assertRefused("4 requests", "not 3");
    load("/hello", "-n", "9", "--connections", "2", "--segment", "1/4")
        .assertRefused("connections");
    load("/hello", "-n", "5", "--start-at", "noon").assertRefused("noon", "2026-05-01T12:00:00Z");
    load("/hello", "-n", "5", "--start-at", "2020-01-01T00:00:00Z")
        .assertRefused("2020-01-01T00:00:00Z", " s ago", "clock");
    load("/hello", "-n", "5", "--start-at", "1577836800").assertRefused("2020-01-01T00:00:00Z");
    assertEquals(0, served.get());
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
    load("/hello", "-n", "5", "-t", "4").assertRefused("-t", "-c", "--timeout");
    load("/hello", "-n", "5", "-r", "3", "--batch", "3").assertRefused("-r and --batch");
    load("/hello", "-n", "5", "--think", "soon").assertRefused("soon");
    load("/hello", "-n", "5", "-r", "5", "--think", "1s").assertRefused("--think");
    load("/hello", "-n", "5", "--max-in-flight", "5").assertRefused("--max-in-flight", "-r");
    load("/hello", "-n", "5", "--strand", "fiber").assertRefused("fiber", "pool:N");
    load("/hello", "-n", "5", "--hold", "5").assertRefused("duration");
    load("/hello", "--stages", "5").assertRefused("100@10s,100-500@30s");
    load("/hello", "-n", "5", "--slo", "p99=1").assertRefused("p99<50ms");
    load("/hello", "-n", "5", "--slo", "p98<1s").assertRefused("p98", "p99.99");
    load("/hello", "-n", "5", "-H", "nonsense").assertRefused("NAME: VALUE");
    load("/hello", "-n", "5", "-m", "G T").assertRefused("a method");
    load("/hello", "-n", "5", "-b", "@/nowhere").assertRefused("/nowhere");
    load("/hello", "-n", "5", "-b", "a", "--replay", "list").assertRefused("--replay", "-b");
    load("/hello", "-n", "5", "--timeout", "0").assertRefused("--timeout");
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

  /** With a rate, on a machine that may be busy with something else. */
  private Ran paced(String... options) {
    return load(
        "/hello",
        Stream.concat(Stream.of("--max-lag", "1m"), Stream.of(options)).toArray(String[]::new));
  }

  private Ran load(String path, String... options) {
    String url = "http://127.0.0.1:" + server.port() + path;
    return Ran.of(Stream.concat(Stream.of("load", url), Stream.of(options)).toArray(String[]::new));
  }
}
