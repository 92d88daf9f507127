package heddle.load.cluster.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import heddle.load.cluster.json.Json;
import heddle.load.cluster.process.ProcessOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class LoadJobTest {

  private static final Instant BEGIN = Instant.parse("2026-05-01T12:00:00Z");
  private static final List<String> OPTIONS =
      List.of("http://service/", "-d", "10s", "-H", "X-One: $HOME $(NAME) $$ \"a\"", "-b", "on");

  private static final String INDEX = "$(JOB_COMPLETION_INDEX)";

  @TempDir
  private Path folder;

  @Test
  void jobFollowsTheSchemaThatKubernetesHasPublished() throws IOException {
    Schema schema = schema();
    String yaml = job("load", "shop", OPTIONS).toYaml();
    assertEquals(List.of(), schema.validate(json(yaml), InputFormat.JSON), yaml);
    // It is one that would find a mistake.
    String misspelt = yaml.replace("completionMode", "completionmode");
    assertFalse(schema.validate(json(misspelt), InputFormat.JSON).isEmpty(), misspelt);
    String mistyped = yaml.replace("parallelism: 4", "parallelism: many");
    assertFalse(schema.validate(json(mistyped), InputFormat.JSON).isEmpty(), mistyped);
  }

  private static Schema schema() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(LoadJobTest.class.getResourceAsStream("job-batch-v1.json"))) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8), InputFormat.JSON);
    }
  }

  private static String json(String yaml) throws IOException {
    return Json.line(load(yaml));
  }

  private static Object load(String yaml) {
    return new Load(LoadSettings.builder().build()).loadFromString(yaml);
  }

  @Test
  void noSegmentIsRunTwiceAndNoneIsLostWithAnother() {
    Map<?, ?> spec = (Map<?, ?>) job("load", null, OPTIONS).asMap().get("spec");
    assertEquals("Indexed", spec.get("completionMode"));
    assertEquals(4, spec.get("completions"));
    assertEquals(4, spec.get("parallelism"));
    assertEquals(0, spec.get("backoffLimitPerIndex"));
    assertEquals(4, spec.get("maxFailedIndexes"));
    Map<?, ?> pod = (Map<?, ?>) ((Map<?, ?>) spec.get("template")).get("spec");
    assertEquals("Never", pod.get("restartPolicy"));
    Map<?, ?> resources = (Map<?, ?>) container(pod).get("resources");
    assertEquals(resources.get("requests"), resources.get("limits"));
  }

  private static Map<?, ?> container(Map<?, ?> pod) {
    return (Map<?, ?>) ((List<?>) pod.get("containers")).getFirst();
  }

  @Test
  void eachPodRunsItsSegmentWithTheOptionsAsTheyWereGiven() throws Exception {
    Map<?, ?> read = (Map<?, ?>) load(job("load", null, OPTIONS).toYaml());
    Map<?, ?> template = (Map<?, ?>) ((Map<?, ?>) read.get("spec")).get("template");
    Map<?, ?> container = container((Map<?, ?>) template.get("spec"));
    Path heddle = Files.writeString(
        folder.resolve("heddle"), "#!/bin/sh\nfor each in \"$@\"; do echo \"$each\"; done\n");
    assertTrue(heddle.toFile().setExecutable(true));
    List<String> command = new ArrayList<>(List.of("env", "PATH=" + folder + ":/usr/bin:/bin"));
    for (String part : List.of("command", "args")) {
      for (Object each : (List<?>) container.get(part)) {
        command.add(expanded((String) each));
      }
    }
    ProcessOutput ran = ProcessOutput.of(command, 60_000, () -> {});
    List<String> expected = new ArrayList<>(List.of("load"));
    expected.addAll(OPTIONS);
    expected.addAll(
        List.of("--start-at", BEGIN.toString(), "--json", "-", "--no-tui", "--hdr", "-"));
    expected.addAll(List.of("--segment", "index:2/4"));
    assertEquals(expected, ran.output().lines().toList(), ran::toString);
  }

  @Test
  void entryPointOfTheImageRunsIfNoCommandIsGiven() {
    LoadJob own = new LoadJob("load", null, "heddle:1", null, 4, "2", "1Gi", BEGIN, OPTIONS, true);
    Map<?, ?> spec = (Map<?, ?>) own.asMap().get("spec");
    Map<?, ?> container = container((Map<?, ?>) ((Map<?, ?>) spec.get("template")).get("spec"));
    assertFalse(container.containsKey("command"), container::toString);
    assertEquals("load", ((List<?>) container.get("args")).getFirst());
  }

  /** As the kubelet does it for the third pod: $$ is $, and the index is its variable. */
  private static String expanded(String text) {
    StringBuilder expanded = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith(INDEX, i)) {
        expanded.append(2);
        i += INDEX.length() - 1;
        continue;
      }
      boolean isEscape = text.startsWith("$$", i);
      assertFalse(text.startsWith("$(", i), "a reference to a variable in " + text);
      expanded.append(text.charAt(i));
      i += isEscape ? 1 : 0;
    }
    return expanded.toString();
  }

  @Test
  void textsStayTextsInEveryVersionOfYaml() {
    List<String> odd = List.of(
        "on",
        "Y",
        "no",
        "0x1F",
        "0b1",
        "1_000",
        "1e3",
        "~",
        "null",
        ".inf",
        "2026-05-01",
        "<<",
        "=",
        "",
        " a",
        "a: b",
        "- a",
        "#a",
        "é\n",
        "12:30:45",
        "a:");
    String yaml = job("load", null, odd).toYaml();
    for (String each : odd) {
      String plain = "\n            - " + each + "\n";
      assertFalse(yaml.contains(plain), each + " is not quoted in " + yaml);
    }
    Map<?, ?> read = (Map<?, ?>) load(yaml);
    Map<?, ?> template = (Map<?, ?>) ((Map<?, ?>) read.get("spec")).get("template");
    List<?> args = (List<?>) container((Map<?, ?>) template.get("spec")).get("args");
    assertEquals(odd, args.subList(1, 1 + odd.size()));
  }

  @Test
  void whatKubernetesWouldRefuseIsRefusedHere() {
    refused("a name", () -> job("Load", null, OPTIONS));
    refused("61 characters", () -> job("a".repeat(62), null, OPTIONS));
    refused("a name", () -> job("-load", null, OPTIONS));
    refused("a namespace", () -> job("load", "my shop", OPTIONS));
    refused("pods", () -> job(0, "image", "1", "1Gi"));
    refused("an image", () -> job(4, "", "1", "1Gi"));
    refused("CPU", () -> job(4, "image", "two", "1Gi"));
    refused("memory", () -> job(4, "image", "1", "1 GB"));
    assertEquals(
        4, job(4, "registry.example:5000/heddle@sha256:0", "500m", "512Mi").pods());
  }

  private static void refused(String why, Executable made) {
    String message = assertThrows(IllegalArgumentException.class, made).getMessage();
    assertTrue(message.contains(why), message);
  }

  private static LoadJob job(String name, @Nullable String namespace, List<String> options) {
    return new LoadJob(name, namespace, "heddle:1", "heddle", 4, "2", "1Gi", BEGIN, options, true);
  }

  private static LoadJob job(int pods, String image, String cpu, String memory) {
    return new LoadJob("load", null, image, "heddle", pods, cpu, memory, BEGIN, OPTIONS, false);
  }
}
