package heddle.client.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingStream;

/** Notes where code of ours has pinned a virtual thread to its carrier. */
final class PinnedCarriers implements AutoCloseable {
  private static final String EVENT = "jdk.VirtualThreadPinned";

  private final RecordingStream recording = new RecordingStream();
  private final List<RecordedEvent> events = new CopyOnWriteArrayList<>();

  PinnedCarriers() {
    recording.enable(EVENT).withThreshold(Duration.ZERO).withStackTrace();
    recording.setReuse(false);
    recording.onEvent(EVENT, event -> {
      if (isOurs(event)) {
        events.add(event);
      }
    });
    recording.startAsync();
  }

  /** Classes that are loaded and initialised pin too, once: that is the JVM's doing. */
  private static boolean isOurs(RecordedEvent event) {
    RecordedStackTrace trace = event.getStackTrace();
    String reason = event.hasField("pinnedReason") ? event.getString("pinnedReason") : null;
    if (trace == null || (reason != null && reason.contains("initialization"))) {
      return false;
    }
    List<String> types = trace.getFrames().stream()
        .map(frame -> frame.getMethod().getType().getName())
        .toList();
    return types.stream().anyMatch(type -> type.startsWith("heddle."))
        && types.stream()
            .noneMatch(type -> type.startsWith("jdk.jfr.internal.")
                || type.startsWith("java.lang.invoke.")
                || type.startsWith("java.lang.ClassLoader")
                || type.startsWith("jdk.internal.loader."));
  }

  void check() {
    recording.stop();
    assertEquals(List.of(), events);
  }

  @Override
  public void close() {
    recording.close();
  }
}
