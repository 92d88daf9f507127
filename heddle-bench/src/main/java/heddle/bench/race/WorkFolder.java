package heddle.bench.race;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for files that servers and tools read: content, keys, scripts. Deleted with the end of
 * the race, or of the JVM.
 */
final class WorkFolder implements AutoCloseable {

  private final Path path;
  private final Thread atEnd = new Thread(this::delete, "heddle-race-files");

  private WorkFolder(Path path) {
    this.path = path;
  }

  static WorkFolder make() throws RaceException {
    try {
      WorkFolder folder = new WorkFolder(Files.createTempDirectory("heddle-race"));
      Runtime.getRuntime().addShutdownHook(folder.atEnd);
      return folder;
    } catch (IOException e) {
      throw new RaceException("cannot make a folder for temporary files: " + e, e);
    }
  }

  Path path() {
    return path;
  }

  private void delete() {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the temporary files in " + path, e);
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and deletes the files.
      return;
    }
    delete();
  }
}
