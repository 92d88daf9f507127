package heddle.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The checkout that the tests run in. */
final class Repository {

  /** What no person wrote. */
  private static final Set<String> GENERATED = Set.of("target", ".git", ".idea", ".vscode");

  private static final Path ROOT = findRoot();

  private Repository() {}

  /** All files that a person wrote and that fit, in a stable order. */
  static List<Path> files(Predicate<Path> wanted) {
    var found = new ArrayList<Path>();
    try {
      Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
          return GENERATED.contains(name(folder))
              ? FileVisitResult.SKIP_SUBTREE
              : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          if (wanted.test(file)) {
            found.add(file);
          }
          return FileVisitResult.CONTINUE;
        }
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted().toList();
  }

  static String name(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }

  /** The path as a reader of a failure knows it. */
  static String relative(Path path) {
    return ROOT.relativize(path).toString().replace('\\', '/');
  }

  /** The file of that path below the root. */
  static Path at(String relative) {
    return ROOT.resolve(relative);
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path findRoot() {
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("mvnw"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no folder above " + start + " holds mvnw");
  }
}
