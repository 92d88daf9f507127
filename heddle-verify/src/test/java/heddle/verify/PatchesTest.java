package heddle.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.contender.Entrant;
import heddle.bench.experiment.ExperimentException;
import heddle.bench.experiment.Experiments;
import heddle.bench.race.PatchedSources;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AutoClose;
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

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all, because each has to find out anew what lies in the jars. */
  @AutoClose
  private static final StandardJavaFileManager CLASSES =
      COMPILER.getStandardFileManager(null, null, null);

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
    Path sources = Files.createDirectory(folder.resolve("sources"));
    PatchedSources patched = PatchedSources.write(Repository.at(""), patches, sources);
    return patched.refusal().isEmpty()
        ? compile(patched.files().stream().map(sources::resolve).toList())
        : patched.refusal();
  }

  /** Compiles these files alone, against the classes of all others. */
  private String compile(List<Path> files) throws IOException {
    StringWriter messages = new StringWriter();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    CLASSES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
    boolean done = COMPILER
        .getTask(
            messages,
            CLASSES,
            null,
            List.of("-proc:none", "-nowarn"),
            null,
            CLASSES.getJavaFileObjectsFromPaths(files))
        .call();
    return done ? "" : messages.toString();
  }
}
