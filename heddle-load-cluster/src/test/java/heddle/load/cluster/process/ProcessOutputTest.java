package heddle.load.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessOutputTest {

  @TempDir
  private Path folder;

  private Path printed(String text) throws Exception {
    return Files.writeString(folder.resolve("errors"), text);
  }

  @Test
  void tailOfAStackTraceSaysWhatFailed() throws Exception {
    StringWriter trace = new StringWriter();
    Throwable cause = new IllegalStateException("no such switch: tcp");
    new RuntimeException("cannot start", cause).printStackTrace(new PrintWriter(trace));
    assertEquals(
        "java.lang.RuntimeException: cannot start"
            + " | Caused by: java.lang.IllegalStateException: no such switch: tcp",
        ProcessOutput.tail(printed(trace.toString())));
  }

  @Test
  void tailIsTheLastLines() throws Exception {
    assertEquals("3 | 4 | 5 | 6 | 7 | 8", ProcessOutput.tail(printed("1\n2\n3\n4\n5\n6\n7\n8\n")));
    assertEquals("it printed no error", ProcessOutput.tail(printed("")));
  }

  @Test
  void outputAndErrorsOfAProgramAreApart() throws Exception {
    ProcessOutput found =
        ProcessOutput.of(List.of("sh", "-c", "echo out; echo oh >&2; exit 3"), 20_000, () -> {});
    assertEquals(new ProcessOutput(3, "out\n", "oh"), found);
  }
}
