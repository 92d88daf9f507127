package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.load.cluster.json.Json;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MergeCommandTest {

  @TempDir
  private Path folder;

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.builder().handler(request -> Response.ok("Hello!")).start();
  }

  @Test
  void segmentsAddUpToTheWholeLoad() throws IOException {
    List<String> files = new ArrayList<>();
    for (int index = 1; index <= 3; index++) {
      Path json = folder.resolve(index + ".json");
      Path hlog = folder.resolve(index + ".hlog");
      Ran ran = load(
          "-n",
          "50",
          "-c",
          "7",
          "--segment",
          index + "/3",
          "--json",
          json.toString(),
          "--hdr",
          hlog.toString());
      assertEquals(0, ran.code(), ran::toString);
      files.add(json.toString());
      files.add(hlog.toString());
    }
    Path json = folder.resolve("all.json");
    Path csv = folder.resolve("all.csv");
    Path hlog = folder.resolve("all.hlog");
    List<String> options = new ArrayList<>(files);
    options.addAll(List.of(
        "--json",
        json.toString(),
        "--csv",
        csv.toString(),
        "--hdr",
        hlog.toString(),
        "--slo",
        "errors<=0%"));
    Ran ran = merge(options);
    // They ran one after the other here, which the report says.
    assertTrue(ran.out().contains("50 answered in "), ran::toString);
    assertTrue(ran.out().contains("the 3 processes used"), ran::toString);
    assertTrue(ran.out().contains("errors<=0% met"), ran::toString);
    assertFalse(ran.out().contains("PARTIAL"), ran::toString);
    Map<String, Object> merged = Json.object(Files.readString(json));
    assertEquals(50, merged.get("answered"));
    assertEquals("1/1", merged.get("segment"));
    assertEquals(3, merged.get("processes"));
    assertEquals(2, Files.readAllLines(csv).size());
    Ran logs = Ran.of("merge", hlog.toString());
    assertTrue(logs.out().contains("response: 50, milliseconds: p50 "), logs::toString);
  }

  @Test
  void whatPodsPrintIsMergedFromOneFile() throws IOException {
    var log = new StringBuilder();
    for (int index = 1; index <= 2; index++) {
      Ran ran = load("-n", "20", "-c", "2", "--segment", index + "/2", "--json", "-", "--hdr", "-");
      assertEquals(0, ran.code(), ran::toString);
      assertTrue(ran.err().startsWith("10 answered in "), ran::err);
      // As a pod's log is: both outputs in one.
      String pod = "[pod/load-" + (index - 1) + "-x/load] ";
      ran.err().lines().forEach(line -> log.append(pod).append(line).append('\n'));
      ran.out().lines().forEach(line -> log.append(pod).append(line).append('\n'));
    }
    Path file = Files.writeString(folder.resolve("pods.log"), log, StandardCharsets.UTF_8);
    Path hlog = folder.resolve("pods.hlog");
    Ran ran = merge(List.of(file.toString(), "--json", "-", "--hdr", hlog.toString()));
    assertTrue(ran.err().contains("20 answered in "), ran::toString);
    assertEquals(1, ran.out().lines().count(), ran::out);
    assertEquals(20, Json.object(ran.out()).get("answered"));
    Ran logs = Ran.of("merge", hlog.toString());
    assertTrue(logs.out().contains("response: 20, "), logs::toString);
    assertTrue(merge(List.of(file.toString())).out().contains("20 answered in "));
  }

  @Test
  void missingSegmentIsNamedAndMadePartialWhereThatIsAllowed() {
    Path json = folder.resolve("one.json");
    assertEquals(
        0,
        load("-n", "20", "-c", "2", "--segment", "1/2", "--json", json.toString())
            .code());
    Ran.of("merge", json.toString()).assertFailed("segment 2/2 is missing", "--partial");
    Ran ran = Ran.of("merge", json.toString(), "--partial");
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(
        ran.out().contains("PARTIAL: ") && ran.out().contains("segment 2/2 is missing"), ran::out);
    Ran.of("merge", json.toString(), json.toString()).assertFailed("both segment 1/2");
    Path other = folder.resolve("other.json");
    load("-n", "20", "-c", "2", "-H", "X: y", "--segment", "2/2", "--json", other.toString());
    Ran.of("merge", json.toString(), other.toString())
        .assertFailed("other.json is of another load", "requestsChecksum");
  }

  @Test
  void filesAndOptionsThatDoNotGoTogetherAreRefused() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "a, b");
    Ran.of("merge", text.toString()).assertFailed("text is not a result of a load", "--json");
    Ran.of("merge", folder.resolve("none.json").toString()).assertFailed("no such file");
    Ran.of("merge").assertRefused("FILE");
    Path log = folder.resolve("a.hlog");
    Path json = folder.resolve("a.json");
    load("-n", "2", "-c", "1", "--hdr", log.toString(), "--json", json.toString());
    Ran.of("merge", log.toString(), "--slo", "p99<1s").assertRefused("--json");
    Ran.of("merge", log.toString(), json.toString()).assertRefused("--hdr FILE");
    Ran.of("merge", json.toString(), "--hdr", "x").assertRefused("--hdr");
    Ran.of("merge", json.toString(), "--slo", "p98<1s").assertRefused("p98");
  }

  private static Ran merge(List<String> options) {
    List<String> all = new ArrayList<>(List.of("merge"));
    all.addAll(options);
    return Ran.of(all.toArray(String[]::new));
  }

  private Ran load(String... options) {
    List<String> all =
        new ArrayList<>(List.of("load", "http://127.0.0.1:" + server.port() + "/hello"));
    all.addAll(List.of(options));
    return Ran.of(all.toArray(String[]::new));
  }
}
