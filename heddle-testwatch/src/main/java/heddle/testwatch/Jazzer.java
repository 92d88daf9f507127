package heddle.testwatch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Jazzer, which searches by coverage, in a JVM with 256 MB of heap. Its corpus stays in {@code
 * target/fuzz} of the module, and so does an input that fails. Only the profile {@code fuzz} has
 * Jazzer on the class path.
 */
final class Jazzer {
  private static final Path FOLDER = Path.of("target", "fuzz").toAbsolutePath();

  /** How long it may take to start, and to end. */
  private static final int GRACE_SECONDS = 120;

  private static final int LINES_SHOWN = 60;

  private Jazzer() {}

  /**
   * Searches for an input that breaks the target.
   *
   * @throws AssertionError if there is one, or if the search hangs
   */
  static void search(FuzzTarget target, int seconds) throws IOException, InterruptedException {
    Path corpus = FOLDER.resolve(target.name()).resolve("corpus");
    Files.createDirectories(corpus);
    List<byte[]> seeds = target.seeds();
    for (int i = 0; i < seeds.size(); i++) {
      Files.write(corpus.resolve("seed-" + i), seeds.get(i));
    }
    Path output = corpus.resolveSibling("output.txt");
    Process jazzer = start(target, seconds, corpus, output);
    try {
      if (!jazzer.waitFor(seconds + GRACE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(target.name() + " hangs:\n" + tail(output));
      }
    } finally {
      jazzer.destroyForcibly();
    }
    if (jazzer.exitValue() != 0) {
      throw new AssertionError("%s has a finding, kept in %s:%n%s"
          .formatted(target.name(), corpus.getParent(), tail(output)));
    }
  }

  private static Process start(FuzzTarget target, int seconds, Path corpus, Path output)
      throws IOException {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    // Where Jazzer finds JUnit's launcher it looks for tests instead of a target.
    String classPath = Arrays.stream(all.split(File.pathSeparator, -1))
        .filter(entry -> !entry.contains("junit-platform-launcher"))
        .collect(Collectors.joining(File.pathSeparator));
    String name = ((Enum<?>) target).getDeclaringClass().getName() + "." + target.name();
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-ea",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-D" + Fuzzed.TARGET + "=" + name,
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
      List<String> lines = Files.readAllLines(output, ISO_8859_1);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "no output: " + e;
    }
  }
}
