package heddle.bench.race;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The class paths of drivers by the name of the client: those built in the checkout, and those that
 * the user names as {@code mine=CLASSPATH}.
 */
final class DriverClassPaths {

  static final String HEDDLE = "heddle";

  private static final String ALL_JARS = File.separator + "*";

  /** Between the name of a client and its class path. */
  private static final String GIVEN = "=";

  /** Stands for all clients. */
  static final String EVERY = "all";

  /** The clients that race by default: with all clients, a race would take too long. */
  private static final Set<String> USUAL =
      Set.of(HEDDLE, "apache", "jdk", "jetty", "netty", "okhttp");

  private static final String ON_CLOJARS =
      "it is published only on Clojars, and the build uses Maven Central";

  /** Why a client has no driver, as the end of a sentence, by the client's name. */
  private static final Map<String, String> UNRACED =
      Map.of("clj-http", ON_CLOJARS, "http-kit", ON_CLOJARS);

  private static final String BUILD = "build all with ./mvnw -DskipTests package";

  private DriverClassPaths() {}

  /**
   * Finds the class paths of the given clients, Heddle's first.
   *
   * @param clients the clients, or {@link #EVERY}; empty for the usual ones
   */
  static Map<String, String> find(Path home, List<String> clients) throws RaceException {
    Map<String, String> given = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (String client : clients) {
      names.add(name(client));
      if (client.contains(GIVEN)) {
        given.put(name(client), given(client));
      }
    }
    names.removeAll(given.keySet());
    Map<String, String> found = new LinkedHashMap<>();
    if (!names.isEmpty() || given.isEmpty()) {
      found.putAll(built(home, names));
    }
    given.forEach(found::putIfAbsent);
    return found;
  }

  /** The name of a client that may be given with its class path. */
  static String name(String client) {
    int end = client.indexOf(GIVEN);
    return end < 0 ? client : client.substring(0, end);
  }

  private static String given(String client) throws RaceException {
    String classPath = client.substring(client.indexOf(GIVEN) + 1);
    if (name(client).isBlank() || classPath.isBlank()) {
      throw new RaceException("a client of your own is given as mine=CLASSPATH, not " + client);
    }
    for (String each : classPath.split(File.pathSeparator, -1)) {
      String place = each.endsWith(ALL_JARS) ? each.substring(0, each.length() - 2) : each;
      if (!Files.exists(Path.of(place))) {
        throw new RaceException("the class path of the client " + name(client) + " names " + place
            + ", which does not exist");
      }
    }
    return classPath;
  }

  private static Map<String, String> built(Path home, List<String> names) throws RaceException {
    Path root = home.resolve("heddle-bench").resolve("drivers");
    NavigableSet<String> known = known(root);
    if (known.isEmpty()) {
      throw new RaceException(
          "no clients to race below " + root + ": is heddle.home the root of the checkout?");
    }
    List<String> racing = racing(names, known);
    Map<String, String> folders = new LinkedHashMap<>();
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
        throw new UnknownNameException("there is no client " + name
            + (reason == null ? "" : ", it is not raced because " + reason) + ": choose among "
            + String.join(", ", known) + ", all and, if installed, wrk and h2load");
      }
    }
    if (names.contains(EVERY)) {
      return List.copyOf(known);
    }
    return names.isEmpty() ? known.stream().filter(USUAL::contains).toList() : names;
  }

  private static String folder(Path root, String name) throws RaceException {
    Path folder = root.resolve(name).resolve("target").resolve("driver");
    if (!Files.isDirectory(folder)) {
      throw new RaceException("the client " + name + " is not built (" + folder + "): " + BUILD);
    }
    return classPath(folder);
  }

  /** The class path of all jars in a folder. */
  static String classPath(Path folder) {
    return folder + ALL_JARS;
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
