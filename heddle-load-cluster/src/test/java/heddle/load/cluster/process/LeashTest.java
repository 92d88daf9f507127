package heddle.load.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A parent that is killed leaves an input that ends, which is all that its child can see of it. */
class LeashTest {

  @Test
  void programEndsWhenItsParentIsGone() throws Exception {
    assertEndsWithItsInput(Leash.of(List.of("sh", "-c", "echo up; exec sleep 600")));
  }

  @Test
  void jvmEndsWhenItsParentIsGone() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    assertEndsWithItsInput(List.of(
        java,
        "-cp",
        System.getProperty("java.class.path"),
        Leash.class.getName(),
        Sleeper.class.getName(),
        "up"));
  }

  @Test
  void programIsTheProcessItselfAndKeepsItsExitCode() throws Exception {
    Process process =
        Children.start(new ProcessBuilder(Leash.of(List.of("sh", "-c", "echo $$; exit 7"))));
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals(String.valueOf(process.pid()), lines.readLine());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(7, process.exitValue());
    } finally {
      Children.kill(process);
    }
  }

  private static void assertEndsWithItsInput(List<String> command)
      throws IOException, InterruptedException {
    Process process =
        Children.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertNotNull(lines.readLine(), "it has not started");
      assertTrue(process.isAlive());
      process.getOutputStream().close();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it outlives its parent");
    } finally {
      Children.kill(process);
    }
  }

  /** Would live for ever. Not public, as the class of a command need not be. */
  static final class Sleeper {
    private Sleeper() {}

    /** Says its argument and waits. */
    public static void main(String[] args) throws InterruptedException {
      System.out.println(args[0]);
      new CountDownLatch(1).await();
    }
  }
}
