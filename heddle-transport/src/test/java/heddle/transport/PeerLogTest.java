package heddle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PeerLogTest {
  private final AtomicLong now = new AtomicLong();
  private final Records records = new Records();
  private final PeerLog log = new PeerLog(records, now::get);

  /** Keeps what is logged. */
  private static final class Records implements System.Logger {
    final List<String> lines = new ArrayList<>();
    boolean loggable = true;

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return loggable;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      lines.add(level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      lines.add(level + " " + format);
    }
  }

  @Test
  void peersAreLoggedAtDebugAFewTimesPerSecond() {
    for (int i = 0; i < 1_000; i++) {
      log.log(() -> "a peer broke off", null);
    }
    assertEquals(PeerLog.MOST_PER_SECOND, records.lines.size());
    assertEquals("DEBUG a peer broke off", records.lines.getFirst());
  }

  @Test
  void nextRecordSaysHowManyWereLeftOut() {
    for (int i = 0; i < 100; i++) {
      log.log(() -> "a peer broke off", null);
    }
    now.set(1_000_000_000);
    log.log(() -> "another", null);
    assertEquals("DEBUG another (90 more were not logged)", records.lines.getLast());
    log.log(() -> "a third", null);
    assertEquals("DEBUG a third", records.lines.getLast());
  }

  @Test
  void messageIsNotMadeIfNobodyReadsIt() {
    records.loggable = false;
    log.log(
        () -> {
          throw new AssertionError("made");
        },
        null);
    assertTrue(records.lines.isEmpty());
  }
}
