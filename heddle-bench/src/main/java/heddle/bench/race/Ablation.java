package heddle.bench.race;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Heddle without some of its optimisations: a copy of this checkout's sources below {@code
 * heddle-bench/target}, changed by patches, and built as {@link OtherBuild}. The copy stays, and is
 * built again only after its sources have changed.
 *
 * @param home the root of this checkout
 * @param names of the patches, which are applied in this order
 */
record Ablation(Path home, List<String> names) {

  private static final Path PATCHES = Path.of("heddle-bench", "ablations");
  private static final Path COPIES = Path.of("heddle-bench", "target", "ablations");
  private static final String ENDING = ".patch";

  /**
   * Returns the build without these optimisations.
   *
   * @throws RaceException if there is no patch of one of these names; the message names all
   */
  static Ablation of(Path home, List<String> names) throws RaceException {
    NavigableSet<String> known = known(home);
    for (String name : names) {
      if (!known.contains(name)) {
        throw new RaceException("there is no " + PATCHES.resolve(name + ENDING)
            + " to race without " + name + ": choose among " + String.join(", ", known));
      }
    }
    return new Ablation(home, List.copyOf(names));
  }

  private static NavigableSet<String> known(Path home) throws RaceException {
    NavigableSet<String> names = new TreeSet<>();
    Path folder = home.resolve(PATCHES);
    if (!Files.isDirectory(folder)) {
      return names;
    }
    try (DirectoryStream<Path> patches = Files.newDirectoryStream(folder, "*" + ENDING)) {
      for (Path each : patches) {
        String file = String.valueOf(each.getFileName());
        names.add(file.substring(0, file.length() - ENDING.length()));
      }
    } catch (IOException e) {
      throw new RaceException("cannot list " + folder + ": " + e, e);
    }
    return names;
  }

  /** The copy, which {@link #build} makes. */
  OtherBuild copy() {
    return new OtherBuild(home.toAbsolutePath().resolve(COPIES).resolve(String.join("+", names)));
  }

  /**
   * Brings the copy up to date, and builds it if that has changed it.
   *
   * @param words receives progress messages during a long build
   * @throws RaceException if a patch does not fit, or the build fails; the message says why
   */
  void build(Consumer<String> words) throws RaceException, InterruptedException {
    try (WorkFolder patched = WorkFolder.make()) {
      patch(patched.path());
      copySources(patched.path(), copy().root());
    } catch (IOException e) {
      throw new RaceException("cannot copy the sources to " + copy().root() + ": " + e, e);
    }
    copy().build(words);
  }

  private void patch(Path folder) throws RaceException, IOException, InterruptedException {
    List<Path> patches =
        names.stream().map(name -> home.resolve(PATCHES).resolve(name + ENDING)).toList();
    String refusal = PatchedSources.write(home, patches, folder).refusal();
    if (!refusal.isEmpty()) {
      throw new RaceException("the sources have changed where the patches "
          + String.join(", ", names) + " of " + PATCHES + " change them: " + refusal);
    }
  }

  /** Writes only what differs, so that an unchanged copy is not built again. */
  private void copySources(Path patched, Path root) throws IOException {
    Set<Path> sources = sources(home);
    for (Path each : sources) {
      Path changed = patched.resolve(each);
      copyIfOther(Files.exists(changed) ? changed : home.resolve(each), root.resolve(each));
    }
    if (Files.isDirectory(root)) {
      for (Path each : sources(root)) {
        if (!sources.contains(each)) {
          Files.delete(root.resolve(each));
        }
      }
    }
  }

  private static void copyIfOther(Path from, Path to) throws IOException {
    if (!Files.exists(to) || Files.mismatch(from, to) >= 0) {
      Path folder = to.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** All files that a build needs, relative to the root. */
  private static Set<Path> sources(Path root) throws IOException {
    Set<Path> found = new TreeSet<>();
    Files.walkFileTree(root, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        String name = String.valueOf(folder.getFileName());
        boolean isSkipped = name.equals("target") || (name.startsWith(".") && !isBuildFile(folder));
        return isSkipped && !folder.equals(root)
            ? FileVisitResult.SKIP_SUBTREE
            : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (isBuildFile(file)) {
          found.add(root.relativize(file));
        }
        return FileVisitResult.CONTINUE;
      }

      private boolean isBuildFile(Path path) {
        Path inside = root.relativize(path);
        return inside.startsWith(".mvn")
            || inside.equals(Path.of("mvnw"))
            || inside.endsWith("pom.xml")
            || inside.toString().contains("src/main/");
      }
    });
    return found;
  }
}
