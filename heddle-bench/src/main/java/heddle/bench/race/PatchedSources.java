package heddle.bench.race;

import heddle.load.cluster.process.ProcessOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The source files that patches change, as the patches leave them.
 *
 * @param files relative to the folder that they were written to
 * @param refusal why the patches do not fit; empty if they do
 */
public record PatchedSources(Set<Path> files, String refusal) {

  /** A patch names the files that it changes in lines that begin with this. */
  private static final String CHANGED = "+++ b/";

  private static final Duration LONGEST = Duration.ofMinutes(1);

  /**
   * Copies the files that the patches change from a checkout to a folder, and changes them there
   * with {@code git apply}.
   *
   * @param home the root of the checkout
   * @param patches applied in this order
   */
  public static PatchedSources write(Path home, List<Path> patches, Path folder)
      throws IOException, InterruptedException {
    Set<Path> files = new LinkedHashSet<>();
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString(), "apply"));
    for (Path patch : patches) {
      command.add(patch.toAbsolutePath().toString());
      for (String line : Files.readAllLines(patch)) {
        if (line.startsWith(CHANGED)) {
          Path file = Path.of(line.substring(CHANGED.length()));
          if (files.add(file)) {
            Path copy = folder.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(home.resolve(file), copy);
          }
        }
      }
    }
    ProcessOutput applied = ProcessOutput.of(command, LONGEST.toMillis(), () -> {});
    return new PatchedSources(files, applied.exitCode() == 0 ? "" : applied.errors());
  }
}
