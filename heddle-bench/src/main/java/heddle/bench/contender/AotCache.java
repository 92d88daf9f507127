package heddle.bench.contender;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM can start from: the classes that an earlier one has loaded, and how often it has run
 * which code (JEP 514 and 515). Its compilers then begin at once, and with the knowledge of a whole
 * run.
 *
 * @param prefix the part of the name that stays if a jar changes: the client, and a key of the
 *     command of its JVM and of its loads
 * @param file the cache; the end of its name depends on the Java version and the jars
 */
public record AotCache(String prefix, Path file) {

  private static final String SUFFIX = ".aot";

  /**
   * Finds the place of a cache.
   *
   * @param command the command of the JVM
   * @param loads what is run before the cache is made
   * @return null if the JVM can have no cache, because there are classes outside of jars
   * @throws IOException if its jars cannot be listed
   */
  static @Nullable AotCache of(Path folder, Entrant entrant, List<String> command, String loads)
      throws IOException {
    StringBuilder jars = new StringBuilder(Runtime.version().toString());
    for (String each : classPath(command).split(File.pathSeparator, -1)) {
      for (Path jar : jars(each)) {
        if (!Files.isRegularFile(jar)) {
          return null;
        }
        jars.append('\n').append(jar).append(' ').append(Files.size(jar));
        jars.append(' ').append(Files.getLastModifiedTime(jar));
      }
    }
    String prefix = entrant.client() + "-" + key(command + loads);
    Path file = folder.toAbsolutePath().resolve(prefix + "-" + key(jars.toString()) + SUFFIX);
    return new AotCache(prefix, file);
  }

  private static String classPath(List<String> command) {
    return command.get(command.indexOf("-cp") + 1);
  }

  private static List<Path> jars(String element) throws IOException {
    if (!element.endsWith("*")) {
      return List.of(Path.of(element));
    }
    List<Path> jars = new ArrayList<>();
    Path folder = Path.of(element.substring(0, element.length() - 1));
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
      found.forEach(jars::add);
    }
    jars.sort(null);
    return jars;
  }

  private static String key(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Whether it was made. */
  public boolean isMade() {
    return Files.isRegularFile(file);
  }

  /** The flags of a JVM that starts from it. */
  List<String> flags() {
    return List.of("-XX:AOTCache=" + file);
  }

  /** The flags of a JVM that makes it, in this file, when it ends in good order. */
  public List<String> making(Path beside) {
    return List.of("-XX:AOTCacheOutput=" + beside);
  }

  /** Puts a file that was made into its place, and deletes those for other jars. */
  public void keep(Path made) throws IOException {
    Path folder = file.getParent();
    if (folder == null || !Files.isRegularFile(made) || Files.size(made) == 0) {
      throw new IOException("the JVM has written no cache");
    }
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    try (DirectoryStream<Path> others = Files.newDirectoryStream(folder, prefix + "-*" + SUFFIX)) {
      for (Path each : others) {
        if (!each.equals(file)) {
          Files.delete(each);
        }
      }
    }
  }
}
