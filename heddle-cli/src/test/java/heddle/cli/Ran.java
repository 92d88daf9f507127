package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a run of the command left: its exit code and its two outputs. */
record Ran(int code, String out, String err) {

  static Ran of(String... arguments) {
    return withInput("", arguments);
  }

  static Ran withInput(String input, String... arguments) {
    return run(input, false, arguments);
  }

  /** With standard output that is a terminal with colours. */
  static Ran onTerminal(String... arguments) {
    return run("", true, arguments);
  }

  private static Ran run(String input, boolean shown, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var terminal = new Terminal(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        out,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        shown,
        shown);
    int code = RootCommand.run(terminal, arguments);
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Wrong options: exit code 2, nothing on standard output, and each of the words. */
  void assertRefused(String... words) {
    assertEquals(2, code, this::toString);
    assertEquals("", out);
    assertSays(words);
  }

  /** A failure: exit code 1 and one line on standard error with each of the words. */
  void assertFailed(String... words) {
    assertEquals(1, code, this::toString);
    assertEquals(1, err.lines().count(), this::toString);
    assertSays(words);
  }

  private void assertSays(String... words) {
    for (String word : words) {
      if (!err.contains(word)) {
        throw new AssertionError("'" + word + "' is not in: " + err);
      }
    }
  }
}
