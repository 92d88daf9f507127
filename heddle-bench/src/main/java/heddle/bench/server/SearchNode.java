package heddle.bench.server;

import heddle.load.cluster.process.ClassPlace;
import heddle.load.cluster.process.Leash;
import heddle.load.cluster.process.ProcessOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Provides a node of OpenSearch. Its jars are not part of the ordinary build; they are fetched when
 * the first race needs one. Used by one thread.
 */
public final class SearchNode {

  /** The index that a race writes to, which refreshes each second. */
  public static final String INDEX = "races";

  /** More than enough for a node to start, pinned to one core. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final String MAIN = "heddle.bench.searchnode.SearchNodeMain";
  private static final Path MODULE = Path.of("heddle-bench", "search-node");
  private static final Pattern RELEASE = Pattern.compile("opensearch-(\\d[\\d.]*)\\.jar");
  private static final long BUILD_MILLIS = Duration.ofMinutes(10).toMillis();

  private final Path home;
  private final Consumer<String> words;

  /** The command that starts one; null until it is found. */
  private @Nullable List<String> command;

  /** Why there is none; empty if that is not known. */
  private String absence = "";

  private SearchNode(Path home, Consumer<String> words) {
    this.home = home;
    this.words = words;
  }

  /**
   * A real node, fetched by the build of a checkout if it is not there yet.
   *
   * @param home the folder of the checkout
   * @param words receives a sentence about what takes long
   */
  public static SearchNode of(Path home, Consumer<String> words) {
    return new SearchNode(home.toAbsolutePath(), words);
  }

  /**
   * The command that starts a node, without the folder of its data; null if there is none, and then
   * {@link #absence} says why.
   */
  @Nullable
  List<String> command() throws InterruptedException {
    if (command == null && absence.isEmpty()) {
      try {
        command = find();
      } catch (IOException e) {
        absence = String.valueOf(e.getMessage());
      }
    }
    return command;
  }

  String absence() {
    return absence;
  }

  /** Records that the node that was found does not start. */
  void doesNotStart(IOException cause) {
    command = null;
    absence = String.valueOf(cause.getMessage());
  }

  /** Such as {@code OpenSearch 3.8.0}. */
  String version() throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder())) {
      for (Path each : jars) {
        Matcher release = RELEASE.matcher(String.valueOf(each.getFileName()));
        if (release.matches()) {
          return "OpenSearch " + release.group(1);
        }
      }
    }
    return "OpenSearch";
  }

  private List<String> find() throws IOException, InterruptedException {
    if (!isBuilt()) {
      build();
    }
    // Only the leash, without its other dependencies.
    String classPath =
        ClassPlace.of(Leash.class) + File.pathSeparator + folder().resolve("*");
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xms256m",
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        classPath,
        Leash.class.getName(),
        MAIN);
  }

  private Path folder() {
    return home.resolve(MODULE).resolve("target").resolve("node");
  }

  /** Its own jar is copied into the folder last. */
  private boolean isBuilt() {
    return Files.isRegularFile(folder().resolve("search-node.jar"));
  }

  private void build() throws IOException, InterruptedException {
    Path wrapper = home.resolve("mvnw");
    if (!Files.isExecutable(wrapper)) {
      throw new IOException("there is no " + wrapper + " to fetch it with");
    }
    words.accept("fetching OpenSearch, some 120 jars, which takes a minute or two the first time");
    List<String> command = new ArrayList<>(List.of(wrapper.toString(), "-B", "-q"));
    command.addAll(List.of("-f", home.resolve("pom.xml").toString()));
    // In the reactor, because its parent imports a list of versions that is not published.
    command.addAll(List.of("-Psearch", "-pl", MODULE.toString(), "-am"));
    command.addAll(List.of("-Dmaven.test.skip=true", "-Dspotless.check.skip=true", "package"));
    ProcessOutput built = ProcessOutput.of(command, BUILD_MILLIS, () -> {});
    if (built.exitCode() != 0 || !isBuilt()) {
      String first = built
          .output()
          .lines()
          .filter(line -> line.contains("[ERROR]"))
          .findFirst()
          .orElse(built.errors());
      throw new IOException("its build failed: " + first);
    }
  }
}
