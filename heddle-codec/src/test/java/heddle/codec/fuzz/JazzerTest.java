package heddle.codec.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jazzer, which searches by coverage, on every target, each in a JVM with 256 MB of heap. Run by
 * the profile {@code fuzz}; {@code heddle.fuzz.seconds} says how long each takes. The corpus stays
 * in {@code target/fuzz}, and so does an input that fails.
 */
@EnabledIfSystemProperty(named = "heddle.fuzz.seconds", matches = "\\d+")
class JazzerTest {
  private static final Path FOLDER = Path.of("target", "fuzz").toAbsolutePath();

  @ParameterizedTest
  @EnumSource
  void noInputThatJazzerFindsBreaksTheTarget(FuzzTarget target) throws Exception {
    int seconds = Integer.getInteger("heddle.fuzz.seconds");
    Path corpus = FOLDER.resolve(target.name()).resolve("corpus");
    Files.createDirectories(corpus);
    List<byte[]> seeds = target.seeds();
    for (int i = 0; i < seeds.size(); i++) {
      Files.write(corpus.resolve("seed-" + i), seeds.get(i));
    }
    Path output = corpus.resolveSibling("output.txt");
    Process jazzer = start(target, seconds, corpus, output);
    try {
      assertTrue(
          jazzer.waitFor(seconds + 120L, TimeUnit.SECONDS), () -> "it hangs: " + tail(output));
    } finally {
      jazzer.destroyForcibly();
    }
    assertEquals(
        0,
        jazzer.exitValue(),
        () -> target + " has a finding, kept in " + corpus.getParent() + ":\n" + tail(output));
  }

  private static Process start(FuzzTarget target, int seconds, Path corpus, Path output)
      throws IOException {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    // Where Jazzer finds JUnit's launcher it looks for tests instead of a target.
    String classPath = Arrays.stream(all.split(File.pathSeparator))
        .filter(entry -> !entry.contains("junit-platform-launcher"))
        .collect(Collectors.joining(File.pathSeparator));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-ea",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dheddle.fuzz.target=" + target,
            "-cp",
            classPath,
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + Fuzzed.class.getName(),
            "--instrumentation_includes=heddle.**",
            "--reproducer_path=" + corpus.getParent(),
            "-artifact_prefix=" + corpus.getParent() + "/",
            "-max_total_time=" + seconds,
            "-timeout=10",
            "-print_final_stats=1",
            corpus.toString())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static String tail(Path output) {
    try {
      List<String> lines = Files.readAllLines(output, java.nio.charset.StandardCharsets.ISO_8859_1);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    } catch (IOException e) {
      return "no output: " + e;
    }
  }
}
