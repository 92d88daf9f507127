package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CalmTest {

  private static final List<String> BUSY = List.of("other programs took 60% of the cores' time");

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void quietMachineIsNotMentioned() throws Exception {
    Calm.await(Duration.ZERO, terminal(false, ""), () -> false, busyFor(0));
    assertEquals("", said());
    assertEquals(1, looks.get());
  }

  @Test
  void busyMachineIsNamedBeforeTheRaceWhichBegins() throws Exception {
    Calm.await(Duration.ZERO, terminal(false, ""), () -> false, busyFor(1_000));
    assertTrue(said().contains("busy: other programs took 60% of the cores' time."), said());
    assertTrue(said().contains("--wait 10m"), said());
    assertEquals(1, looks.get());
  }

  @Test
  void raceWaitsUntilTheMachineIsQuiet() throws Exception {
    Calm.await(Duration.ofHours(1), terminal(false, ""), () -> false, busyFor(3));
    assertEquals(4, looks.get());
  }

  @Test
  void terminalWaitsUntilTheMachineIsQuiet() throws Exception {
    Calm.await(Duration.ZERO, terminal(true, ""), () -> false, busyFor(3));
    assertTrue(said().contains("Press Enter to race at once"), said());
    assertEquals(4, looks.get());
  }

  @Test
  void enterEndsTheWait() throws Exception {
    Calm.await(Duration.ZERO, terminal(true, "\n"), () -> false, busyFor(1_000));
    assertEquals(1, looks.get());
  }

  @Test
  void signalEndsTheWait() throws Exception {
    Calm.await(Duration.ofHours(1), terminal(false, ""), () -> looks.get() > 4, busyFor(1_000));
    assertEquals(5, looks.get());
  }

  private Calm.Machine busyFor(int times) {
    return () -> looks.incrementAndGet() <= times ? BUSY : List.of();
  }

  private Terminal terminal(boolean interactive, String typed) {
    return new Terminal(
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.US_ASCII)),
        OutputStream.nullOutputStream(),
        new PrintStream(said, true, StandardCharsets.UTF_8),
        interactive,
        false,
        false);
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
