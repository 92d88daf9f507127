package heddle.bench.race;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** The built drivers of a checkout: each a folder with its jars, by the name of its client. */
final class DriverFolders {

  static final String HEDDLE = "heddle";

  /** Differs from another client in a few cells only, so that it is raced when it is named. */
  private static final Set<String> ONLY_BY_NAME = Set.of("heddle-discard");

  private static final String BUILD = "build all with ./mvnw -DskipTests package";

  private DriverFolders() {}

  /**
   * Finds the folders of the clients asked for, Heddle's first.
   *
   * @param names the clients; empty for all but those that are raced only when they are named
   */
  static Map<String, Path> find(Path home, List<String> names) throws RaceException {
    Path root = home.resolve("heddle-bench").resolve("drivers");
    NavigableSet<String> known = known(root);
    if (known.isEmpty()) {
      throw new RaceException(
          "no clients to race below " + root + ": is heddle.home the root of the checkout?");
    }
    Map<String, Path> folders = new LinkedHashMap<>();
    if (known.contains(HEDDLE) && (names.isEmpty() || names.contains(HEDDLE))) {
      folders.put(HEDDLE, folder(root, HEDDLE));
    }
    for (String name : names.isEmpty() ? usual(known) : names) {
      if (!known.contains(name)) {
        throw new RaceException("there is no client " + name + ": choose among "
            + String.join(", ", known) + " and, where they are installed, wrk and h2load");
      }
      folders.putIfAbsent(name, folder(root, name));
    }
    return folders;
  }

  private static List<String> usual(Set<String> known) {
    return known.stream().filter(name -> !ONLY_BY_NAME.contains(name)).toList();
  }

  private static Path folder(Path root, String name) throws RaceException {
    Path folder = root.resolve(name).resolve("target").resolve("driver");
    if (!Files.isDirectory(folder)) {
      throw new RaceException("the client " + name + " is not built (" + folder + "): " + BUILD);
    }
    return folder;
  }

  private static NavigableSet<String> known(Path root) throws RaceException {
    NavigableSet<String> names = new TreeSet<>();
    if (!Files.isDirectory(root)) {
      return names;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        if (Files.exists(entry.resolve("pom.xml")) || Files.exists(entry.resolve("target"))) {
          names.add(entry.getFileName().toString());
        }
      }
    } catch (IOException e) {
      throw new RaceException("cannot list " + root, e);
    }
    names.remove("target");
    return names;
  }
}
