package heddle.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts JVMs that have the classes of this one. */
public final class ChildJvm {
  private ChildJvm() {}

  /** Runs a class's {@code main}; what it prints is printed. */
  public static Process start(List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).inheritIO().start();
  }

  private static String classPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(name -> System.getProperty(name, ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(System.getProperty("path.separator")));
  }
}
