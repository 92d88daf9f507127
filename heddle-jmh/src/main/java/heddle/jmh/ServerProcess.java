package heddle.jmh;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A server in a process that this one starts. It prints its port and exits at the end of its
 * standard input, so that it does not outlive its parent.
 *
 * @param port on the loopback address
 */
record ServerProcess(Process process, int port) implements AutoCloseable {
  /** Starts the main method of a class, in a JVM with the class path of this one. */
  static ServerProcess start(Class<?> main, String... arguments) throws IOException {
    Process process = java(main, arguments);
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String port = output.readLine();
    if (port == null) {
      throw new IOException("the server did not start");
    }
    return new ServerProcess(process, Integer.parseInt(port));
  }

  /** Starts the main method of a class in a JVM, which writes its errors to those of this one. */
  static Process java(Class<?> main, String... arguments) throws IOException {
    return java(List.of(), main, arguments);
  }

  /**
   * As {@link #java(Class, String...)}, with options.
   *
   * @param options of the JVM, such as {@code -Xmx64m}
   */
  static Process java(List<String> options, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(Arrays.asList(arguments));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** In the server: prints the port, and returns when the parent has ended. */
  static void serveUntilParentEnds(int port) throws IOException {
    System.out.println(port);
    while (System.in.read() >= 0) {
      // Waits for the end of the input.
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
