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

  /** Stands for all clients. */
  static final String EVERY = "all";

  /** The clients that race by default: with all clients, each would have too little time. */
  private static final Set<String> USUAL =
      Set.of(HEDDLE, "apache", "apache-async", "helidon", "jdk", "jetty", "netty", "okhttp");

  private static final String ON_CLOJARS =
      "it is published only on Clojars, and the build uses Maven Central";

  /** Why a client has no driver, as the end of a sentence, by the client's name. */
  private static final Map<String, String> UNRACED =
      Map.of("clj-http", ON_CLOJARS, "http-kit", ON_CLOJARS);

  private static final String BUILD = "build all with ./mvnw -DskipTests package";

  private DriverFolders() {}

  /**
   * Finds the folders of the given clients, Heddle's first.
   *
   * @param names the clients, or {@link #EVERY}; empty for the usual ones
   */
  static Map<String, Path> find(Path home, List<String> names) throws RaceException {
    Path root = home.resolve("heddle-bench").resolve("drivers");
    NavigableSet<String> known = known(root);
    if (known.isEmpty()) {
      throw new RaceException(
          "no clients to race below " + root + ": is heddle.home the root of the checkout?");
    }
    List<String> racing = racing(names, known);
    Map<String, Path> folders = new LinkedHashMap<>();
    if (racing.contains(HEDDLE)) {
      folders.put(HEDDLE, folder(root, HEDDLE));
    }
    for (String name : racing) {
      folders.putIfAbsent(name, folder(root, name));
    }
    return folders;
  }

  private static List<String> racing(List<String> names, Set<String> known) throws RaceException {
    for (String name : names) {
      if (!name.equals(EVERY) && !known.contains(name)) {
        String reason = UNRACED.get(name);
        throw new RaceException("there is no client " + name
            + (reason == null ? "" : ", it is not raced because " + reason) + ": choose among "
            + String.join(", ", known) + ", all and, if installed, wrk and h2load");
      }
    }
    if (names.contains(EVERY)) {
      return List.copyOf(known);
    }
    return names.isEmpty() ? known.stream().filter(USUAL::contains).toList() : names;
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
