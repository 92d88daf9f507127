package heddle.testwatch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Records each virtual thread of the JVM that waits while it is pinned to its carrier, even
 * briefly. The recording is read only at the end. Used by one thread.
 */
public final class PinnedThreads implements AutoCloseable {
  private static final String PINNED = "jdk.VirtualThreadPinned";

  /** Only the JVM and the JDK's own code can begin one: 2 is HotSpot's freeze_pinned_cs. */
  private static final String IN_CRITICAL_SECTION = "Freeze or preempt failed (2)";

  /** Followed by the name of a class. */
  private static final String IN_INITIALISER = "VM call to ";

  /** Turned off, so that code under test runs as without a recording. */
  private static final List<String> OURS = List.of(
      "Call",
      "Attempt",
      "Queue",
      "Resolve",
      "Connect",
      "Tls",
      "Exchange",
      "PoolRefusal",
      "Http2Connection");

  private final Recording recording = new Recording();

  private PinnedThreads() {}

  /**
   * Starts watching.
   *
   * @param ownEvents whether Heddle's events are recorded too, as in production with a recording
   */
  public static PinnedThreads watch(boolean ownEvents) {
    PinnedThreads watch = new PinnedThreads();
    watch.recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
    OURS.forEach(each -> {
      if (ownEvents) {
        watch.recording.enable("heddle." + each);
      } else {
        watch.recording.disable("heddle." + each);
      }
    });
    watch.recording.start();
    return watch;
  }

  /** Stops watching and returns the events, without those that the JVM itself causes. */
  public List<RecordedEvent> stop() {
    recording.stop();
    try {
      Path file = Files.createTempFile("heddle-pinned", ".jfr");
      try {
        recording.dump(file);
        return pinned(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one event after the other: an hour has more of them than the heap has room for. */
  private static List<RecordedEvent> pinned(Path file) throws IOException {
    List<RecordedEvent> pinned = new ArrayList<>();
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals(PINNED) && !isByTheJvm(event)) {
          pinned.add(event);
        }
      }
    }
    return pinned;
  }

  /**
   * Whether the JVM itself has caused it; {@code docs/decisions/0021} describes the causes and
   * their cost.
   */
  private static boolean isByTheJvm(RecordedEvent event) {
    if (!event.hasField("pinnedReason")) {
      // Before Java 24 the event does not tell the JVM's causes from ours, and monitors pin.
      return true;
    }
    String reason = String.valueOf(event.getString("pinnedReason"));
    boolean atMonitor = "Contended monitor enter".equals(event.getString("blockingOperation"));
    if (reason.startsWith(IN_INITIALISER)) {
      return atMonitor || !reason.startsWith(IN_INITIALISER + "heddle.");
    }
    return reason.startsWith("Waited for initialization of ")
        || (atMonitor && reason.equals(IN_CRITICAL_SECTION))
        || isLoadingOrLinking(event.getStackTrace());
  }

  private static boolean isLoadingOrLinking(@Nullable RecordedStackTrace trace) {
    return trace != null
        && trace.getFrames().stream()
            .map(frame -> frame.getMethod().getType().getName())
            .anyMatch(name -> name.startsWith("java.lang.invoke.")
                || name.equals("java.lang.ClassLoader")
                || name.startsWith("jdk.internal.loader."));
  }

  @Override
  public void close() {
    recording.close();
  }
}
