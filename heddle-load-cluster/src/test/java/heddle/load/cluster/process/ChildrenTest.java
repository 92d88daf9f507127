package heddle.load.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildrenTest {

  @Test
  void endedProcessTakesThoseItHasStartedWithIt() throws Exception {
    // The shell leaves its child alone when it is asked to end, as taskset and sh -c may.
    Process shell =
        Children.start(new ProcessBuilder("sh", "-c", "trap '' TERM; sleep 600 & echo $!; wait"));
    long pid;
    try (BufferedReader in = shell.inputReader(StandardCharsets.UTF_8)) {
      pid = Long.parseLong(in.readLine());
      ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
      Children.kill(shell);
      assertTrue(shell.waitFor(10, TimeUnit.SECONDS));
      child.onExit().get(10, TimeUnit.SECONDS);
      assertEquals(false, child.isAlive());
    }
  }
}
