package heddle.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What examples print. They share the standard output, so one runs at a time. */
public final class Printed {

  private Printed() {}

  /** An example. */
  @FunctionalInterface
  public interface Example {
    void run() throws Exception;
  }

  /** All that is printed while the example runs. */
  public static String by(Example example) throws Exception {
    var bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      example.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
  }
}
