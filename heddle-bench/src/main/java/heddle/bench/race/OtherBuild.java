package heddle.bench.race;

import heddle.bench.result.Method;
import heddle.load.cluster.process.ProcessOutput;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Heddle as built by another checkout of this repository: its engine and its driver. The bench, the
 * driver API and the servers of a race are those of this checkout.
 *
 * <p>Only folders called {@code target} are written to, which Git ignores.
 *
 * @param root of the other checkout
 */
public record OtherBuild(Path root) {

  /** The plan for two builds: a new JVM per run, because compilation differs between JVMs. */
  public static final RacePlan PLAN =
      RacePlan.DEFAULT.withMethod(Method.FRESH).withRounds(5).withControl(true);

  /** The cells that they race in if none is named: small answers over both versions. */
  public static final List<String> CELLS = List.of("h1-64", "h2-1x100");

  private static final Path MODULE = Path.of("heddle-bench", "drivers", DriverClassPaths.HEDDLE);
  private static final String HOW = "give the root of another checkout of this repository, such as"
      + " one that git worktree add ../before HEAD~1 makes";
  private static final String STAMP = "built-for-race";
  private static final Duration LONGEST_BUILD = Duration.ofMinutes(15);
  private static final long TOLD_EACH_SECONDS = 10;

  /**
   * Returns the build of the checkout in a folder.
   *
   * @param home the root of this checkout
   * @param folder the root of the other one
   * @throws IllegalArgumentException if the folder is not another checkout; the message says why
   */
  public static OtherBuild in(Path home, Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException("there is no folder " + folder + ": " + HOW);
    }
    for (Path part : List.of(Path.of("mvnw"), Path.of("pom.xml"), MODULE.resolve("pom.xml"))) {
      if (!Files.isRegularFile(folder.resolve(part))) {
        throw new IllegalArgumentException(
            folder + " is not a checkout of Heddle, it has no " + part + ": " + HOW);
      }
    }
    try {
      Path root = folder.toRealPath();
      if (root.equals(home.toRealPath())) {
        throw new IllegalArgumentException(folder + " is the checkout that races: " + HOW);
      }
      return new OtherBuild(root);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + folder + ": " + e, e);
    }
  }

  /** The name in reports, such as {@code heddle@before} for a checkout in the folder before. */
  public String name() {
    return DriverClassPaths.HEDDLE + "@" + root.getFileName();
  }

  /** The folder of its driver and its engine after the build. */
  Path driverFolder() {
    return target().resolve("driver");
  }

  private Path target() {
    return root.resolve(MODULE).resolve("target");
  }

  /**
   * Runs its mvnw if its sources are newer than the last build.
   *
   * @param words receives progress messages during a long build
   * @throws RaceException if the build fails; the message says why
   */
  void build(Consumer<String> words) throws RaceException, InterruptedException {
    try {
      if (!isBuilt()) {
        Instant begin = Instant.now();
        run(words, begin);
        mark(begin);
      }
    } catch (IOException e) {
      throw new RaceException("cannot build " + root + ": " + e.getMessage(), e);
    }
  }

  private void run(Consumer<String> words, Instant begin)
      throws RaceException, IOException, InterruptedException {
    // Otherwise a jar that this commit no longer has would still be on the class path.
    for (Path each : jars()) {
      Files.delete(each);
    }
    List<String> command = List.of(
        root.resolve("mvnw").toString(),
        "-B",
        "-q",
        "-f",
        root.resolve("pom.xml").toString(),
        "-Dmaven.test.skip=true",
        "-Dspotless.check.skip=true",
        "-pl",
        MODULE.toString(),
        "-am",
        "package");
    Runnable tick = () -> tell(words, Duration.between(begin, Instant.now()).toSeconds());
    tick.run();
    ProcessOutput built = ProcessOutput.of(command, LONGEST_BUILD.toMillis(), tick);
    if (built.exitCode() != 0 || jars().isEmpty()) {
      String first = built
          .output()
          .lines()
          .filter(line -> line.contains("[ERROR]"))
          .findFirst()
          .orElse(built.errors());
      throw new RaceException(root + " does not build (" + String.join(" ", command) + " ended with"
          + " exit code " + built.exitCode() + "): " + first);
    }
  }

  private void tell(Consumer<String> words, long seconds) {
    long told = seconds / TOLD_EACH_SECONDS * TOLD_EACH_SECONDS;
    words.accept("building " + root + (told == 0 ? "" : ", " + told + " s so far"));
  }

  private boolean isBuilt() throws IOException {
    Path stamp = target().resolve(STAMP);
    if (!Files.isRegularFile(stamp) || jars().isEmpty()) {
      return false;
    }
    NewerSource sources = new NewerSource(Files.getLastModifiedTime(stamp));
    Files.walkFileTree(root, sources);
    return !sources.isFound;
  }

  /** Records the time at which the build began, so that later edits cause another build. */
  private void mark(Instant begin) throws IOException {
    Path next = Files.createTempFile(target(), STAMP, "");
    Files.setLastModifiedTime(next, FileTime.from(begin));
    Files.move(next, target().resolve(STAMP), StandardCopyOption.REPLACE_EXISTING);
  }

  private List<Path> jars() throws IOException {
    if (!Files.isDirectory(driverFolder())) {
      return List.of();
    }
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(driverFolder(), "*.jar")) {
      found.forEach(jars::add);
    }
    return jars;
  }

  /** Looks for a source file, or a folder of sources, that is newer than the build. */
  private static final class NewerSource extends SimpleFileVisitor<Path> {

    private final FileTime built;
    private boolean isFound;

    NewerSource(FileTime built) {
      this.built = built;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      String name = String.valueOf(folder.getFileName());
      return name.equals("target") || name.startsWith(".")
          ? FileVisitResult.SKIP_SUBTREE
          : look(folder, attributes);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return look(file, attributes);
    }

    private FileVisitResult look(Path path, BasicFileAttributes attributes) {
      boolean isSource = path.endsWith("pom.xml") || path.toString().contains("/src/main");
      isFound |= isSource && attributes.lastModifiedTime().compareTo(built) > 0;
      return isFound ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }
  }
}
