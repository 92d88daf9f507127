package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.contender.Entrant;
import heddle.bench.experiment.ExperimentException;
import heddle.bench.experiment.Experiments;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The patches of the mutations and of the ablations fit the sources, and what they make of them
 * compiles: each alone, and those together that an experiment combines.
 */
final class PatchesTest {

  private static final String MUTATIONS = "heddle-verify/mutations/";
  private static final String ABLATIONS = "heddle-bench/ablations/";
  private static final String ENDING = ".patch";
  private static final String CHANGED = "+++ b/";

  private static final String SAMPLE = "heddle-client/src/main/java/heddle/client/pool/Lease.java";

  @TempDir
  private Path folder;

  static List<List<String>> patches() throws ExperimentException {
    List<List<String>> all = new ArrayList<>();
    Repository.files(file -> Repository.name(file).endsWith(ENDING))
        .forEach(each -> all.add(List.of(Repository.relative(each))));
    combinations().stream().filter(each -> each.size() > 1).forEach(all::add);
    return all;
  }

  /** The ablations that entrants of an experiment go without, for each of them. */
  private static Set<List<String>> combinations() throws ExperimentException {
    Set<List<String>> combinations = new LinkedHashSet<>();
    for (String name : Experiments.NAMES) {
      for (Entrant entrant : Experiments.find(name, 1.0).entrants()) {
        combinations.add(entrant.without().stream()
            .map(ablation -> ABLATIONS + ablation + ENDING)
            .toList());
      }
    }
    return combinations;
  }

  @ParameterizedTest
  @MethodSource("patches")
  void patchFitsTheSourcesAndTheResultCompiles(List<String> patches) throws Exception {
    assertEquals("", failure(patches.stream().map(Repository::at).toList()));
  }

  @Test
  void experimentsFindTheirPatches() throws Exception {
    List<String> all = patches().stream().map(List::getFirst).toList();
    assertTrue(all.stream().anyMatch(each -> each.startsWith(MUTATIONS)));
    assertTrue(all.stream().anyMatch(each -> each.startsWith(ABLATIONS)));
    for (List<String> each : combinations()) {
      assertTrue(all.containsAll(each), each::toString);
    }
  }

  @Test
  void patchThatDoesNotFitIsFound() throws Exception {
    String failure = failure(List.of(samplePatch("no such line", "anything")));
    assertTrue(failure.contains("does not apply"), failure);
  }

  @Test
  void patchWhoseResultDoesNotCompileIsFound() throws Exception {
    String failure = failure(List.of(samplePatch("package heddle.client.pool;", "package;")));
    assertFalse(failure.isEmpty());
    assertTrue(failure.contains("Lease.java:1"), failure);
  }

  private Path samplePatch(String before, String after) throws IOException {
    return Files.writeString(
        folder.resolve("sample" + ENDING),
        "--- a/" + SAMPLE + "\n" + CHANGED + SAMPLE + "\n@@ -1,2 +1,2 @@\n-" + before + "\n+"
            + after + "\n \n");
  }

  /** Says what is wrong with these patches together; empty if nothing is. */
  private String failure(List<Path> patches) throws IOException, InterruptedException {
    Path sources = folder.resolve("sources");
    Set<Path> changed = new LinkedHashSet<>();
    for (Path patch : patches) {
      for (String line : Files.readAllLines(patch)) {
        if (line.startsWith(CHANGED)) {
          String file = line.substring(CHANGED.length());
          Path copy = sources.resolve(file);
          Files.createDirectories(copy.getParent());
          Files.writeString(copy, Repository.read(Repository.at(file)));
          changed.add(copy);
        }
      }
    }
    String refusal = apply(patches, sources);
    return refusal.isEmpty() ? compile(changed) : refusal;
  }

  private static String apply(List<Path> patches, Path sources)
      throws IOException, InterruptedException {
    List<String> command = Stream.concat(
            Stream.of("git", "apply"),
            patches.stream().map(each -> each.toAbsolutePath().toString()))
        .toList();
    Process git = new ProcessBuilder(command)
        .directory(sources.toFile())
        .redirectErrorStream(true)
        .start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return git.waitFor() == 0 ? "" : output;
  }

  /** Compiles these files alone, against the classes of all others. */
  private String compile(Set<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString());
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean done = compiler
          .getTask(
              messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
          .call();
      return done ? "" : messages.toString();
    }
  }
}
