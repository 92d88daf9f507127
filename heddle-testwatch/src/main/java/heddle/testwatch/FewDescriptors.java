package heddle.testwatch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Prepares JVMs that may open only a few files, for tests on systems with {@code ulimit}. */
public final class FewDescriptors {
  private FewDescriptors() {}

  /**
   * A JVM with the class path of the running test.
   *
   * @param limit how many file descriptors the JVM may have open
   * @param folder an empty directory for jar files
   * @param main the class whose {@code main} is run with the arguments
   */
  public static ProcessBuilder jvm(int limit, Path folder, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(
        "sh",
        "-c",
        "ulimit -n " + limit + "; exec \"$0\" \"$@\"",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        jars(folder),
        main.getName()));
    Collections.addAll(command, arguments);
    return new ProcessBuilder(command);
  }

  /** Loading a class from a directory takes a descriptor, loading it from an open jar does not. */
  private static String jars(Path folder) throws IOException {
    List<String> path = new ArrayList<>();
    String classPath = System.getProperty("java.class.path");
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path classes = Path.of(entry);
      boolean isFolder = Files.isDirectory(classes);
      path.add(isFolder ? jar(classes, folder.resolve(path.size() + ".jar")) : entry);
    }
    return String.join(File.pathSeparator, path);
  }

  private static String jar(Path classes, Path target) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(target));
        Stream<Path> files = Files.walk(classes)) {
      files.filter(Files::isRegularFile).forEach(file -> {
        try {
          jar.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, jar);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
    return target.toString();
  }
}
