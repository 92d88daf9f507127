package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.load.cluster.json.Json;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class DoctorCommandTest {

  @TempDir
  private Path folder;

  @Test
  void textAndJsonHaveTheSameChecks() throws IOException {
    Path file = folder.resolve("doctor.json");
    Ran ran = Ran.of("doctor", "--json", file.toString());
    assertEquals(0, ran.code(), ran::toString);
    Map<String, Object> json = Json.object(Files.readString(file));
    List<?> checks = (List<?>) json.get("checks");
    assertTrue(checks.size() >= 5, json::toString);
    for (Object each : checks) {
      Map<?, ?> check = (Map<?, ?>) each;
      assertTrue(ran.out().contains(check.get("name") + ": " + check.get("value")), ran::out);
    }
    assertTrue(ran.out().lines().allMatch(line -> line.length() <= 100), ran::out);
    Ran printed = Ran.of("doctor", "--json", "-");
    assertTrue(Json.object(printed.out()).containsKey("checks"), printed::out);
  }

  /** In a separate process, because the limit holds for a process. */
  @Test
  @Timeout(120)
  void loadWithTooFewDescriptorsSaysSoInOneLine() throws Exception {
    Ran refused = limited(200, "load", "http://127.0.0.1:9/", "-c", "1000", "-n", "1000");
    refused.assertFailed("open files 200", "1,000 connections", "ulimit -n 2048");
  }

  /** With this limit a command cannot even be loaded: the class path of a test has more jars. */
  @Test
  @Timeout(120)
  void processThatCannotLoadItsClassesSaysSoInOneLine() throws Exception {
    Ran failed = limited(20, "load", "http://127.0.0.1:9/", "-n", "1");
    failed.assertFailed("heddle: ", "ulimit -n 8192");
  }

  private Ran limited(int files, String... arguments) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path").replace(File.pathSeparator, ":");
    var builder = new ProcessBuilder(
        "sh",
        "-c",
        "ulimit -n " + files + "; exec '" + java + "' -XX:TieredStopAtLevel=1 -cp '" + classPath
            + "' heddle.cli.Main " + String.join(" ", arguments));
    // Else the JVM says that it has picked them up.
    builder.environment().remove("JDK_JAVA_OPTIONS");
    Process process =
        builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
      return new Ran(
          process.exitValue(),
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
    }
  }
}
