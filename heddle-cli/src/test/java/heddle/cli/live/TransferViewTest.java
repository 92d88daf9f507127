package heddle.cli.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class TransferViewTest {

  private static final Look PLAIN = new Look(false, false);

  private final TransferView view = new TransferView(
      new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

  @Test
  void shareRateAndTimeLeftAreShown() {
    // A quarter was there before this run, and says nothing about the rate.
    view.progressed(1_000_000, 4_000_000);
    view.progressed(2_000_000, 4_000_000);
    String line = view.line(PLAIN, 100, 1_000_000, 2).toString();
    assertTrue(line.endsWith("50%   2.00 MB of 4.00 MB   500 kB/s   4 s left"), line);
    assertEquals("50%   500 kB/s", view.line(PLAIN, 16, 1_000_000, 2).toString());
  }

  @Test
  void withoutATotalTheAmountIsShown() {
    view.progressed(999, -1);
    assertEquals("999 B   999 B/s", view.line(PLAIN, 100, 999, 1).toString());
  }
}
